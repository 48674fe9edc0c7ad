// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/template_store.h"

#include <QAbstractTableModel>

namespace boxdeck::models {

/// The templates of a store as rows, one per id; rows come, change and go one by one. Sort by SortRole.
class TemplateModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Build, Cpu, Memory, Disk, Updated, Used, Id, ColumnCount };
    Q_ENUM(Column)

    enum Role {
        TemplateIdRole = Qt::UserRole + 1, ///< QString
        BuildStatusRole,                   ///< int of protocol::BuildStatus
        SpawnableRole,                     ///< bool: a sandbox can be created from it now
        SortRole,                          ///< the column's value for comparing
        UpdatedAtRole,                     ///< QDateTime, UTC; invalid if not told
        ReasonRole,                        ///< QString: why the build failed, if the server says so; untrusted
        CreateNameRole,                    ///< QString: what to give to create: its name if it has one, else its id
        FilterRole,                        ///< QString: everything a text search should find
    };
    Q_ENUM(Role)

    /// The store outlives the model.
    explicit TemplateModel(session::TemplateStore &store, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    QModelIndex indexOf(const protocol::TemplateId &id, int column = 0) const; ///< invalid if it is gone
    std::optional<protocol::TemplateSummary> templateAt(const QModelIndex &index) const;

    static QString statusText(const protocol::TemplateSummary &entry);

private:
    void insert(const protocol::TemplateId &id);
    void change(const protocol::TemplateId &id);
    void remove(const protocol::TemplateId &id);
    QVariant display(const protocol::TemplateSummary &entry, int column) const;
    QVariant sortValue(const protocol::TemplateSummary &entry, int column) const;
    QVariant toolTip(const protocol::TemplateSummary &entry, int column) const;

    session::TemplateStore &m_store;
    QList<protocol::TemplateSummary> m_rows;
    QHash<protocol::TemplateId, int> m_rowOf;
};

} // namespace boxdeck::models
