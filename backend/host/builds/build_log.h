// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/host/control_plane/record.h"
#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

/// Levels of build log lines, in the order of their weight.
enum class LogLevel { Debug, Info, Warn, Error };

/// `debug`, `info`, `warn` or `error`; nothing for another word.
std::optional<LogLevel> logLevelFromText(std::string_view text);
std::string_view toText(LogLevel level);

/// One line of a build's log.
struct BuildLogEntry
{
    TimePoint time;
    LogLevel level = LogLevel::Info;
    std::string step; ///< `base`, the number of a step, or `finalize`
    std::string message;

    bool operator==(const BuildLogEntry &) const = default;
};

/// The log of one build: in memory, and line by line in a file, so that it outlives the host. Lines are in the order
/// they were added, and their times never go back. At most linesPerMillisecond of them share a millisecond, because
/// clients page by milliseconds (see pageAt()).
class BuildLog
{
public:
    static constexpr std::size_t linesPerMillisecond = 50;

    /// Opens the log at @p file and reads what is there. @p byteLimit caps what output may add; the line that says so
    /// and what the host itself has to say still come through.
    BuildLog(const std::string &file, std::size_t byteLimit);
    /// The log at @p file for reading only, empty if there is none.
    explicit BuildLog(const std::string &file);

    /// Adds a line of the host's own.
    void add(LogLevel level, const std::string &step, std::string message);
    /// Adds a line that a command printed; after the limit nothing more but one line saying so.
    void addOutput(LogLevel level, const std::string &step, std::string message);
    /// Makes sure that everything is on the disk; nothing can be added any more.
    void close();

    const std::vector<BuildLogEntry> &entries() const { return m_entries; }

private:
    void append(LogLevel level, const std::string &step, std::string message);
    void load(const std::string &file);

    std::vector<BuildLogEntry> m_entries;
    std::size_t m_byteLimit = 0;
    std::size_t m_outputBytes = 0;
    std::size_t m_inMillisecond = 0;
    bool m_cut = false;
    Fd m_fd;
};

/// At most @p limit entries of at least @p least, beginning with the one at index @p offset among those.
std::vector<BuildLogEntry> sliceOf(const std::vector<BuildLogEntry> &entries, std::size_t offset, std::size_t limit,
                                   LogLevel least);

/// A page by time: entries from @p cursor (milliseconds, inclusive) on, or back from it. A page never ends within a
/// millisecond when it can end before it, so that going on with the next millisecond leaves no gap and repeats
/// nothing.
std::vector<BuildLogEntry> pageAt(const std::vector<BuildLogEntry> &entries, std::optional<std::int64_t> cursor,
                                  bool forward, std::size_t limit, LogLevel least);

/// Cuts what commands print into lines: standard output and error each have their own unfinished line.
class LineCutter
{
public:
    static constexpr std::size_t lineLimit = 16 * 1024; ///< bytes; longer lines are cut into several

    /// Whole lines that the piece completes, without their line ends.
    std::vector<std::string> feed(std::string_view piece);
    /// The last, unfinished line; empty when there is none.
    std::string rest();

private:
    std::string m_line;
};

} // namespace boxdeck::host
