// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/root_layout.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace boxdeck::host {

namespace {

// One folder's names are read in slices: a sandbox may have left millions of them.
constexpr std::size_t sliceSize = 4096;

[[noreturn]] void throwErrno(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

std::vector<std::string> someNames(int folder)
{
    std::vector<std::string> names;
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? nullptr : fdopendir(copy);
    if (dir == nullptr)
        throwErrno("reading a folder to delete");
    while (names.size() < sliceSize) {
        const dirent *entry = readdir(dir);
        if (entry == nullptr)
            break;
        const std::string name = entry->d_name;
        if (name != "." && name != "..")
            names.push_back(name);
    }
    closedir(dir);
    return names;
}

int openFolder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES) {
        // Without a mapped range we have no power over modes, but the folder is ours.
        fchmodat(parent, name, 0700, 0);
        fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    return fd;
}

// Deletes a file or an empty folder; false if it is a folder with something in it.
bool removeSimple(int parent, const char *name)
{
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return true;
    if (errno != EISDIR && errno != EPERM)
        throwErrno(name);
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0)
        return true;
    if (errno != ENOTEMPTY && errno != EEXIST)
        throwErrno(name);
    return false;
}

class Remover
{
public:
    explicit Remover(int top)
        : m_top(top)
    {
    }

    // Sub-folders found on the way are moved up into the top folder, so that depth never grows.
    void run()
    {
        for (auto names = someNames(m_top); !names.empty(); names = someNames(m_top)) {
            for (const std::string &name : names) {
                if (!removeSimple(m_top, name.c_str()))
                    emptyAndRemove(name);
            }
        }
    }

private:
    void emptyAndRemove(const std::string &name)
    {
        const int folder = openFolder(m_top, name.c_str());
        if (folder < 0)
            throwErrno(name);
        fchmod(folder, 0700);
        try {
            for (auto names = someNames(folder); !names.empty(); names = someNames(folder)) {
                for (const std::string &inner : names) {
                    if (!removeSimple(folder, inner.c_str()))
                        lift(folder, inner);
                }
            }
        } catch (...) {
            close(folder);
            throw;
        }
        close(folder);
        if (unlinkat(m_top, name.c_str(), AT_REMOVEDIR) != 0)
            throwErrno(name);
    }

    void lift(int folder, const std::string &name)
    {
        for (;;) {
            const std::string freeName = ".lifted-" + std::to_string(m_count++);
            if (renameat2(folder, name.c_str(), m_top, freeName.c_str(), RENAME_NOREPLACE) == 0)
                return;
            if (errno == EACCES && fchmodat(folder, name.c_str(), 0700, 0) == 0) {
                if (renameat2(folder, name.c_str(), m_top, freeName.c_str(), RENAME_NOREPLACE) == 0)
                    return;
            }
            if (errno != EEXIST)
                throwErrno(name);
        }
    }

    int m_top;
    std::uint64_t m_count = 0;
};

} // namespace

void removeTree(const std::string &folder)
{
    const int top = openFolder(AT_FDCWD, folder.c_str());
    if (top < 0) {
        if (errno == ENOENT)
            return;
        throwErrno(folder);
    }
    fchmod(top, 0700);
    try {
        Remover(top).run();
    } catch (...) {
        close(top);
        throw;
    }
    close(top);
    if (rmdir(folder.c_str()) != 0 && errno != ENOENT)
        throwErrno(folder);
}

} // namespace boxdeck::host
