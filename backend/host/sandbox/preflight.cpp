// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/preflight.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

std::string findProgram(const std::string &name)
{
    const char *path = std::getenv("PATH");
    std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/bin:/bin:/usr/local/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string candidate = folder + '/' + name;
        if (folder.starts_with('/') && access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return {};
}

std::string firstWord(const char *path)
{
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

// What goes wrong in the helper comes back as text only.
bool saysDiskFull(const std::string &failure)
{
    return failure.find(std::make_error_code(std::errc::no_space_on_device).message()) != std::string::npos;
}

std::string probe(asio::io_context &io, const IsolationSettings &settings, const std::string &folder)
{
    std::string failure = "it was not tried";
    io.restart();
    asio::co_spawn(io, probeIsolation(io, settings, folder),
                   [&failure](std::exception_ptr, std::string said) { failure = std::move(said); });
    io.run();
    io.restart();
    return failure;
}

} // namespace

std::string isolationAdvice(const std::string &said)
{
    std::string advice = "bubblewrap is installed but may not make sandboxes here (" + said + "). ";
    if (firstWord("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1")
        return advice +
               "AppArmor restricts user namespaces on this system (as on Ubuntu 24.04). Install a profile that "
               "allows them for bwrap: put\n"
               "  abi <abi/4.0>,\n"
               "  include <tunables/global>\n"
               "  profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\n"
               "into /etc/apparmor.d/bwrap, the same for this program, and run: apparmor_parser -r "
               "/etc/apparmor.d/bwrap";
    if (firstWord("/proc/sys/kernel/unprivileged_userns_clone") == "0")
        return advice + "User namespaces are switched off for ordinary users; as root: sysctl "
                        "kernel.unprivileged_userns_clone=1";
    if (firstWord("/proc/sys/user/max_user_namespaces") == "0")
        return advice + "User namespaces are switched off; as root: sysctl user.max_user_namespaces=65536";
    return advice + "Inside a container or chroot, run boxdeck-host outside of it, or allow the container user "
                    "namespaces and mounts.";
}

std::string idsText(const IsolationSettings &settings)
{
    return settings.range ? toText(*settings.range) : "none";
}

Preflight checkIsolation(asio::io_context &io, const std::string &envd, const std::string &folder,
                         const std::string &boundTo)
{
    Preflight result;
    result.settings.envd = envd;
    result.settings.bwrap = findProgram("bwrap");
    if (result.settings.bwrap.empty()) {
        result.refusal = "bubblewrap (the program bwrap) is not installed, and sandboxes are never made without it. "
                         "Install it: sudo apt install bubblewrap";
        return result;
    }
    std::string why;
    if (boundTo.empty())
        result.settings.range = detectUidRange(why);
    else
        result.settings.range = uidRangeFromText(boundTo);
    if (result.settings.range) {
        why = probe(io, result.settings, folder);
        if (why.empty())
            return result;
        if (!boundTo.empty() && saysDiskFull(why)) {
            // It was mapped before; and who wants to delete sandboxes to make room needs a host.
            result.warning = "the disk is full: make room by deleting sandboxes and templates that are not needed";
            return result;
        }
        result.settings.range.reset();
    }
    if (!boundTo.empty() && boundTo != "none") {
        result.refusal = "the sandboxes kept here belong to a range of user ids (" + boundTo +
                         ") that cannot be mapped now: " + why +
                         ". Give the range back in /etc/subuid and /etc/subgid, or start with another --data folder";
        return result;
    }
    if (!boundTo.empty())
        why = "the ones kept here were made without a range of user ids";
    const std::string failure = probe(io, result.settings, folder);
    if (saysDiskFull(failure) && boundTo.empty()) {
        result.refusal = "there is no room in " + fs::path(folder).parent_path().string() +
                         " for sandboxes: the disk is full. Make room, or choose another folder with --data";
        return result;
    }
    if (!failure.empty() && !saysDiskFull(failure)) {
        result.refusal = isolationAdvice(failure);
        return result;
    }
    result.warning = "sandboxes have the account user only, no root: " + why;
    return result;
}

} // namespace boxdeck::host
