// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/build_runner.h"

#include <algorithm>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

namespace boxdeck::host {

namespace {

constexpr std::int64_t mib = 1024 * 1024;
constexpr std::chrono::seconds usageEvery{2};
// Counted into every key: a change of what steps do, or of the built-in layout, makes old results worthless.
constexpr const char *keyVersion = "boxdeck-build-1";
// The image that the SDKs build from unless told otherwise; here it is what `base` is.
const std::set<std::string> baseImages{"e2bdev/base", "e2bdev/base:latest", "docker.io/e2bdev/base",
                                       "docker.io/e2bdev/base:latest"};

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) {
        if (!word.empty()) // COPY has empty ones for what was not given
            text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

} // namespace

/// The two unfinished lines of one command.
struct BuildRunner::OpenLine
{
    LineCutter standard;
    LineCutter error;
    LogLevel level = LogLevel::Info;
    std::string step;
    std::string prefix;

    std::string before(CommandOutput output) const
    {
        return prefix + (output == CommandOutput::Standard ? " [stdout]: " : " [stderr]: ");
    }
};

BuildRunner::BuildRunner(BuildServices &services, std::string buildId, BuildStart start, std::string folder)
    : m_services(services)
    , m_id(std::move(buildId))
    , m_start(std::move(start))
    , m_log(std::make_shared<BuildLog>(folder + "/log.jsonl", services.limits.logBytes))
    , m_workspace(services.io, services.data, services.layers, services.isolation, folder, "build-" + m_id)
    , m_deadline(services.io)
    , m_watchTimer(services.io)
    , m_startChanged(services.io.get_executor())
{
}

void BuildRunner::say(LogLevel level, std::string message)
{
    m_log->add(level, m_where, std::move(message));
}

OutputTaker BuildRunner::lines(LogLevel level, std::string prefix)
{
    const auto open =
        std::make_shared<OpenLine>(OpenLine{.level = level, .step = m_where, .prefix = std::move(prefix)});
    m_openLines.push_back(open);
    return [this, open](CommandOutput output, std::string_view piece) {
        LineCutter &cutter = output == CommandOutput::Standard ? open->standard : open->error;
        for (const std::string &line : cutter.feed(piece))
            m_log->addOutput(open->level, open->step, open->before(output) + line);
    };
}

void BuildRunner::flushLines()
{
    for (const auto &open : std::exchange(m_openLines, {})) {
        const std::string standard = open->standard.rest();
        const std::string error = open->error.rest();
        if (!standard.empty())
            m_log->addOutput(open->level, open->step, open->before(CommandOutput::Standard) + standard);
        if (!error.empty())
            m_log->addOutput(open->level, open->step, open->before(CommandOutput::Error) + error);
    }
}

void BuildRunner::checkStopped() const
{
    if (!m_stopReason.empty())
        throw CommandFailed(m_stopReason);
}

void BuildRunner::stop(std::string why)
{
    if (m_finished || !m_stopReason.empty())
        return;
    m_stopReason = std::move(why);
    m_workspace.stopNow();
    m_startChanged.notifyAll();
}

asio::awaitable<void> BuildRunner::watchUsage()
{
    const auto self = shared_from_this();
    const IsolationSettings &most = m_services.isolation;
    const auto tooMuch = [](std::int64_t used, std::int64_t limit) { return limit > 0 && used > limit; };
    const auto than = [](std::int64_t used, const char *of, std::int64_t limit) {
        return std::to_string(used / mib) + " MiB of " + of + ", more than " + std::to_string(limit / mib) + " MiB";
    };
    while (!m_finished) {
        m_watchTimer.expires_after(usageEvery);
        boost::system::error_code ignored;
        co_await m_watchTimer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        WorkspaceUsage used;
        try {
            if (!m_finished)
                used = co_await m_workspace.usage();
        } catch (const std::exception &) {
            continue; // between two containers
        }
        if (tooMuch(used.memory, most.memoryBytes))
            stop("the build's processes used " + than(used.memory, "memory", most.memoryBytes));
        if (tooMuch(used.disk, most.diskBytes))
            stop("the build's files took " + than(used.disk, "the disk", most.diskBytes));
    }
}

asio::awaitable<std::optional<BuildReason>> BuildRunner::run()
{
    const auto self = shared_from_this();
    m_deadline.expires_after(m_services.limits.time);
    m_deadline.async_wait([self](const boost::system::error_code &error) {
        if (!error)
            self->stop("the build took longer than its limit of " +
                       std::to_string(self->m_services.limits.time.count()) + " s");
    });
    asio::co_spawn(m_services.io, watchUsage(), asio::detached);
    std::string failure;
    try {
        checkStopped();
        co_await work();
    } catch (const std::exception &error) {
        failure = error.what();
    }
    flushLines();
    if (!failure.empty() && !m_stopReason.empty())
        failure = m_stopReason;
    try {
        co_await m_workspace.discard();
    } catch (const std::exception &error) {
        // The next start of the host tries again.
        std::fprintf(stderr, "boxdeck-host: files of a build are left in %s: %s\n", m_workspace.folder().c_str(),
                     error.what());
    }
    m_finished = true;
    m_deadline.cancel();
    m_watchTimer.cancel();
    std::optional<BuildReason> reason;
    if (!failure.empty()) {
        say(LogLevel::Error, "Build failed: " + failure);
        reason = BuildReason{.message = failure, .step = m_where};
    } else {
        say(LogLevel::Info, "Build finished");
    }
    m_log->close();
    co_return reason;
}

asio::awaitable<void> BuildRunner::work()
{
    co_await base();
    for (std::size_t i = 0; i < m_start.steps.size(); ++i) {
        checkStopped();
        co_await step(i);
    }
    checkStopped();
    m_where = "finalize";
    co_await finalize();
    checkStopped();
}

void BuildRunner::baseFromTemplate()
{
    const ResolvedTemplate from = m_services.templates.resolve(m_start.fromTemplate); // throws the sentence to show
    m_state = {.layerId = from.layerId, .config = from.config};
    say(LogLevel::Info, "FROM template " + m_start.fromTemplate + " (" + from.templateId + ')');
}

asio::awaitable<void> BuildRunner::baseFromImage()
{
    const std::string &image = m_start.fromImage;
    if (m_start.hasRegistry)
        say(LogLevel::Warn, "The credentials of a registry were ignored: this host pulls nothing. Its images are "
                            "registered when it is started, with --image NAME=PATH.");
    const auto found = m_services.findImage(image);
    if (!found && baseImages.contains(image)) {
        say(LogLevel::Info, "FROM " + image + ": on this host that is its own template `base`, this computer's /usr");
        co_return;
    }
    if (!found)
        throw CommandFailed("the image '" + image +
                            "' is not on this host, which pulls none from a registry. "
                            "Register a root file system under that name with --image " +
                            image + "=PATH, or build from the template `base`.");
    say(LogLevel::Info, "FROM " + image);
    m_state = *found;
    // What every template has (protocol/lifecycle.md, section 7), made only where the image lacks it.
    const std::string key = stepKey(keyVersion, {"image", m_state.layerId});
    if (const auto cached = m_services.cache.find(key)) {
        m_state = *cached;
        co_return;
    }
    co_await m_workspace.enter(m_state.layerId, m_state.config);
    std::vector<std::string> account{"account", "name=user"};
    co_await m_workspace.tool(std::move(account));
    std::vector<std::string> code{"folder", "path=/code", "owner=user"};
    co_await m_workspace.tool(std::move(code));
    checkStopped();
    co_await keep();
    co_await remember(key);
}

asio::awaitable<void> BuildRunner::base()
{
    m_forced = m_start.force;
    if (!m_start.fromTemplate.empty())
        baseFromTemplate();
    else
        co_await baseFromImage();
    m_key = stepKey(keyVersion, {m_state.layerId, boost::json::serialize(toJson(m_state.config))});
}

asio::awaitable<void> BuildRunner::step(std::size_t index)
{
    const BuildStep &step = m_start.steps[index];
    m_where = std::to_string(index + 1);
    const std::string prefix = "[builder " + m_where + '/' + std::to_string(m_start.steps.size()) + ']';
    const std::string title = prefix + ' ' + step.type + ' ' + joined(step.args);
    std::vector<std::string> parts{step.type, step.filesHash};
    parts.insert(parts.end(), step.args.begin(), step.args.end());
    m_key = stepKey(m_key, parts);
    m_forced = m_forced || step.force;
    if (!m_forced) {
        if (const auto cached = m_services.cache.find(m_key)) {
            m_state = *cached;
            say(LogLevel::Info, "CACHED " + title);
            co_return;
        }
    }
    say(LogLevel::Info, title);
    m_changed = false;
    co_await execute(step, prefix);
    flushLines();
    checkStopped();
    if (m_changed)
        co_await keep();
    co_await remember(m_key);
}

asio::awaitable<void> BuildRunner::keep()
{
    m_state.layerId = co_await m_workspace.keep();
    m_madeLayers.push_back(m_state.layerId);
}

// Puts what the step came to into the cache; what was there before may be needed by nobody now.
asio::awaitable<void> BuildRunner::remember(const std::string &key)
{
    const auto before = m_services.cache.find(key);
    m_services.cache.store(key, m_state);
    if (before && before->layerId != m_state.layerId)
        co_await m_services.release(before->layerId);
}

asio::awaitable<void> BuildRunner::finalize()
{
    // As with the reference, what a base template starts goes on being started unless something else is said.
    if (!m_start.startCmd.empty() || !m_start.readyCmd.empty()) {
        m_state.config.startCmd = m_start.startCmd;
        m_state.config.readyCmd = m_start.readyCmd;
    }
    if (m_state.config.startCmd.empty() && m_state.config.readyCmd.empty())
        co_return;
    co_await startAndWait();
    flushLines();
    checkStopped();
    co_await keep();
}

} // namespace boxdeck::host
