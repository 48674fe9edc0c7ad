// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/transfer_engine.h"

#include <QAbstractTableModel>

namespace boxdeck::models {

/// The transfers of an engine as rows, oldest first, keyed by id: rows come, change and go one by one and never reset.
class TransferModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, State, Progress, Size, Speed, TimeLeft, Sandbox, ColumnCount };
    Q_ENUM(Column)

    enum Role {
        TransferIdRole = Qt::UserRole + 1, ///< quint64
        StateRole,                         ///< int of transfer::JobState
        PercentRole,                       ///< int 0..100; invalid variant while the total is unknown
        DirectionRole,                     ///< int of transfer::Direction
        SortRole,                          ///< the column's value for comparing
    };
    Q_ENUM(Role)

    /// The engine outlives the model.
    explicit TransferModel(transfer::TransferEngine &engine, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    QModelIndex indexOf(transfer::TransferId id, int column = 0) const; ///< invalid if it is gone
    std::optional<transfer::TransferInfo> infoAt(const QModelIndex &index) const;

    static QString stateText(const transfer::TransferInfo &info);
    /// "a.txt", or "a.txt and 3 more"; safe to show.
    static QString nameText(const transfer::TransferInfo &info);
    /// Percent of the bytes, of the files where there are no bytes; nothing before the scan is over.
    static std::optional<int> percent(const transfer::TransferInfo &info);

private:
    void add(transfer::TransferId id);
    void change(transfer::TransferId id);
    void remove(transfer::TransferId id);
    QVariant display(const transfer::TransferInfo &info, int column) const;

    transfer::TransferEngine &m_engine;
    QList<transfer::TransferInfo> m_rows;
};

} // namespace boxdeck::models
