// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace boxdeck::protocol {

/// Ordered: each includes those after it when it is asked for as the least level.
enum class LogLevel { Debug, Info, Warn, Error };

/// Info for words nobody knows, so that no filter hides a line by mistake.
LogLevel logLevel(const QString &word);
/// The word on the wire.
QString levelWord(LogLevel level);

/// One line of a sandbox's or a build's log. Untrusted text, possibly with terminal sequences in it.
struct LogEntry
{
    QDateTime timestamp; ///< UTC in milliseconds, invalid if not told
    qint64 timeNs = 0;   ///< the same in nanoseconds since 1970, 0 if not told: lines of one millisecond differ here
    QString message;
    LogLevel level = LogLevel::Info;
    QString step;                  ///< builds only: "base", a number from 1, "finalize"; often empty
    QMap<QString, QString> fields; ///< sandboxes only

    bool operator==(const LogEntry &) const = default;
};

enum class LogDirection { Forward, Backward };

/// Which lines of a log. What a server ignores of it is done here.
struct LogQuery
{
    QDateTime cursor; ///< where to begin, in milliseconds; invalid: at the newest (Backward) or oldest (Forward)
    int limit = 1000; ///< 1..1000, of builds 1..100
    LogDirection direction = LogDirection::Backward;
    std::optional<LogLevel> level; ///< the least
    QString search;                ///< case-sensitive part of the message, at most 256 characters; not of builds

    bool operator==(const LogQuery &) const = default;
};

} // namespace boxdeck::protocol
