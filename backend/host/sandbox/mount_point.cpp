// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/mount_point.h"

#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

void makeMountPoint(const std::string &root, const std::string &target)
{
    Fd folder(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder)
        throw std::system_error(errno, std::generic_category(), root);
    for (std::size_t at = 1; at < target.size();) {
        const auto end = std::min(target.find('/', at), target.size());
        const std::string name = target.substr(at, end - at);
        at = end + 1;
        if (mkdirat(folder.get(), name.c_str(), 0755) != 0 && errno != EEXIST)
            throw std::system_error(errno, std::generic_category(), "making " + target + " to mount at");
        Fd next(openat(folder.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!next && (errno == ELOOP || errno == ENOTDIR))
            throw std::runtime_error("nothing can be mounted at " + target + ": '" + name +
                                     "' in it is a link or a file of the sandbox");
        if (!next)
            throw std::system_error(errno, std::generic_category(), target);
        folder = std::move(next);
    }
}

} // namespace boxdeck::host
