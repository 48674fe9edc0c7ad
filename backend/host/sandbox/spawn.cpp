// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/spawn.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace boxdeck::host {

int Fd::release()
{
    return std::exchange(m_fd, -1);
}

void Fd::reset(int fd)
{
    if (m_fd >= 0)
        close(m_fd);
    m_fd = fd;
}

namespace {

// Between fork and exec: only what is safe in a child of a threaded process.
[[noreturn]] void becomeHelper(const SpawnRequest &request, char *const *argv, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
        signal(number, SIG_DFL);
    setsid();
    umask(022); // ours is for secrets; the sandbox's accounts must read what is made for them
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(126);
    const int count = static_cast<int>(request.fds.size());
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    // First out of the way, then into place: the numbers may overlap.
    int high[16];
    for (int i = 0; i < count && i < 16; ++i)
        high[i] = fcntl(request.fds[static_cast<std::size_t>(i)], F_DUPFD_CLOEXEC, 64);
    const int error = fcntl(request.errorFd >= 0 ? request.errorFd : null, F_DUPFD_CLOEXEC, 64);
    dup2(null, 0);
    dup2(null, 1);
    dup2(error, 2);
    for (int i = 0; i < count && i < 16; ++i)
        dup2(high[i], 3 + i);
    syscall(SYS_close_range, static_cast<unsigned>(3 + count), ~0U, 0U);
    char path[] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    char *const environment[] = {path, nullptr};
    execve("/proc/self/exe", argv, environment);
    _exit(127);
}

} // namespace

Child spawnSelf(const SpawnRequest &request)
{
    std::vector<std::string> words{"boxdeck-host"};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
        throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0)
        becomeHelper(request, argv.data(), parent);
    Child child{.pid = pid, .pidFd = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)))};
    if (!child.pidFd)
        throw std::system_error(errno, std::generic_category(), "pidfd_open");
    return child;
}

} // namespace boxdeck::host
