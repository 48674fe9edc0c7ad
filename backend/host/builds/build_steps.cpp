// SPDX-License-Identifier: GPL-3.0-or-later
// What each kind of step does (protocol/lifecycle.md, section 7).
#include "backend/host/builds/build_runner.h"

#include <algorithm>
#include <unistd.h>

#include "backend/host/builds/copy_stream.h"
#include "backend/host/control_plane/data_folder.h"
#include "backend/host/sandbox/helper.h"

namespace boxdeck::host {

namespace {

// Kept findable even when a step breaks the PATH.
constexpr const char *standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr std::uint64_t unpackedPerArchive = 4; // how much more an archive may hold than it weighs at most

// A step ends with its shell: what it left in the background would go on changing files, and would hold its output open
// for ever. kill -1 spares the one that calls it, and the daemon.
constexpr const char *wholeStep = R"(bash -l -c "$1"; code=$?; kill -KILL -1 2>/dev/null; exit "$code")";

std::string shortened(const std::string &text)
{
    constexpr std::size_t most = 200;
    return text.size() > most ? text.substr(0, most) + "…" : text;
}

const std::string &argument(const BuildStep &step, std::size_t index, const char *what)
{
    if (index >= step.args.size() || step.args[index].empty())
        throw CommandFailed(step.type + " requires " + what);
    return step.args[index];
}

std::string optionalArgument(const BuildStep &step, std::size_t index)
{
    return index < step.args.size() ? step.args[index] : std::string();
}

std::string lastPart(const std::string &path)
{
    return path.substr(path.rfind('/') + 1);
}

} // namespace

asio::awaitable<void> BuildRunner::execute(const BuildStep &step, const std::string &prefix)
{
    if (step.type == "RUN")
        co_await runStep(step, prefix);
    else if (step.type == "COPY" || step.type == "ADD")
        co_await copyStep(step);
    else if (step.type == "ENV" || step.type == "ARG")
        environmentStep(step);
    else if (step.type == "WORKDIR")
        co_await workdirStep(step);
    else if (step.type == "USER")
        co_await userStep(step);
    else
        throw CommandFailed("a step of the type '" + step.type +
                            "' is not known; there are RUN, COPY, ENV, WORKDIR "
                            "and USER");
}

CommandRequest BuildRunner::shell(const std::string &command) const
{
    CommandRequest request = CommandRequest::shell(command);
    request.user = m_state.config.defaultUser;
    request.directory = m_state.config.workdir;
    request.variables = m_state.config.envVars;
    if (const auto path = request.variables.find("PATH"); path != request.variables.end())
        path->second += std::string(":") + standardPath;
    return request;
}

asio::awaitable<void> BuildRunner::runStep(const BuildStep &step, const std::string &prefix)
{
    const std::string &command = argument(step, 0, "a command");
    co_await m_workspace.enter(m_state.layerId, m_state.config);
    checkStopped();
    CommandRequest request = shell(command);
    request.program = "/bin/bash";
    request.arguments = {"-c", wholeStep, "step", command};
    if (const std::string user = optionalArgument(step, 1); !user.empty())
        request.user = user;
    m_changed = true;
    std::string failure;
    try {
        const CommandEnd end = co_await m_workspace.run(std::move(request), lines(LogLevel::Info, prefix));
        failure = end.good() ? std::string() : end.status;
    } catch (const CommandFailed &error) {
        failure = error.what();
    }
    if (!failure.empty())
        throw CommandFailed("failed to run command '" + shortened(command) + "': " + failure);
    co_await m_workspace.leave();
}

asio::awaitable<void> BuildRunner::copyStep(const BuildStep &step)
{
    const std::string &source = argument(step, 0, "a source and a target path");
    const std::string &target = argument(step, 1, "a source and a target path");
    if (step.filesHash.empty())
        throw CommandFailed(step.type + " requires files hash to be set");
    const auto hash = readFilesHash(step.filesHash);
    if (!hash)
        throw CommandFailed("the files hash of " + step.type + " is not 64 hexadecimal characters");
    if (!m_services.uploads.contains(*hash))
        throw CommandFailed("the files of " + step.type + ' ' + shortened(source) +
                            " were not uploaded, or are no longer kept; upload them and build again");
    const std::string stream = Workspace::streamIn(m_workspace.folder());
    std::string failure;
    try {
        const std::string base = lastPart(copyBase(source));
        co_await runHelper(m_services.io, helperUnpack(m_services.uploads.use(*hash), stream, source,
                                                       m_services.limits.uploads.archive * unpackedPerArchive));
        checkStopped();
        co_await m_workspace.enter(m_state.layerId, m_state.config);
        checkStopped();
        const std::string inside = "/tmp/.boxdeck-copy-" + randomHex(32);
        co_await m_workspace.bring(stream, inside);
        m_changed = true;
        std::string owner = optionalArgument(step, 2);
        if (owner.empty())
            owner = m_state.config.defaultUser;
        std::vector<std::string> words{"place",
                                       "stream=" + inside,
                                       "target=" + target,
                                       "workdir=" + m_state.config.workdir,
                                       "user=" + m_state.config.defaultUser,
                                       "owner=" + owner,
                                       "mode=" + optionalArgument(step, 3),
                                       "name=" + base};
        co_await m_workspace.tool(std::move(words));
    } catch (const std::exception &error) {
        failure = error.what();
    }
    unlink(stream.c_str());
    if (failure.empty())
        co_return;
    if (failure.find("Read-only file system") != std::string::npos)
        failure += ". In templates without an image of their own, /usr is this computer's and cannot be written";
    throw CommandFailed("failed to copy '" + shortened(source) + "': " + failure);
}

void BuildRunner::environmentStep(const BuildStep &step)
{
    // The reference expands in a login shell of root.
    std::map<std::string, std::string> known{{"HOME", "/root"}, {"USER", "root"}, {"PATH", standardPath}};
    const auto pairs = environmentPairs(step);
    for (const auto &[name, value] : m_state.config.envVars)
        known[name] = value;
    for (const auto &[name, value] : pairs) {
        m_state.config.envVars[name] = expandVariables(value, known);
        known[name] = m_state.config.envVars[name];
    }
    std::size_t together = 0;
    for (const auto &[name, value] : m_state.config.envVars)
        together += name.size() + value.size();
    if (together > mostVariables)
        throw CommandFailed("the variables of the template are together larger than " +
                            std::to_string(mostVariables / 1024) + " KiB");
}

asio::awaitable<void> BuildRunner::workdirStep(const BuildStep &step)
{
    std::string path = argument(step, 0, "a path");
    if (!path.starts_with('/')) {
        const std::string from = m_state.config.workdir.empty() ? "/" : m_state.config.workdir;
        path = from.ends_with('/') ? from + path : from + '/' + path;
    }
    co_await m_workspace.enter(m_state.layerId, m_state.config);
    checkStopped();
    m_changed = true;
    std::vector<std::string> words{"folder", "path=" + path, "owner=" + m_state.config.defaultUser};
    m_state.config.workdir = co_await m_workspace.tool(std::move(words));
}

asio::awaitable<void> BuildRunner::userStep(const BuildStep &step)
{
    const std::string &name = argument(step, 0, "a username");
    co_await m_workspace.enter(m_state.layerId, m_state.config);
    checkStopped();
    m_changed = true;
    std::vector<std::string> words{"account", "name=" + name};
    m_state.config.defaultUser = co_await m_workspace.tool(std::move(words));
    if (optionalArgument(step, 1) == "true")
        say(LogLevel::Warn, "sudo cannot work in sandboxes of this host: no process may gain rights there. Run what "
                            "needs them as the user root.");
}

} // namespace boxdeck::host
