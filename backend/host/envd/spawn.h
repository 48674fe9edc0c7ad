// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/accounts.h"
#include "backend/host/envd/unique_fd.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boxdeck::host::envd {

/// A terminal's size in cells.
struct WindowSize
{
    std::uint16_t columns = 0;
    std::uint16_t rows = 0;
};

struct SpawnRequest
{
    std::string command;                  ///< Looked up in the PATH of `environment` unless it holds a slash.
    std::vector<std::string> args;        ///< Without the command itself.
    std::vector<std::string> environment; ///< NAME=value, complete.
    std::string directory;
    Account account;
    std::optional<WindowSize> terminal; ///< With it everything goes over one PTY of that size.
    bool withStdin = true;              ///< A pipe, else /dev/null. Without meaning for a PTY.
};

/// A started child. Every descriptor is close-on-exec and non-blocking.
struct Spawned
{
    pid_t pid = -1;
    UniqueFd standardInput;
    UniqueFd standardOutput;
    UniqueFd standardError;
    UniqueFd terminal; ///< The PTY's master side, instead of the three above.
    UniqueFd status;   ///< Reports set-up trouble: a SpawnFailure, or the end of file when the command runs.
};

/// What kept the child from running its command. A command that is not found is no failure here: the child says so
/// on its standard error and exits with 127 (126 when it may not be run), as a shell would. Arguments or variables that
/// are longer than the kernel takes are one.
struct SpawnFailure
{
    enum class Step : std::int32_t { ChangeUser, EnterDirectory, TooLong };
    Step step;
    std::int32_t error;
};

/// Starts the child in a session of its own: switches to the account, enters the directory, runs the command. Throws
/// std::system_error when not even a child can be made (descriptors, processes or terminals have run out).
Spawned spawn(const SpawnRequest &request);

/// Sets the size of the terminal behind a PTY's master side; the programs in it get SIGWINCH. False on failure.
bool setWindowSize(int terminal, WindowSize size);

} // namespace boxdeck::host::envd
