// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/log_book.h"

#include <QAbstractTableModel>

namespace boxdeck::models {

/// The lines of a log as rows, oldest first. A page adds rows and never resets: reading goes on while lines come.
class LogModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Time, Level, Message, ColumnCount };
    Q_ENUM(Column)

    enum Role {
        LevelRole = Qt::UserRole + 1, ///< int of protocol::LogLevel
        MessageRole,                  ///< QString, the whole untrusted message as it came
    };
    Q_ENUM(Role)

    using QAbstractTableModel::QAbstractTableModel;

    /// Takes a page, oldest line first, as TelemetryClient gives it. Lines that are known already are not added again.
    void add(const QList<protocol::LogEntry> &page);
    void clear();

    const QList<protocol::LogEntry> &entries() const { return m_book.entries(); }
    /// When the newest line was written; invalid if there is none.
    QDateTime newest() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// "Info", translated.
    static QString levelText(protocol::LogLevel level);

private:
    protocol::LogBook m_book;
    int m_rows = 0; ///< what the views know of
};

} // namespace boxdeck::models
