// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/images/layer_store.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "backend/host/control_plane/data_folder.h"
#include "backend/host/sandbox/container.h"
#include "backend/host/sandbox/helper.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

// Written last, by the helper: a layer without it was not completed.
constexpr const char *sizeFile = "/bytes";

} // namespace

LayerStore::LayerStore(asio::io_context &io, std::string folder, std::string trash, std::optional<UidRange> range)
    : m_io(io)
    , m_folder(std::move(folder))
    , m_trash(std::move(trash))
    , m_range(range)
{
}

std::string LayerStore::trashed(const std::string &layerId) const
{
    return m_trash + "/layer-" + layerId;
}

std::optional<std::int64_t> LayerStore::recordedBytes(const std::string &layerId) const
{
    std::ifstream file(m_folder + '/' + layerId + sizeFile);
    std::int64_t bytes = 0;
    return file >> bytes ? std::optional(bytes) : std::nullopt;
}

void LayerStore::restore()
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(m_folder, error))
        names.push_back(entry.path().filename().string());
    for (const std::string &id : names) {
        if (const auto bytes = recordedBytes(id))
            m_layers.emplace(id, *bytes);
        else
            fs::rename(m_folder + '/' + id, trashed(id), error);
    }
}

void LayerStore::sweep(const std::set<std::string> &used)
{
    std::erase_if(m_layers, [&](const auto &layer) {
        std::error_code error;
        if (used.contains(layer.first))
            return false;
        fs::rename(m_folder + '/' + layer.first, trashed(layer.first), error);
        return true;
    });
}

std::string LayerStore::begin() const
{
    const std::string id = randomId(20);
    const std::string folder = m_folder + '/' + id;
    if (mkdir(folder.c_str(), 0700) != 0 || mkdir((folder + "/root").c_str(), 0755) != 0)
        throw ContainerError("a folder for a layer could not be made: " +
                             std::error_code(errno, std::generic_category()).message());
    return id;
}

asio::awaitable<std::string> LayerStore::fill(std::string layerId, std::vector<std::string> helper)
{
    std::string failure;
    try {
        co_await runHelper(m_io, std::move(helper));
        const auto bytes = recordedBytes(layerId);
        if (!bytes)
            throw ContainerError("its size is not known");
        m_layers.emplace(layerId, *bytes);
        co_return layerId;
    } catch (const std::exception &error) {
        failure = error.what();
    }
    co_await remove(layerId);
    throw ContainerError(failure);
}

asio::awaitable<std::string> LayerStore::capture(std::string rootFolder)
{
    const std::string id = begin();
    // Named: GCC 12 destroys an aggregate made within a co_await expression twice.
    const CopyOptions options{.record = m_folder + '/' + id + sizeFile};
    co_return co_await fill(id, helperCopy(m_range, rootFolder, rootOf(id), options));
}

asio::awaitable<std::string> LayerStore::importFrom(std::string path)
{
    const std::string id = begin();
    std::string failure;
    try {
        co_await unpack(path, id);
        const auto bytes = recordedBytes(id);
        if (!bytes)
            throw ContainerError("its size is not known");
        m_layers.emplace(id, *bytes);
        co_return id;
    } catch (const std::exception &error) {
        failure = error.what();
    }
    co_await remove(id);
    throw ContainerError(failure);
}

// A folder is packed by one helper, with our own rights, and unpacked by another inside the uid range: owners then are
// what they are in the folder, and all the care that archives need is taken once.
asio::awaitable<void> LayerStore::unpack(std::string path, std::string layerId)
{
    Fd archive(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info
    {
    };
    if (!archive || fstat(archive.get(), &info) != 0)
        throw ContainerError(std::error_code(errno, std::generic_category()).message());
    std::optional<RunningHelper> packer;
    if (S_ISDIR(info.st_mode)) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw ContainerError("no pipe for the helper");
        archive.reset(ends[0]);
        const Fd writeEnd(ends[1]);
        packer.emplace(helperPack(path), std::vector<int>{writeEnd.get()});
    }
    RunningHelper importer(helperImport(m_range, rootOf(layerId), m_folder + '/' + layerId + sizeFile),
                           std::vector<int>{archive.get()});
    archive.reset();
    std::string refusal;
    try {
        co_await importer.end(m_io);
    } catch (const ContainerError &error) {
        refusal = error.what();
    }
    if (packer) {
        std::string unread;
        try {
            co_await packer->end(m_io);
        } catch (const ContainerError &error) {
            unread = error.what(); // what could not be read is the cause, if both fail
        }
        if (!unread.empty() && (refusal.empty() || refusal.find("no readable tar") != std::string::npos))
            refusal = unread;
    }
    if (!refusal.empty())
        throw ContainerError(refusal);
}

asio::awaitable<void> LayerStore::materialize(std::string layerId, std::string rootFolder, std::string hostname)
{
    if (!contains(layerId))
        throw ContainerError("the files of this template are missing");
    const CopyOptions options{.hostname = hostname}; // named, as above
    ++m_reading[layerId];
    std::string failure;
    try {
        co_await runHelper(m_io, helperCopy(m_range, rootOf(layerId), rootFolder, options));
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (--m_reading[layerId] == 0) {
        m_reading.erase(layerId);
        if (m_condemned.erase(layerId) > 0)
            co_await remove(layerId);
    }
    if (!failure.empty())
        throw ContainerError(failure);
}

asio::awaitable<void> LayerStore::moveTo(std::string layerId, std::string folder, std::string hostname)
{
    if (!contains(layerId))
        throw ContainerError("the files of this template are missing");
    m_layers.erase(layerId);
    // The outer folder: the inner one belongs to an account of the range, which could not move it.
    if (rename((m_folder + '/' + layerId).c_str(), folder.c_str()) != 0) {
        const std::string why = std::error_code(errno, std::generic_category()).message();
        co_await remove(layerId);
        throw ContainerError("the files could not be moved: " + why);
    }
    unlink((folder + sizeFile).c_str());
    co_await runHelper(m_io, helperRenameHost(m_range, folder + "/root", hostname));
}

asio::awaitable<void> LayerStore::remove(std::string layerId)
{
    if (m_pinned.contains(layerId))
        co_return;
    m_layers.erase(layerId);
    if (m_reading.contains(layerId)) {
        // Whoever is copying it gets it whole; the last one clears up. Should the host end before, its next start does.
        m_condemned.insert(layerId);
        co_return;
    }
    // Out of the way first: whatever happens next, it is no layer any more.
    if (rename((m_folder + '/' + layerId).c_str(), trashed(layerId).c_str()) != 0)
        co_return;
    try {
        co_await runHelper(m_io, helperRemove(m_range, trashed(layerId)));
    } catch (const std::exception &error) {
        // The next start tries again.
        std::fprintf(stderr, "boxdeck-host: files of a deleted layer are left in %s: %s\n", trashed(layerId).c_str(),
                     error.what());
    }
}

std::int64_t LayerStore::bytes(const std::string &layerId) const
{
    const auto found = m_layers.find(layerId);
    return found == m_layers.end() ? 0 : found->second;
}

} // namespace boxdeck::host
