// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/build_log.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include <boost/json.hpp>

#include "backend/host/http/json_text.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr std::string_view names[] = {"debug", "info", "warn", "error"};

std::int64_t milliseconds(TimePoint time)
{
    return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string toLine(const BuildLogEntry &entry)
{
    std::string line;
    http::JsonWriter(line)
        .beginObject()
        .key("t")
        .number(entry.time.time_since_epoch().count())
        .key("l")
        .string(toText(entry.level))
        .key("s")
        .string(entry.step)
        .key("m")
        .string(entry.message)
        .endObject();
    return line + '\n';
}

std::optional<BuildLogEntry> fromLine(const std::string &line)
{
    boost::system::error_code error;
    const json::value value = json::parse(line, error);
    const json::object *object = error ? nullptr : value.if_object();
    if (object == nullptr)
        return {};
    const json::value *time = object->if_contains("t");
    const json::value *level = object->if_contains("l");
    const json::value *step = object->if_contains("s");
    const json::value *message = object->if_contains("m");
    if (time == nullptr || !time->is_int64() || level == nullptr || !level->is_string() || step == nullptr ||
        !step->is_string() || message == nullptr || !message->is_string())
        return {};
    return BuildLogEntry{.time = TimePoint(std::chrono::microseconds(time->as_int64())),
                         .level = logLevelFromText(level->as_string()).value_or(LogLevel::Info),
                         .step = std::string(step->as_string()),
                         .message = std::string(message->as_string())};
}

// Text as every JSON reader takes it: what a program prints may be anything.
std::string cleaned(std::string_view text)
{
    std::string coded;
    http::appendJsonString(coded, text);
    return std::string(json::parse(coded).as_string());
}

} // namespace

std::optional<LogLevel> logLevelFromText(std::string_view text)
{
    for (std::size_t i = 0; i < std::size(names); ++i) {
        if (names[i] == text)
            return static_cast<LogLevel>(i);
    }
    return {};
}

std::string_view toText(LogLevel level)
{
    return names[static_cast<std::size_t>(level)];
}

BuildLog::BuildLog(const std::string &file)
{
    load(file);
}

BuildLog::BuildLog(const std::string &file, std::size_t byteLimit)
    : m_byteLimit(byteLimit)
{
    load(file);
    m_fd.reset(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
}

void BuildLog::load(const std::string &file)
{
    std::ifstream stream(file, std::ios::binary);
    // The last line may have been cut by the end of the host; it is no line then.
    for (std::string line; std::getline(stream, line);) {
        if (auto entry = fromLine(line))
            m_entries.push_back(std::move(*entry));
    }
}

void BuildLog::append(LogLevel level, const std::string &step, std::string message)
{
    BuildLogEntry entry{.time = now(), .level = level, .step = step, .message = cleaned(message)};
    if (!m_entries.empty()) {
        const TimePoint last = m_entries.back().time;
        entry.time = std::max(entry.time, last);
        if (milliseconds(entry.time) != milliseconds(last)) {
            m_inMillisecond = 0;
        } else if (m_inMillisecond >= linesPerMillisecond) {
            entry.time = TimePoint(std::chrono::milliseconds(milliseconds(last) + 1));
            m_inMillisecond = 0;
        }
    }
    ++m_inMillisecond;
    const std::string line = toLine(entry);
    // A full disk must not end the build over its log; what is in memory is still told.
    if (m_fd) [[maybe_unused]]
        const ssize_t wrote = write(m_fd.get(), line.data(), line.size());
    m_entries.push_back(std::move(entry));
}

void BuildLog::add(LogLevel level, const std::string &step, std::string message)
{
    append(level, step, std::move(message));
}

void BuildLog::addOutput(LogLevel level, const std::string &step, std::string message)
{
    // A line costs more than its text: a program that prints empty lines has its limit too.
    constexpr std::size_t lineCost = 64;
    if (m_cut)
        return;
    m_outputBytes += message.size() + lineCost;
    if (m_outputBytes > m_byteLimit) {
        m_cut = true;
        append(LogLevel::Warn, step,
               "The log was cut here: what the commands print is kept up to " + std::to_string(m_byteLimit / 1024) +
                   " KiB. The build goes on.");
        return;
    }
    append(level, step, std::move(message));
}

void BuildLog::close()
{
    if (m_fd)
        fsync(m_fd.get());
    m_fd.reset();
}

std::vector<BuildLogEntry> sliceOf(const std::vector<BuildLogEntry> &entries, std::size_t offset, std::size_t limit,
                                   LogLevel least)
{
    std::vector<BuildLogEntry> slice;
    std::size_t at = 0;
    for (const BuildLogEntry &entry : entries) {
        if (slice.size() >= limit)
            break;
        if (entry.level >= least && at++ >= offset)
            slice.push_back(entry);
    }
    return slice;
}

std::vector<BuildLogEntry> pageAt(const std::vector<BuildLogEntry> &entries, std::optional<std::int64_t> cursor,
                                  bool forward, std::size_t limit, LogLevel least)
{
    std::vector<BuildLogEntry> page;
    const auto take = [&](auto begin, auto end) {
        for (auto entry = begin; entry != end; ++entry) {
            const std::int64_t at = milliseconds(entry->time);
            const bool outside = cursor && (forward ? at < *cursor : at > *cursor);
            if (outside || entry->level < least)
                continue;
            if (page.size() < limit) {
                page.push_back(*entry);
                continue;
            }
            // One more than fits: give back what shares its millisecond, as long as something is left.
            std::size_t keep = page.size();
            while (keep > 0 && milliseconds(page[keep - 1].time) == at)
                --keep;
            if (keep > 0)
                page.resize(keep);
            return;
        }
    };
    if (limit == 0)
        return page;
    if (forward)
        take(entries.begin(), entries.end());
    else
        take(entries.rbegin(), entries.rend());
    return page;
}

std::vector<std::string> LineCutter::feed(std::string_view piece)
{
    std::vector<std::string> lines;
    while (!piece.empty()) {
        const auto end = piece.find('\n');
        m_line += piece.substr(0, end);
        while (m_line.size() > lineLimit) {
            lines.push_back(m_line.substr(0, lineLimit));
            m_line.erase(0, lineLimit);
        }
        if (end == std::string_view::npos)
            break;
        if (!m_line.empty() && m_line.back() == '\r')
            m_line.pop_back();
        lines.push_back(std::move(m_line));
        m_line.clear();
        piece.remove_prefix(end + 1);
    }
    return lines;
}

std::string LineCutter::rest()
{
    return std::exchange(m_line, std::string());
}

} // namespace boxdeck::host
