// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/logs_codec.h"

#include "backend/protocol/decode.h"

#include <algorithm>

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

LogLevel logLevel(const QString &word)
{
    const QString lower = word.trimmed().toLower();
    if (lower == "debug"_L1 || lower == "trace"_L1)
        return LogLevel::Debug;
    if (lower == "warn"_L1 || lower == "warning"_L1)
        return LogLevel::Warn;
    if (lower == "error"_L1 || lower == "fatal"_L1)
        return LogLevel::Error;
    return LogLevel::Info;
}

QString levelWord(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return u"debug"_s;
    case LogLevel::Info:
        return u"info"_s;
    case LogLevel::Warn:
        return u"warn"_s;
    case LogLevel::Error:
        return u"error"_s;
    }
    return {};
}

LogEntry readLogEntry(const JsonReader &reader)
{
    if (reader.isText()) // the oldest form of a build's log: bare lines
        return {.message = reader.text()};
    LogEntry entry{.timestamp = reader["timestamp"_L1].time(),
                   .timeNs = reader["timestamp"_L1].timeNs(),
                   .message = reader.either("message"_L1, "line"_L1).text(),
                   .level = logLevel(reader["level"_L1].text()),
                   .step = reader["step"_L1].text()};
    if (const JsonReader fields = reader["fields"_L1]; fields.isObject())
        entry.fields = fields.textMap();
    return entry;
}

void putInOrder(QList<LogEntry> &entries)
{
    const auto timed = [](const LogEntry &entry) { return entry.timeNs != 0; };
    const auto first = std::find_if(entries.begin(), entries.end(), timed);
    const auto last = std::find_if(entries.rbegin(), entries.rend(), timed);
    if (first == entries.end())
        return;
    if (first->timeNs > last->timeNs)
        std::reverse(entries.begin(), entries.end());
    // A line without a time stays behind the one before it.
    qint64 before = 0;
    QList<std::pair<qint64, LogEntry>> keyed;
    keyed.reserve(entries.size());
    for (LogEntry &entry : entries) {
        before = entry.timeNs != 0 ? entry.timeNs : before;
        keyed.emplaceBack(before, std::move(entry));
    }
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    entries.clear();
    for (auto &[time, entry] : keyed)
        entries.append(std::move(entry));
}

Result<QList<LogEntry>> decodeLogs(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        // v1 tells every line twice, as text and structured; v2 puts the structured ones where v1 has the text.
        const JsonReader structured = reader.isObject() ? reader["logEntries"_L1] : reader;
        const JsonReader source = structured.isAbsent() ? reader["logs"_L1] : structured;
        QList<LogEntry> entries = readList(source, readLogEntry);
        putInOrder(entries);
        return entries;
    });
}

void applyLogQuery(QList<LogEntry> &entries, const LogQuery &query)
{
    entries.removeIf([&](const LogEntry &entry) {
        return (query.level && entry.level < *query.level) ||
               (!query.search.isEmpty() && !entry.message.contains(query.search));
    });
    const qsizetype limit = qMax(1, query.limit);
    if (entries.size() <= limit)
        return;
    if (query.direction == LogDirection::Forward)
        entries.resize(limit);
    else
        entries.remove(0, entries.size() - limit);
}

} // namespace boxdeck::protocol
