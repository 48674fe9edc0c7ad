// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/spawn.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <termios.h>

namespace boxdeck::host::envd {

namespace {

[[noreturn]] void fail(const char *what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe
{
    UniqueFd read;
    UniqueFd write;
};

Pipe makePipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        fail("pipe");
    return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void setNonBlocking(int fd)
{
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

// Everything the child needs, laid out before the fork: between fork and exec nothing may be allocated, because
// another thread may have held the allocator's lock.
struct ChildPlan
{
    std::vector<std::string> candidates;
    std::vector<const char *> argv;       // for the command
    std::vector<const char *> scriptArgv; // for /bin/sh and a file without an interpreter line; [1] is the file
    std::vector<const char *> environment;
    std::string notFound;
    std::string notExecutable;
    const char *directory = nullptr;
    uid_t uid = 0;
    gid_t gid = 0;
    const gid_t *groups = nullptr;
    std::size_t groupCount = 0;
    bool sameUser = false;
    int in = -1;
    int out = -1;
    int error = -1;
    int terminal = -1;
    int status = -1;
};

ChildPlan planFor(const SpawnRequest &request)
{
    ChildPlan plan;
    if (request.command.find('/') != std::string::npos) {
        plan.candidates.push_back(request.command);
    } else if (!request.command.empty()) { // with a folder before it an empty one would name the folder
        std::string_view path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        for (const std::string &variable : request.environment) {
            if (variable.starts_with("PATH="))
                path = std::string_view(variable).substr(5);
        }
        for (;;) {
            const std::size_t colon = path.find(':');
            const std::string_view folder = path.substr(0, colon);
            plan.candidates.push_back((folder.empty() ? "." : std::string(folder)) + "/" + request.command);
            if (colon == std::string_view::npos)
                break;
            path.remove_prefix(colon + 1);
        }
    }
    plan.argv.push_back(request.command.c_str());
    plan.scriptArgv = {"/bin/sh", nullptr};
    for (const std::string &arg : request.args) {
        plan.argv.push_back(arg.c_str());
        plan.scriptArgv.push_back(arg.c_str());
    }
    plan.argv.push_back(nullptr);
    plan.scriptArgv.push_back(nullptr);
    for (const std::string &variable : request.environment)
        plan.environment.push_back(variable.c_str());
    plan.environment.push_back(nullptr);
    plan.notFound = "exec: " + request.command + ": not found\n";
    plan.notExecutable = "exec: " + request.command + ": Permission denied\n";
    plan.directory = request.directory.c_str();
    plan.uid = request.account.uid;
    plan.gid = request.account.gid;
    plan.groups = request.account.groups.data();
    plan.groupCount = request.account.groups.size();
    plan.sameUser = ::geteuid() == plan.uid;
    return plan;
}

[[noreturn]] void report(int status, SpawnFailure::Step step)
{
    const SpawnFailure failure{step, errno};
    [[maybe_unused]] const ssize_t written = ::write(status, &failure, sizeof(failure));
    ::_exit(127);
}

void raiseOomScore()
{
    // Memory trouble in the sandbox should end its programs before its daemon.
    const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        [[maybe_unused]] const ssize_t written = ::write(fd, "100", 3);
        ::close(fd);
    }
}

[[noreturn]] void runChild(ChildPlan &plan)
{
    ::setsid();
    if (plan.terminal >= 0) {
        ::ioctl(plan.terminal, TIOCSCTTY, 0);
        plan.in = plan.out = plan.error = plan.terminal;
    }
    ::dup2(plan.in, STDIN_FILENO);
    ::dup2(plan.out, STDOUT_FILENO);
    ::dup2(plan.error, STDERR_FILENO);

    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::umask(022);
    raiseOomScore();

    // The raw calls: glibc's would ask every thread of a process that no longer has any. A daemon that is that user
    // already may lack the right to set anything (a sandbox without a range of users), and needs none.
    const bool changed = ::syscall(SYS_setgroups, plan.groupCount, plan.groups) == 0 &&
                         ::syscall(SYS_setresgid, plan.gid, plan.gid, plan.gid) == 0 &&
                         ::syscall(SYS_setresuid, plan.uid, plan.uid, plan.uid) == 0;
    if (!changed && !plan.sameUser)
        report(plan.status, SpawnFailure::Step::ChangeUser);
    if (::chdir(plan.directory) != 0)
        report(plan.status, SpawnFailure::Step::EnterDirectory);

    bool forbidden = false;
    for (const std::string &candidate : plan.candidates) {
        ::execve(candidate.c_str(), const_cast<char *const *>(plan.argv.data()),
                 const_cast<char *const *>(plan.environment.data()));
        if (errno == ENOEXEC) {
            plan.scriptArgv[1] = candidate.c_str();
            ::execve("/bin/sh", const_cast<char *const *>(plan.scriptArgv.data()),
                     const_cast<char *const *>(plan.environment.data()));
        }
        if (errno == E2BIG)
            report(plan.status, SpawnFailure::Step::TooLong);
        forbidden = forbidden || (errno != ENOENT && errno != ENOTDIR);
    }
    const std::string &text = forbidden ? plan.notExecutable : plan.notFound;
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(forbidden ? 126 : 127);
}

struct Terminal
{
    UniqueFd master;
    UniqueFd slave;
};

Terminal openTerminal(const Account &account, WindowSize size)
{
    Terminal terminal;
    terminal.master.reset(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!terminal.master)
        fail("open /dev/ptmx");
    int unlock = 0;
    if (::ioctl(terminal.master.get(), TIOCSPTLCK, &unlock) != 0)
        fail("unlock the terminal");
    // By ioctl and not by name: the image's /dev may be arranged in any way.
    terminal.slave.reset(::ioctl(terminal.master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!terminal.slave)
        fail("open the terminal");
    // Programs such as tmux and screen open their terminal by name, as the user.
    if (::fchown(terminal.slave.get(), account.uid, account.gid) != 0 && errno != EPERM)
        fail("give the terminal away");
    ::fchmod(terminal.slave.get(), 0620);
    setWindowSize(terminal.master.get(), size);
    termios mode{};
    if (::tcgetattr(terminal.slave.get(), &mode) == 0) {
        mode.c_iflag |= IUTF8; // so that erasing in a line takes whole characters
        ::tcsetattr(terminal.slave.get(), TCSANOW, &mode);
    }
    return terminal;
}

} // namespace

Spawned spawn(const SpawnRequest &request)
{
    ChildPlan plan = planFor(request);
    Spawned spawned;
    Pipe status = makePipe();
    plan.status = status.write.get();
    Terminal terminal;
    Pipe in;
    Pipe out;
    Pipe error;
    UniqueFd null;
    if (request.terminal) {
        terminal = openTerminal(request.account, *request.terminal);
        plan.terminal = terminal.slave.get();
    } else {
        out = makePipe();
        error = makePipe();
        if (request.withStdin) {
            in = makePipe();
            plan.in = in.read.get();
        } else {
            null.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
            if (!null)
                fail("open /dev/null");
            plan.in = null.get();
        }
        plan.out = out.write.get();
        plan.error = error.write.get();
    }

    // Signals wait until the child has given up the daemon's handlers.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0)
        runChild(plan);
    const int forkError = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) {
        errno = forkError;
        fail("fork");
    }

    spawned.pid = pid;
    spawned.status = std::move(status.read);
    spawned.standardInput = std::move(in.write);
    spawned.standardOutput = std::move(out.read);
    spawned.standardError = std::move(error.read);
    spawned.terminal = std::move(terminal.master);
    for (const UniqueFd *fd : {&spawned.status, &spawned.standardInput, &spawned.standardOutput, &spawned.standardError,
                               &spawned.terminal}) {
        if (*fd)
            setNonBlocking(fd->get());
    }
    return spawned;
}

bool setWindowSize(int terminal, WindowSize size)
{
    winsize native{};
    native.ws_col = size.columns;
    native.ws_row = size.rows;
    return ::ioctl(terminal, TIOCSWINSZ, &native) == 0;
}

} // namespace boxdeck::host::envd
