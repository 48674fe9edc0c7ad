// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/tools.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "backend/host/envd/accounts.h"
#include "backend/host/envd/place_tool.h"
#include "backend/host/envd/unique_fd.h"

namespace boxdeck::host::envd {

namespace {

constexpr uid_t firstUserId = 1000;
constexpr uid_t lastUserId = 60000; // what distributions give to people; the mapped range holds them all

[[noreturn]] void fail(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

std::string need(const ToolValues &values, const char *name)
{
    const auto found = values.find(name);
    if (found == values.end())
        throw std::runtime_error(std::string("missing ") + name);
    return found->second;
}

std::string readWhole(const std::string &path)
{
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char buffer[8192];
    for (ssize_t got = 1; fd && got > 0;) {
        got = ::read(fd.get(), buffer, sizeof buffer);
        if (got > 0)
            text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
}

void writeWhole(const std::string &path, const std::string &text, mode_t mode)
{
    const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        fail("cannot write " + path);
    ::fchmod(fd.get(), mode);
}

// Whoever reads the file meanwhile sees the old or the new one.
void appendLine(const std::string &path, const std::string &line, mode_t mode)
{
    std::string text = readWhole(path);
    if (!text.empty() && text.back() != '\n')
        text += '\n';
    const std::string next = path + ".boxdeck-new";
    ::unlink(next.c_str());
    writeWhole(next, text + line + '\n', mode);
    if (::rename(next.c_str(), path.c_str()) != 0)
        fail("cannot write " + path);
}

bool isAccountName(const std::string &name)
{
    constexpr const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return !name.empty() && name.size() <= 32 && name.find_first_not_of(letters) == std::string::npos &&
           name[0] != '-' && name[0] != '.' && name.find_first_not_of("0123456789") != std::string::npos;
}

void copySkeleton(const std::string &home, const Owner &owner)
{
    const std::unique_ptr<DIR, int (*)(DIR *)> skeleton(::opendir("/etc/skel"), ::closedir);
    while (const dirent *entry = skeleton ? ::readdir(skeleton.get()) : nullptr) {
        const std::string from = std::string("/etc/skel/") + entry->d_name;
        struct stat info = {};
        if (::lstat(from.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        const std::string to = home + '/' + entry->d_name;
        writeWhole(to, readWhole(from), info.st_mode & 07777U);
        giveTo(to, owner);
    }
}

void addAccount(const std::string &name)
{
    if (!isAccountName(name))
        throw std::runtime_error("'" + name + "' cannot be the name of an account");
    if (::geteuid() != 0)
        throw std::runtime_error("the account '" + name +
                                 "' cannot be made: sandboxes of this host have the account "
                                 "`user` only, because no range of user ids is mapped here");
    const Accounts accounts = Accounts::load();
    uid_t id = firstUserId;
    while (accounts.userName(id) != std::to_string(id) || accounts.groupName(id) != std::to_string(id)) {
        if (++id > lastUserId)
            throw std::runtime_error("there is no free number for the account '" + name + "'");
    }
    const std::string number = std::to_string(id);
    const std::string home = "/home/" + name;
    const std::string shell = ::access("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh";
    appendLine("/etc/group", name + ":x:" + number + ':', 0644);
    if (::access("/etc/shadow", F_OK) == 0)
        appendLine("/etc/shadow", name + ":!:19000:0:99999:7:::", 0640);
    appendLine("/etc/passwd", name + ":x:" + number + ':' + number + "::" + home + ':' + shell, 0644);
    const Owner owner{.uid = id, .gid = id};
    makeFolders("/home", Owner{});
    const bool fresh = ::mkdir(home.c_str(), 0755) == 0;
    if (fresh)
        copySkeleton(home, owner);
    giveTo(home, owner);
}

void accountTool(const ToolValues &values)
{
    std::string name = need(values, "name");
    name.resize(std::min(name.find(':'), name.size())); // USER name:group
    const Accounts accounts = Accounts::load();
    if (!accounts.find(name)) {
        const bool number =
            !name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos;
        const std::string known = number ? accounts.userName(static_cast<uid_t>(std::stoul(name))) : std::string();
        if (number && known == name)
            throw std::runtime_error("there is no account with the number " + name);
        if (number)
            name = known;
        else
            addAccount(name);
    }
    std::fputs(name.c_str(), stdout);
}

void folderTool(const ToolValues &values)
{
    const std::string path = need(values, "path");
    makeFolders(path, ownerFromText(need(values, "owner")));
    const std::unique_ptr<char, void (*)(void *)> resolved(::realpath(path.c_str(), nullptr), std::free);
    if (!resolved)
        fail("cannot enter " + path);
    std::fputs(resolved.get(), stdout);
}

} // namespace

int runTool(const std::vector<std::string> &words)
{
    try {
        ToolValues values;
        for (std::size_t i = 1; i < words.size(); ++i) {
            const auto equals = words[i].find('=');
            if (equals == std::string::npos)
                throw std::runtime_error("not understood: " + words[i]);
            values[words[i].substr(0, equals)] = words[i].substr(equals + 1);
        }
        const std::string name = words.empty() ? std::string() : words[0];
        if (name == "place")
            placeTool(values);
        else if (name == "account")
            accountTool(values);
        else if (name == "folder")
            folderTool(values);
        else
            throw std::runtime_error("there is no tool '" + name + "'");
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

} // namespace boxdeck::host::envd
