// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/log_book.h"

#include <QCryptographicHash>

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

qsizetype LogBook::add(const QList<LogEntry> &page)
{
    qsizetype first = m_entries.size();
    QSet<QByteArray> ofThisPage;
    for (const LogEntry &entry : page) {
        const QByteArray id = identity(entry);
        if (entry.timeNs != 0 && m_known.contains(id))
            continue;
        ofThisPage.insert(id);
        qsizetype at = m_entries.size();
        // Nearly always the last: only a late line moves up, and one without a time never does.
        while (entry.timeNs != 0 && at > 0 && m_entries.at(at - 1).timeNs > entry.timeNs)
            --at;
        m_entries.insert(at, entry);
        first = qMin(first, at);
    }
    m_known.unite(ofThisPage);
    return qMin(first, m_entries.size());
}

void LogBook::clear()
{
    m_entries.clear();
    m_known.clear();
}

} // namespace boxdeck::protocol
