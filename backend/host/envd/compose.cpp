// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/compose.h"

#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/unique_fd.h"
#include "backend/host/http/json_text.h"

#include <cerrno>
#include <fcntl.h>
#include <random>
#include <set>
#include <sys/stat.h>
#include <system_error>

namespace boxdeck::host::envd {

namespace {

[[noreturn]] void fail(int error, const std::string &what)
{
    if (error == ENOSPC || error == EDQUOT)
        throw HttpError(507, "not enough disk space available");
    throw HttpError(500, what + ": " + errnoText(error));
}

std::string expand(const std::string &path, const ComposePlan &plan, const std::string &what)
{
    try {
        return expandPath(path, plan.account.home, plan.defaultDirectory);
    } catch (const std::invalid_argument &error) {
        throw HttpError(400, "error resolving " + what + ": " + error.what());
    }
}

std::string temporaryName(const std::string &destination)
{
    std::random_device random;
    std::string name = destination + ".boxdeck-compose-";
    for (int i = 0; i < 16; ++i)
        name.push_back("0123456789abcdef"[random() % 16]);
    return name;
}

void append(int to, const std::string &source)
{
    // Without waiting: a pipe that has taken the file's place would hold the thread for ever.
    const UniqueFd from(::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!from)
        fail(errno, "error opening source file " + source);
    bool kernelCopies = true;
    std::vector<char> block;
    for (;;) {
        ssize_t n = 0;
        if (kernelCopies) {
            n = ::copy_file_range(from.get(), nullptr, to, nullptr, 1 << 30, 0);
            if (n < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS)) {
                kernelCopies = false;
                block.resize(1 << 20);
                continue;
            }
        } else {
            n = ::read(from.get(), block.data(), block.size());
            for (ssize_t done = 0; n > 0 && done < n;) {
                const ssize_t written = ::write(to, block.data() + done, static_cast<std::size_t>(n - done));
                if (written < 0 && errno != EINTR)
                    fail(errno, "error composing source " + source);
                done += std::max<ssize_t>(written, 0);
            }
        }
        if (n == 0)
            return;
        if (n < 0 && errno != EINTR)
            fail(errno, "error composing source " + source);
    }
}

} // namespace

std::string composeFiles(const ComposePlan &plan)
{
    const std::string destination = expand(plan.destination, plan, "destination path");
    std::vector<std::string> sources;
    for (const std::string &source : plan.sources) {
        const std::string path = expand(source, plan, "source path \"" + source + "\"");
        if (cleanPath(path) == cleanPath(destination))
            throw HttpError(400, "source path \"" + source + "\" cannot be the same as destination");
        struct stat info = {};
        if (::stat(path.c_str(), &info) != 0)
            throw HttpError(404, "source file not found: " + source);
        if (!S_ISREG(info.st_mode))
            throw HttpError(400, "source path is not a regular file: " + source);
        sources.push_back(path);
    }
    try {
        ensureDirectories(parentPath(destination), plan.account.uid, plan.account.gid);
    } catch (const std::system_error &error) {
        fail(error.code().value(), "error ensuring directories");
    }

    const std::string temporary = temporaryName(destination);
    UniqueFd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file)
        fail(errno, "error creating destination file");
    try {
        if (const int error = chownFd(file.get(), plan.account.uid, plan.account.gid); error != 0)
            fail(error, "error changing file ownership");
        for (const std::string &source : sources)
            append(file.get(), source);
        if (::close(file.release()) != 0)
            fail(errno, "error closing destination file");
        if (::rename(temporary.c_str(), destination.c_str()) != 0)
            fail(errno, "error finalizing compose");
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    for (const std::string &source : std::set<std::string>(sources.begin(), sources.end()))
        ::unlink(source.c_str());

    std::string json;
    http::JsonWriter out(json);
    out.beginObject().key("name").string(baseName(destination)).key("path").string(destination);
    out.key("type").string("file").endObject();
    return json;
}

} // namespace boxdeck::host::envd
