// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/logs.h"

#include <QSet>

namespace boxdeck::protocol {

/// Log lines put together from pages. Servers read live and stored lines from different places, so that pages overlap
/// and interleave; here each line stands once, in time's order, and lines of the same time as they came.
class LogBook
{
public:
    /// Adds a page, oldest line first. Gives the index of the first line that is new or moved; the size if none is.
    /// A line like one of an earlier page, to the nanosecond, is the same line; within a page all lines count.
    /// `read` says whether pages come oldest or newest first, which decides between lines of the same time.
    qsizetype add(const QList<LogEntry> &page, LogDirection read = LogDirection::Forward);

    const QList<LogEntry> &entries() const { return m_entries; }
    void clear();

private:
    qsizetype indexOf(const QByteArray &id, qint64 time) const;
    qsizetype placeFor(qint64 time, qsizetype next, LogDirection read) const;

    QList<LogEntry> m_entries;
    QList<QByteArray> m_ids; ///< of the entries, in step with them
    QList<qint64> m_times;   ///< likewise; of the line before where a line has none
    QSet<QByteArray> m_known;
};

} // namespace boxdeck::protocol
