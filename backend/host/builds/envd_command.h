// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "backend/host/sandbox/async.h"

namespace boxdeck::host {

/// A command to run in a sandbox through its daemon's process service.
struct CommandRequest
{
    std::string program;
    std::vector<std::string> arguments;
    std::string user;      ///< account inside
    std::string directory; ///< empty = the account's home
    std::map<std::string, std::string> variables;
    std::string tag;                      ///< shown in process lists; may be empty
    std::chrono::milliseconds timeout{0}; ///< the daemon kills it then; 0 = never

    /// `bash -l -c TEXT`, as the steps of a template are run.
    static CommandRequest shell(const std::string &text);
};

/// How a command ended.
struct CommandEnd
{
    int exitCode = 0;
    std::string status; ///< such as `exit status 3` or `signal: killed`

    bool good() const { return exitCode == 0; }
};

/// The daemon refused to start a command, or the connection to it broke before the command's end.
class CommandFailed : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// Which of its two outputs a command wrote to.
enum class CommandOutput { Standard, Error };

/// Takes a piece of output, in the order it was written. Called on the coroutine's thread.
using OutputTaker = std::function<void(CommandOutput, std::string_view)>;

/// Runs a command over the daemon's socket at @p socketPath until its end. It is not killed when the connection
/// breaks: end the container for that. Throws CommandFailed. What the daemon sends is untrusted and bounded.
asio::awaitable<CommandEnd> runCommand(std::string socketPath, CommandRequest request, OutputTaker taker);

/// Starts a command and leaves it running without anybody taking its output. Throws CommandFailed.
asio::awaitable<void> startCommand(std::string socketPath, CommandRequest request);

/// Writes the file at @p from on this side to @p to inside, as @p user. Throws CommandFailed.
asio::awaitable<void> sendFileInto(std::string socketPath, std::string from, std::string to, std::string user);

} // namespace boxdeck::host
