// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/daemon.h"
#include "backend/host/envd/tools.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int usageError = 2;

std::optional<int> number(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

int usage()
{
    std::fputs("boxdeck-envd serves the data plane of one Boxdeck sandbox, from inside it.\n"
               "It is started by boxdeck-host: boxdeck-envd --listen-fd N [--control-fd M]\n",
               stderr);
    return usageError;
}

// A closed standard descriptor would be given to the next socket, and that to every child.
void openStandardDescriptors()
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) < 0)
            ::open("/dev/null", O_RDWR);
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "--tool")
        return boxdeck::host::envd::runTool({argv + 2, argv + argc});
    boxdeck::host::envd::DaemonOptions options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i];
        const auto value = number(argv[i + 1]);
        if (!value)
            return usage();
        if (name == "--listen-fd")
            options.listenFd = *value;
        else if (name == "--control-fd")
            options.controlFd = *value;
        else
            return usage();
    }
    if (argc % 2 == 0 || options.listenFd < 0)
        return usage();

    openStandardDescriptors();
    for (const int fd : {options.listenFd, options.controlFd}) {
        if (fd >= 0 && ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
            std::fprintf(stderr, "boxdeck-envd: descriptor %d is not open\n", fd);
            return usageError;
        }
    }
    // Nothing in the sandbox may look into this process or trace it, whatever its user.
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::signal(SIGPIPE, SIG_IGN);
    ::umask(022);
    try {
        boxdeck::host::envd::Daemon(options).run();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "boxdeck-envd: %s\n", error.what());
        return 1;
    }
    return 0;
}
