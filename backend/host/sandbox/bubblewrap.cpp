// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "backend/host/sandbox/helper.h"
#include "backend/host/sandbox/root_layout.h"

namespace boxdeck::host {

namespace {

// What the daemon needs to act for any account inside. No SYS_ADMIN (mounts), no SYS_PTRACE (root inside could read the
// daemon), no NET_ADMIN.
constexpr const char *capabilities[] = {
    "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID",
    "CAP_KILL",  "CAP_SETGID",       "CAP_SETUID", "CAP_NET_BIND_SERVICE",
};

// Settings of packages, readable for everybody here, that the links of layOutRoot point at. Secrets and accounts of
// this computer (shadow, passwd, ssh, ssl/private …) are not among them.
constexpr const char *settings[] = {
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "mime.types",
    "services",
    "protocols",
    "inputrc",
    "terminfo",
    "python3",
    "perl",
    "vim",
    "magic",
    "fonts",
    "debian_version",
    "ssl/certs",
    "ssl/openssl.cnf",
    "java-17-openjdk",
    "java-21-openjdk",
};

constexpr const char *sharedMemoryBytes = "536870912";

} // namespace

std::vector<std::string> bubblewrapCommand(const RunRequest &request, const std::string &root, const std::string &envd)
{
    std::vector<std::string> words{request.bwrap};
    const auto add = [&words](std::initializer_list<const char *> more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    add({"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--as-pid-1",
         "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
    if (request.range) {
        for (const char *capability : capabilities)
            add({"--cap-add", capability});
    } else {
        const std::string id = std::to_string(sandboxUserId);
        add({"--unshare-user", "--uid", id.c_str(), "--gid", id.c_str()});
    }
    add({"--hostname", request.hostname.c_str(), "--bind", root.c_str(), "/"});
    if (!request.ownUsr)
        add({"--ro-bind", "/usr", "/usr"});
    add({"--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", sharedMemoryBytes, "--tmpfs", "/dev/shm",
         // What is left of /dev is a tmpfs without a limit.
         "--remount-ro", "/dev", "--perms", "0755", "--tmpfs", "/.boxdeck",
         // Folders that bubblewrap makes unasked are for root only.
         "--perms", "0755", "--dir", "/.boxdeck/etc", "--perms", "0755", "--dir", "/.boxdeck/etc/ssl"});
    for (const char *name : settings) {
        if (request.ownUsr)
            break; // an image's /etc belongs to its own /usr
        const std::string source = std::string("/etc/") + name;
        const std::string target = "/.boxdeck" + source;
        add({"--ro-bind-try", source.c_str(), target.c_str()});
    }
    for (const FolderMount &volume : request.mounts)
        add({"--bind", volume.folder.c_str(), volume.target.c_str()});
    add({"--ro-bind", envd.c_str(), "/.boxdeck/envd", "--remount-ro", "/.boxdeck", "--chdir", "/", "--info-fd",
         std::to_string(request.infoFd).c_str(), "--", "/.boxdeck/envd"});
    words.insert(words.end(), request.words.begin(), request.words.end());
    return words;
}

} // namespace boxdeck::host
