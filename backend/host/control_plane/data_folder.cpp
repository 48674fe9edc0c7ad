// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/data_folder.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string &what)
{
    const int reason = errno;
    throw StartError(what + ": " + std::generic_category().message(reason));
}

void makeFolder(const std::string &path, mode_t mode)
{
    if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST)
        refuse("cannot make the folder " + path);
}

std::string trimmed(std::string text)
{
    const auto blank = " \t\r\n";
    text.erase(0, std::min(text.size(), text.find_first_not_of(blank)));
    text.erase(text.find_last_not_of(blank) + 1);
    return text;
}

void randomBytes(void *to, std::size_t count)
{
    auto *bytes = static_cast<unsigned char *>(to);
    while (count > 0) {
        const ssize_t got = getrandom(bytes, count, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            throw std::system_error(errno, std::generic_category(), "getrandom");
        bytes += got;
        count -= static_cast<std::size_t>(got);
    }
}

} // namespace

DataFolder::DataFolder(const std::string &path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw StartError("cannot make the data folder " + path + ": " + error.message());
    m_path = fs::canonical(path, error).string();
    if (error)
        throw StartError("cannot use the data folder " + path + ": " + error.message());
    // Nobody else needs to look in; sandboxes are reached without walking this path (see helper.cpp).
    if (chmod(m_path.c_str(), 0700) != 0)
        refuse("cannot protect the data folder " + m_path);
    m_lock.reset(open((m_path + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!m_lock)
        refuse("cannot make " + m_path + "/lock");
    if (flock(m_lock.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            throw StartError("another boxdeck-host is using the data folder " + m_path +
                             "; stop it, or give this one a folder of its own with --data");
        refuse("cannot lock the data folder " + m_path);
    }
    for (const std::string &inner : {sandboxes(), layers(), templates(), volumes(), trash()})
        makeFolder(inner, 0700);
    const std::string run = m_path + "/run";
    makeFolder(run, 0700);
    m_run.reset(open(run.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!m_run)
        refuse("cannot open the folder " + run);
    for (const auto &stale : fs::directory_iterator(run, error))
        fs::remove(stale.path(), error);
}

std::string DataFolder::socketPath(const std::string &name) const
{
    return "/proc/self/fd/" + std::to_string(m_run.get()) + '/' + name;
}

std::string DataFolder::keptSecret(const std::string &file, const std::string &prefix, std::size_t digits) const
{
    struct stat info
    {
    };
    if (stat(file.c_str(), &info) != 0) {
        writeDurably(file, prefix + randomHex(digits) + '\n');
    } else if ((info.st_mode & 077) != 0 && chmod(file.c_str(), 0600) != 0) {
        refuse("cannot protect " + file);
    }
    return readApiKeyFile(file);
}

std::string DataFolder::ownApiKey() const
{
    return keptSecret(m_path + "/api-key", "e2b_", 40);
}

std::string DataFolder::ownSecret(const std::string &name) const
{
    return keptSecret(m_path + '/' + name, {}, 64);
}

std::string DataFolder::boundIds() const
{
    std::error_code error;
    if (fs::is_empty(sandboxes(), error) && fs::is_empty(layers(), error) && fs::is_empty(volumes(), error) &&
        fs::is_empty(trash(), error))
        return {};
    std::string ids;
    std::ifstream(m_path + "/user-ids") >> ids;
    return ids;
}

void DataFolder::bindIds(const std::string &ids) const
{
    if (boundIds() != ids)
        writeDurably(m_path + "/user-ids", ids + '\n');
}

std::string readApiKeyFile(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        refuse("cannot read the API key file " + path);
    std::string text(4096, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    text = trimmed(text);
    if (text.empty() || text.size() > 512)
        throw StartError("the API key file " + path + " does not hold a key");
    for (const char letter : text) {
        if (letter <= ' ' || letter > '~')
            throw StartError("the key in " + path + " has characters that cannot be sent in a header");
    }
    return text;
}

std::string defaultDataFolder()
{
    if (const char *data = std::getenv("XDG_DATA_HOME"); data != nullptr && data[0] == '/')
        return std::string(data) + "/boxdeck-host";
    if (const char *home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return std::string(home) + "/.local/share/boxdeck-host";
    throw StartError("there is no home folder to keep sandboxes in; name one with --data");
}

void writeDurably(const std::string &path, const std::string &content)
{
    const std::string temporary = path + ".new";
    // Whoever is told of it may be a caller of the API, whom folders of this computer do not concern.
    const auto fail = [&] {
        const std::error_code reason(errno, std::generic_category());
        unlink(temporary.c_str());
        throw std::system_error(reason, fs::path(path).filename().string());
    };
    {
        const Fd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        if (!fd)
            fail();
        std::size_t done = 0;
        while (done < content.size()) {
            const ssize_t wrote = write(fd.get(), content.data() + done, content.size() - done);
            if (wrote < 0 && errno == EINTR)
                continue;
            if (wrote <= 0)
                fail();
            done += static_cast<std::size_t>(wrote);
        }
        if (fsync(fd.get()) != 0)
            fail();
    }
    if (rename(temporary.c_str(), path.c_str()) != 0)
        fail();
    // Without this the rename itself may be lost.
    const Fd folder(open(fs::path(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder)
        fsync(folder.get());
}

std::string randomHex(std::size_t digits)
{
    std::vector<unsigned char> bytes((digits + 1) / 2);
    randomBytes(bytes.data(), bytes.size());
    std::string text;
    for (const unsigned char byte : bytes) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    text.resize(digits);
    return text;
}

std::string randomId(std::size_t length)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::string text;
    while (text.size() < length) {
        std::array<unsigned char, 32> bytes{};
        randomBytes(bytes.data(), bytes.size());
        for (const unsigned char byte : bytes) {
            // 252 = 7 * 36: what lies above would make some letters likelier.
            if (byte < 252 && text.size() < length)
                text += letters[byte % letters.size()];
        }
    }
    return text;
}

} // namespace boxdeck::host
