// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/exit_status.h"

#include "backend/host/http/json_text.h"

#include <csignal>
#include <string_view>
#include <sys/wait.h>

namespace boxdeck::host::envd {

namespace {

// Go's names, which the official client libraries show as they are.
std::string signalText(int number)
{
    switch (number) {
    case SIGABRT:
        return "aborted";
    case SIGALRM:
        return "alarm clock";
    case SIGBUS:
        return "bus error";
    case SIGCHLD:
        return "child exited";
    case SIGCONT:
        return "continued";
    case SIGFPE:
        return "floating point exception";
    case SIGHUP:
        return "hangup";
    case SIGILL:
        return "illegal instruction";
    case SIGINT:
        return "interrupt";
    case SIGIO:
        return "I/O possible";
    case SIGKILL:
        return "killed";
    case SIGPIPE:
        return "broken pipe";
    case SIGPROF:
        return "profiling timer expired";
    case SIGPWR:
        return "power failure";
    case SIGQUIT:
        return "quit";
    case SIGSEGV:
        return "segmentation fault";
    case SIGSTKFLT:
        return "stack fault";
    case SIGSYS:
        return "bad system call";
    case SIGTERM:
        return "terminated";
    case SIGTRAP:
        return "trace/breakpoint trap";
    case SIGUSR1:
        return "user defined signal 1";
    case SIGUSR2:
        return "user defined signal 2";
    case SIGVTALRM:
        return "virtual timer expired";
    case SIGXCPU:
        return "CPU time limit exceeded";
    case SIGXFSZ:
        return "file size limit exceeded";
    default:
        return "signal " + std::to_string(number);
    }
}

} // namespace

ExitStatus ExitStatus::fromWait(int waitStatus)
{
    if (WIFSIGNALED(waitStatus)) {
        std::string text = "signal: " + signalText(WTERMSIG(waitStatus));
        if (WCOREDUMP(waitStatus))
            text += " (core dumped)";
        return {.exitCode = -1, .exited = false, .status = text};
    }
    const int code = WEXITSTATUS(waitStatus);
    return {.exitCode = code, .exited = true, .status = "exit status " + std::to_string(code)};
}

std::string ExitStatus::eventJson() const
{
    std::string out;
    http::JsonWriter writer(out);
    writer.beginObject().key("event").beginObject().key("end").beginObject();
    if (exitCode != 0)
        writer.key("exitCode").number(exitCode);
    if (exited)
        writer.key("exited").boolean(true);
    writer.key("status").string(status);
    if (exitCode != 0)
        writer.key("error").string(status);
    writer.endObject().endObject().endObject();
    return out;
}

} // namespace boxdeck::host::envd
