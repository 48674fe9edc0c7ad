// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/root_layout.h"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace boxdeck::host {

namespace {

[[noreturn]] void throwErrno(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

struct Folder
{
    const char *path;
    mode_t mode;
    bool ofUser = false;
};

constexpr Folder folders[] = {
    // mount points
    {"usr", 0755},
    {"proc", 0555},
    {"dev", 0755},
    {".boxdeck", 0755},
    // the sandbox's own
    {"etc", 0755},
    {"etc/ssl", 0755},
    {"etc/profile.d", 0755},
    {"home", 0755},
    {"home/user", 0755, true},
    {"code", 0755, true},
    {"root", 0700},
    {"tmp", 01777},
    {"run", 0755},
    {"run/lock", 01777},
    {"run/user", 0755},
    {"run/user/1000", 0700, true},
    {"mnt", 0755},
    {"media", 0755},
    {"opt", 0755},
    {"srv", 0755},
    {"var", 0755},
    {"var/cache", 0755},
    {"var/lib", 0755},
    {"var/local", 0755},
    {"var/log", 0755},
    {"var/spool", 0755},
    {"var/tmp", 01777},
};

struct Link
{
    const char *path;
    const char *target;
};

constexpr Link links[] = {
    {"var/run", "/run"},
    {"var/lock", "/run/lock"},
    {"etc/mtab", "/proc/self/mounts"},
    {"etc/os-release", "/usr/lib/os-release"},
    {"etc/localtime", "/usr/share/zoneinfo/Etc/UTC"},
    {"etc/ssl/certs", "/.boxdeck/etc/ssl/certs"},
    {"etc/ssl/openssl.cnf", "/.boxdeck/etc/ssl/openssl.cnf"},
};

// Settings of this computer's packages that programs under /usr cannot do without or behave oddly without.
constexpr const char *fromThisComputer[] = {
    "alternatives",   "ld.so.cache",     "ld.so.conf",      "ld.so.conf.d", "mime.types", "services", "protocols",
    "inputrc",        "terminfo",        "python3",         "perl",         "vim",        "magic",    "fonts",
    "debian_version", "java-17-openjdk", "java-21-openjdk",
};

constexpr const char *topLinks[] = {"bin", "sbin", "lib", "lib64", "lib32", "libx32"};

struct File
{
    const char *path;
    std::string_view content;
    bool ofUser = false;
};

constexpr File files[] = {
    {"etc/passwd", "root:x:0:0:root:/root:/bin/bash\n"
                   "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
                   "bin:x:2:2:bin:/bin:/usr/sbin/nologin\n"
                   "sys:x:3:3:sys:/dev:/usr/sbin/nologin\n"
                   "mail:x:8:8:mail:/var/mail:/usr/sbin/nologin\n"
                   "www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\n"
                   "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
                   "user:x:1000:1000::/home/user:/bin/bash\n"},
    {"etc/group",
     "root:x:0:\ndaemon:x:1:\nbin:x:2:\nsys:x:3:\nadm:x:4:\ntty:x:5:\ndisk:x:6:\nmail:x:8:\nwww-data:x:33:\n"
     "utmp:x:43:\nstaff:x:50:\nusers:x:100:\nnogroup:x:65534:\nuser:x:1000:\n"},
    {"etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\n"
                          "protocols: files\n"},
    {"etc/resolv.conf", "# This sandbox has no network, so there is no name server.\n"},
    {"etc/shells", "/bin/sh\n/bin/bash\n/usr/bin/bash\n"},
    {"etc/profile", "export PATH=\"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\"\n"
                    "if [ \"${PS1-}\" ] && [ \"${BASH-}\" ] && [ -f /etc/bash.bashrc ]; then\n"
                    "  . /etc/bash.bashrc\n"
                    "fi\n"
                    "for part in /etc/profile.d/*.sh; do\n"
                    "  if [ -r \"$part\" ]; then . \"$part\"; fi\n"
                    "done\n"
                    "unset part\n"},
    {"etc/bash.bashrc", "case $- in *i*) ;; *) return ;; esac\n"
                        "shopt -s checkwinsize\n"
                        "PS1='\\u@\\h:\\w\\$ '\n"},
    {"home/user/.profile",
     "if [ -n \"$BASH_VERSION\" ] && [ -f \"$HOME/.bashrc\" ]; then . \"$HOME/.bashrc\"; fi\n"
     "if [ -d \"$HOME/.local/bin\" ]; then PATH=\"$HOME/.local/bin:$PATH\"; fi\n",
     true},
    {"home/user/.bashrc",
     "case $- in *i*) ;; *) return ;; esac\n"
     "HISTCONTROL=ignoreboth\n"
     "alias ls='ls --color=auto'\n"
     "alias grep='grep --color=auto'\n",
     true},
    {"root/.profile", "if [ -n \"$BASH_VERSION\" ] && [ -f \"$HOME/.bashrc\" ]; then . \"$HOME/.bashrc\"; fi\n"},
    {"root/.bashrc", "case $- in *i*) ;; *) return ;; esac\nalias ls='ls --color=auto'\n"},
};

class Builder
{
public:
    Builder(const std::string &root, bool setOwners)
        : m_root(open(root.c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC))
        , m_setOwners(setOwners)
    {
        if (m_root < 0)
            throwErrno(root);
        if (setOwners && fchown(m_root, 0, 0) != 0)
            throwErrno(root);
        if (fchmod(m_root, 0755) != 0)
            throwErrno(root);
    }
    ~Builder() { close(m_root); }
    Builder(const Builder &) = delete;
    Builder &operator=(const Builder &) = delete;

    void folder(const Folder &folder)
    {
        // EEXIST: a first attempt that was cut short is simply completed.
        if (mkdirat(m_root, folder.path, 0700) != 0 && errno != EEXIST)
            throwErrno(folder.path);
        own(folder.path, folder.ofUser);
        if (fchmodat(m_root, folder.path, folder.mode, 0) != 0)
            throwErrno(folder.path);
    }

    void link(const std::string &path, const std::string &target)
    {
        if (symlinkat(target.c_str(), m_root, path.c_str()) != 0 && errno != EEXIST)
            throwErrno(path);
        own(path, false);
    }

    void file(const std::string &path, std::string_view content, bool ofUser = false)
    {
        const int fd = openat(m_root, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0)
            throwErrno(path);
        const bool written = write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
        fchmod(fd, 0644);
        close(fd);
        if (!written)
            throwErrno(path);
        own(path, ofUser);
    }

private:
    void own(const std::string &path, bool ofUser)
    {
        const unsigned id = ofUser ? sandboxUserId : 0;
        if (m_setOwners && fchownat(m_root, path.c_str(), id, id, AT_SYMLINK_NOFOLLOW) != 0)
            throwErrno(path);
    }

    int m_root;
    bool m_setOwners;
};

} // namespace

void layOutRoot(const std::string &root, const LayoutOptions &options)
{
    umask(022);
    Builder build(root, options.setOwners);
    for (const Folder &folder : folders)
        build.folder(folder);
    for (const char *name : topLinks) {
        struct stat info
        {
        };
        const std::string target = std::string("usr/") + name;
        if (stat(('/' + target).c_str(), &info) == 0)
            build.link(name, target);
    }
    for (const Link &link : links)
        build.link(link.path, link.target);
    for (const char *name : fromThisComputer)
        build.link(std::string("etc/") + name, std::string("/.boxdeck/etc/") + name);
    for (const File &file : files)
        build.file(file.path, file.content, file.ofUser);
    build.file("etc/hostname", options.hostname + '\n');
    build.file("etc/hosts", "127.0.0.1\tlocalhost " + options.hostname + "\n::1\tlocalhost ip6-localhost\n");
}

} // namespace boxdeck::host
