// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/uid_range.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace boxdeck::host {

namespace {

constexpr std::uint32_t usualCount = 65536;
constexpr std::uint32_t leastCount = 2000; // must hold 1000, the account `user`
// Above what systemd-nspawn and subuid defaults give out, below 2^31 (some tools read ids as signed).
constexpr std::uint32_t rootBase = 0x70000000;

[[noreturn]] void throwErrno(const char *what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

std::string readAll(const char *path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The account's name by hand: getpwuid loads NSS modules, which a statically linked host could not.
std::string accountName(std::uint32_t id)
{
    std::istringstream lines(readAll("/etc/passwd"));
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> parts;
        std::istringstream fields(line);
        for (std::string part; std::getline(fields, part, ':');)
            parts.push_back(part);
        if (parts.size() > 2 && parts[2] == std::to_string(id))
            return parts[0];
    }
    return {};
}

// For root: the top of what is mapped in the namespace we ourselves are in, so that it works inside a container too.
std::optional<UidRange> rangeForRoot(std::string &why)
{
    std::array<std::uint32_t, 2> first{};
    std::uint32_t count = usualCount;
    const std::array<const char *, 2> maps{"/proc/self/uid_map", "/proc/self/gid_map"};
    for (std::size_t i = 0; i < maps.size(); ++i) {
        std::uint64_t bestStart = 0;
        std::uint64_t bestLength = 0;
        std::istringstream lines(readAll(maps[i]));
        for (std::uint64_t inside = 0, outside = 0, length = 0; lines >> inside >> outside >> length;) {
            if (length > bestLength) {
                bestStart = inside;
                bestLength = length;
            }
        }
        if (bestStart + bestLength > rootBase + usualCount) {
            first[i] = rootBase;
            continue;
        }
        // Leave the lower half to the accounts of this container.
        if (bestLength / 2 < leastCount) {
            why = "this root account has too few user ids of its own to give a sandbox a range";
            return {};
        }
        count = std::min<std::uint32_t>(count, static_cast<std::uint32_t>(bestLength / 2));
        first[i] = static_cast<std::uint32_t>(bestStart + bestLength - count);
    }
    return UidRange{.firstUid = first[0], .firstGid = first[1], .count = count, .direct = true};
}

bool executable(const char *path)
{
    return access(path, X_OK) == 0;
}

// Runs in a child that stayed outside the new namespace: only from there can more than one's own id be mapped.
int writeMaps(pid_t target, const UidRange &range, bool keepOwnIds, std::uint32_t ownUid, std::uint32_t ownGid)
{
    for (const bool groups : {true, false}) {
        const std::uint32_t first = groups ? range.firstGid : range.firstUid;
        const std::uint32_t own = groups ? ownGid : ownUid;
        if (range.direct) {
            std::string map = "0 " + std::to_string(first) + ' ' + std::to_string(range.count) + '\n';
            if (keepOwnIds)
                map += std::to_string(range.count) + ' ' + std::to_string(own) + " 1\n";
            const std::string path = "/proc/" + std::to_string(target) + (groups ? "/gid_map" : "/uid_map");
            const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
            if (fd < 0 || write(fd, map.data(), map.size()) != static_cast<ssize_t>(map.size()))
                return 1;
            close(fd);
            continue;
        }
        std::vector<std::string> words{groups ? "newgidmap" : "newuidmap", std::to_string(target), "0",
                                       std::to_string(first), std::to_string(range.count)};
        if (keepOwnIds)
            words.insert(words.end(), {std::to_string(range.count), std::to_string(own), "1"});
        std::vector<char *> argv;
        for (std::string &word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        const pid_t tool = fork();
        if (tool == 0) {
            execv(groups ? "/usr/bin/newgidmap" : "/usr/bin/newuidmap", argv.data());
            _exit(127);
        }
        int status = 0;
        if (tool < 0 || waitpid(tool, &status, 0) != tool || status != 0)
            return 1;
    }
    return 0;
}

} // namespace

std::string toText(const UidRange &range)
{
    return std::to_string(range.firstUid) + ':' + std::to_string(range.firstGid) + ':' + std::to_string(range.count) +
           (range.direct ? ":direct" : ":tool");
}

std::optional<UidRange> uidRangeFromText(const std::string &text)
{
    UidRange range;
    std::array<char, 8> way{};
    int used = 0;
    if (std::sscanf(text.c_str(), "%u:%u:%u:%7[a-z]%n", &range.firstUid, &range.firstGid, &range.count, way.data(),
                    &used) != 4 ||
        static_cast<std::size_t>(used) != text.size())
        return {};
    const std::string mode = way.data();
    if (mode != "direct" && mode != "tool")
        return {};
    range.direct = mode == "direct";
    return range;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>>
findSubordinateRange(const std::string &content, const std::string &name, std::uint32_t id, std::uint32_t least)
{
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string owner = line.substr(0, first);
        if (owner.empty() || (owner != name && owner != std::to_string(id)))
            continue;
        try {
            const unsigned long start = std::stoul(line.substr(first + 1, second - first - 1));
            const unsigned long count = std::stoul(line.substr(second + 1));
            if (count >= least && start > 0 && start + count <= 0xffffffffUL)
                return std::pair(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(count));
        } catch (const std::exception &) {
            continue; // a broken line grants nothing
        }
    }
    return {};
}

std::optional<UidRange> detectUidRange(std::string &why)
{
    const std::uint32_t own = geteuid();
    if (own == 0)
        return rangeForRoot(why);
    if (!executable("/usr/bin/newuidmap") || !executable("/usr/bin/newgidmap")) {
        why = "newuidmap and newgidmap are not installed (package uidmap)";
        return {};
    }
    const std::string name = accountName(own);
    const auto uids = findSubordinateRange(readAll("/etc/subuid"), name, own, leastCount);
    const auto gids = findSubordinateRange(readAll("/etc/subgid"), name, own, leastCount);
    if (!uids || !gids) {
        why = "/etc/subuid and /etc/subgid grant no range to " + (name.empty() ? std::to_string(own) : name) +
              " (as root: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ACCOUNT)";
        return {};
    }
    return UidRange{.firstUid = uids->first,
                    .firstGid = gids->first,
                    .count = std::min({uids->second, gids->second, usualCount}),
                    .direct = false};
}

void enterUidRange(const UidRange &range, RangeOptions options)
{
    std::array<int, 2> pipeEnds{};
    if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
        throwErrno("pipe");
    const std::uint32_t ownUid = geteuid();
    const std::uint32_t ownGid = getegid();
    const pid_t target = getpid();
    const pid_t mapper = fork();
    if (mapper < 0)
        throwErrno("fork");
    if (mapper == 0) {
        close(pipeEnds[1]);
        char go = 0;
        if (read(pipeEnds[0], &go, 1) != 1)
            _exit(1);
        _exit(writeMaps(target, range, options.keepOwnIds, ownUid, ownGid));
    }
    close(pipeEnds[0]);
    if (unshare(CLONE_NEWUSER | (options.newMountNamespace ? CLONE_NEWNS : 0)) != 0) {
        const int reason = errno;
        close(pipeEnds[1]); // the mapper sees the end and leaves
        waitpid(mapper, nullptr, 0);
        throw std::system_error(reason, std::generic_category(), "a new user namespace");
    }
    const bool told = write(pipeEnds[1], "g", 1) == 1;
    close(pipeEnds[1]);
    int status = 0;
    if (waitpid(mapper, &status, 0) != mapper || !told || status != 0)
        throw std::runtime_error("the range of user ids could not be mapped");
}

void becomeRangeRoot()
{
    if (setgroups(0, nullptr) != 0)
        throwErrno("setgroups");
    if (setresgid(0, 0, 0) != 0)
        throwErrno("setresgid");
    if (setresuid(0, 0, 0) != 0)
        throwErrno("setresuid");
}

} // namespace boxdeck::host
