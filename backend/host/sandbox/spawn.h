// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace boxdeck::host {

/// Owns one file descriptor.
class Fd
{
public:
    Fd() = default;
    explicit Fd(int fd)
        : m_fd(fd)
    {
    }
    Fd(Fd &&other) noexcept
        : m_fd(other.release())
    {
    }
    Fd &operator=(Fd &&other) noexcept
    {
        if (this != &other)
            reset(other.release());
        return *this;
    }
    Fd(const Fd &) = delete;
    Fd &operator=(const Fd &) = delete;
    ~Fd() { reset(); }

    int get() const { return m_fd; }
    explicit operator bool() const { return m_fd >= 0; }
    /// Gives the descriptor up without closing it.
    int release();
    /// Closes what is held and takes @p fd.
    void reset(int fd = -1);

private:
    int m_fd = -1;
};

/// A child process to start.
struct SpawnRequest
{
    std::vector<std::string> arguments; ///< without the program's own name
    std::vector<int> fds;               ///< given to the child as 3, 4, 5 …
    int errorFd = -1;                   ///< becomes stderr; /dev/null if negative
};

/// A child process: its id and a descriptor that becomes readable when it ends (still to be reaped with waitpid).
struct Child
{
    pid_t pid = -1;
    Fd pidFd;
};

/// Starts this very program again, in a session of its own, with no environment but PATH and no descriptor but those
/// named. The kernel kills the child if the calling thread ends, so call it from the main thread only.
/// Throws std::system_error.
Child spawnSelf(const SpawnRequest &request);

} // namespace boxdeck::host
