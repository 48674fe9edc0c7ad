// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/volumes/volume_store.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/data_folder.h"
#include "backend/host/images/template_name.h"
#include "backend/host/sandbox/container.h"
#include "backend/host/sandbox/helper.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t longestName = 128;

void checkName(const std::string &name)
{
    const bool plain = std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    });
    if (name.empty() || !plain)
        throw ApiError(400, "Invalid volume name: it may hold letters, digits, _ and - only");
    if (name.size() > longestName)
        throw ApiError(400, "Invalid volume name: it may have at most 128 characters");
}

} // namespace

VolumeStore::VolumeStore(asio::io_context &io, std::string folder, std::string trash, std::optional<UidRange> range)
    : m_io(io)
    , m_folder(std::move(folder))
    , m_trash(std::move(trash))
    , m_range(range)
{
}

void VolumeStore::restoreOne(const std::string &id)
{
    const std::string file = m_folder + '/' + id + "/volume.json";
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        // The host ended while it was made, before anybody was told of it; or in the middle of deleting it.
        std::error_code error;
        fs::rename(m_folder + '/' + id, m_trash + "/volume-" + id, error);
        return;
    }
    std::ostringstream text;
    text << stream.rdbuf();
    try {
        const json::object object = json::parse(text.str()).as_object();
        const auto created = timeFromText(std::string(object.at("createdAt").as_string()));
        Volume volume{.id = id, .name = std::string(object.at("name").as_string())};
        if (object.at("volumeID").as_string() != id || !created)
            throw std::runtime_error("it is the record of something else");
        volume.createdAt = *created;
        m_volumes.emplace(id, std::move(volume));
    } catch (const std::exception &error) {
        // Somebody's files hang on it: leave everything where it is.
        std::fprintf(stderr, "boxdeck-host: %s is not readable (%s); this volume is left out\n", file.c_str(),
                     error.what());
    }
}

void VolumeStore::restore()
{
    std::error_code error;
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(m_folder, error))
        names.push_back(entry.path().filename().string());
    for (const std::string &name : names) {
        if (isUuid(name))
            restoreOne(name);
    }
}

std::vector<Volume> VolumeStore::list() const
{
    std::vector<Volume> volumes;
    for (const auto &[id, volume] : m_volumes)
        volumes.push_back(volume);
    std::sort(volumes.begin(), volumes.end(), [](const Volume &left, const Volume &right) {
        return std::tie(left.createdAt, left.id) < std::tie(right.createdAt, right.id);
    });
    return volumes;
}

Volume VolumeStore::get(const std::string &id) const
{
    const auto found = m_volumes.find(id);
    if (found == m_volumes.end())
        throw ApiError(404, "volume '" + id + "' not found");
    return found->second;
}

std::optional<Volume> VolumeStore::findByName(const std::string &name) const
{
    for (const auto &[id, volume] : m_volumes) {
        if (volume.name == name)
            return volume;
    }
    return {};
}

asio::awaitable<Volume> VolumeStore::create(std::string name)
{
    checkName(name);
    if (findByName(name) || m_makingNames.contains(name))
        throw ApiError(400, "there is a volume named '" + name + "' already");
    m_makingNames.insert(name);
    Volume volume{.id = randomUuid(), .name = name, .createdAt = now()};
    const std::string folder = m_folder + '/' + volume.id;
    std::string failure;
    try {
        if (mkdir(folder.c_str(), 0700) != 0)
            throw std::system_error(errno, std::generic_category(), "making its folder");
        co_await runHelper(m_io, helperPrepareVolume(m_range, folder));
        const json::object record{
            {"version", 1}, {"volumeID", volume.id}, {"name", name}, {"createdAt", toText(volume.createdAt)}};
        writeDurably(folder + "/volume.json", json::serialize(record) + '\n');
    } catch (const std::exception &error) {
        failure = error.what();
    }
    m_makingNames.erase(name);
    if (!failure.empty()) {
        std::error_code error;
        fs::rename(folder, m_trash + "/volume-" + volume.id, error);
        throw ApiError(500, "The volume could not be made: " + failure, "internal_server_error");
    }
    m_volumes.emplace(volume.id, volume);
    co_return volume;
}

asio::awaitable<void> VolumeStore::remove(std::string id)
{
    get(id);
    // Out of the way first: whatever happens next, no restart can bring it back.
    const std::string gone = m_trash + "/volume-" + id;
    if (rename((m_folder + '/' + id).c_str(), gone.c_str()) != 0)
        throw ApiError(500, "The volume could not be deleted", "internal_server_error");
    m_volumes.erase(id);
    try {
        co_await runHelper(m_io, helperRemove(m_range, gone));
    } catch (const std::exception &error) {
        // Nobody's any more; the next start tries again.
        std::fprintf(stderr, "boxdeck-host: files of a deleted volume are left in %s: %s\n", gone.c_str(),
                     error.what());
    }
}

} // namespace boxdeck::host
