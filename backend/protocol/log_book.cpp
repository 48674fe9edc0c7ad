// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/log_book.h"

#include <QCryptographicHash>

#include <limits>

namespace boxdeck::protocol {

namespace {

/// What makes a line the same line. A hash, as logs may be long and the text is kept already.
QByteArray identity(const LogEntry &entry)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(QByteArray::number(entry.timeNs) + ' ' + QByteArray::number(int(entry.level)) + ' ' +
                 entry.step.toUtf8() + '\n');
    hash.addData(entry.message.toUtf8());
    return hash.result();
}

} // namespace

qsizetype LogBook::indexOf(const QByteArray &id, qint64 time) const
{
    for (qsizetype i = m_ids.size() - 1; i >= 0 && m_times.at(i) >= time; --i) {
        if (m_ids.at(i) == id)
            return i;
    }
    return -1;
}

qsizetype LogBook::placeFor(qint64 time, qsizetype next, LogDirection read) const
{
    // What follows it on its page, at the same time, tells its place exactly.
    if (next >= 0 && m_times.at(next) == time)
        return next;
    qsizetype at = m_times.size();
    while (at > 0 && (m_times.at(at - 1) > time || (read == LogDirection::Backward && m_times.at(at - 1) == time)))
        --at;
    return at;
}

qsizetype LogBook::add(const QList<LogEntry> &page, LogDirection read)
{
    // A line without a time belongs to the one before it.
    QList<qint64> times;
    qint64 time = read == LogDirection::Forward && !m_times.isEmpty() ? m_times.last() : 0;
    for (const LogEntry &entry : page)
        times.append(time = entry.timeNs != 0 ? entry.timeNs : time);

    const qsizetype before = m_entries.size();
    qsizetype first = std::numeric_limits<qsizetype>::max();
    qsizetype next = -1; // where the line behind this one on the page stands
    QSet<QByteArray> ofThisPage;
    for (qsizetype i = page.size() - 1; i >= 0; --i) {
        const LogEntry &entry = page.at(i);
        const QByteArray id = identity(entry);
        if (entry.timeNs != 0 && m_known.contains(id)) {
            next = indexOf(id, entry.timeNs);
            continue;
        }
        ofThisPage.insert(id);
        const qsizetype at = placeFor(times.at(i), next, read);
        m_entries.insert(at, entry);
        m_ids.insert(at, id);
        m_times.insert(at, times.at(i));
        first = qMin(first, at);
        next = at;
    }
    m_known.unite(ofThisPage);
    return m_entries.size() == before ? before : first;
}

void LogBook::clear()
{
    m_entries.clear();
    m_ids.clear();
    m_times.clear();
    m_known.clear();
}

} // namespace boxdeck::protocol
