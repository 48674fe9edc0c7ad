// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/log_model.h"

#include "backend/core/display_text.h"

#include <QLocale>

namespace boxdeck::models {

using protocol::LogEntry;
using protocol::LogLevel;

void LogModel::add(const QList<LogEntry> &page)
{
    const int before = m_rows;
    const int changed = int(m_book.add(page));
    const int after = int(m_book.entries().size());
    // Lines that came late stand between others: those from there on are taken out and come again.
    if (changed < before) {
        beginRemoveRows({}, changed, before - 1);
        m_rows = changed;
        endRemoveRows();
    }
    if (after > m_rows) {
        beginInsertRows({}, m_rows, after - 1);
        m_rows = after;
        endInsertRows();
    }
}

void LogModel::clear()
{
    if (m_rows == 0)
        return;
    beginRemoveRows({}, 0, m_rows - 1);
    m_rows = 0;
    m_book.clear();
    endRemoveRows();
}

QDateTime LogModel::newest() const
{
    return m_book.entries().isEmpty() ? QDateTime() : m_book.entries().last().timestamp;
}

int LogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int LogModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LogEntry &entry = m_book.entries()[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Time)
            return entry.timestamp.isValid() ? entry.timestamp.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss.zzz")
                                             : QString();
        return index.column() == Level ? levelText(entry.level) : displayText(entry.message);
    case Qt::ToolTipRole:
        if (index.column() == Time)
            return entry.timestamp.toUTC().toString(Qt::ISODateWithMs);
        return index.column() == Message ? toolTipText(displayText(entry.message)) : QString();
    case Qt::AccessibleTextRole:
        return data(index, Qt::DisplayRole);
    case LevelRole:
        return int(entry.level);
    case MessageRole:
        return entry.message;
    default:
        return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Level:
        return tr("Level");
    case Message:
        return tr("Message");
    default:
        return {};
    }
}

QString LogModel::levelText(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return tr("Debug");
    case LogLevel::Info:
        return tr("Info");
    case LogLevel::Warn:
        return tr("Warning");
    case LogLevel::Error:
        return tr("Error");
    }
    return {};
}

} // namespace boxdeck::models
