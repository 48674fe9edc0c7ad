// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/sandbox_store.h"
#include "backend/session/template_store.h"

#include <QAbstractTableModel>
#include <QTimer>

namespace boxdeck::models {

/// The sandboxes of a store as rows, one per id, in the order in which they became known. Rows come, change and go one
/// by one and never reset, so selection, scroll position and sort order of a view stay. Sort by SortRole: it compares
/// instants and numbers, not texts.
class SandboxModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { State, Name, Template, Age, TimeLeft, Metadata, Cpu, Memory, Id, ColumnCount };
    Q_ENUM(Column)

    enum Role {
        SandboxIdRole = Qt::UserRole + 1, ///< QString; what actions are given, never a row number
        StateRole,                        ///< int of protocol::SandboxState
        SortRole,                         ///< the column's value for comparing
        StartedAtRole,                    ///< QDateTime, UTC
        EndAtRole,                        ///< QDateTime, UTC; invalid = none
        SecondsLeftRole,                  ///< qint64; invalid variant: no end, or not running
        AgeSecondsRole,                   ///< qint64; invalid variant: start unknown
        TemplateIdRole,                   ///< QString
        MetadataRole,                     ///< QVariantMap, without our own marks
        FilterRole,                       ///< QString: everything a text search should find
    };
    Q_ENUM(Role)

    /// Both stores outlive the model. `templates` gives names to template ids; it may be null.
    explicit SandboxModel(session::SandboxStore &store, session::TemplateStore *templates, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    QHash<int, QByteArray> roleNames() const override;

    QModelIndex indexOf(const protocol::SandboxId &id, int column = 0) const; ///< invalid if it is gone
    protocol::SandboxId idAt(const QModelIndex &index) const;                 ///< empty for an invalid index
    std::optional<protocol::SandboxSummary> sandboxAt(const QModelIndex &index) const;

    /// What a sandbox is called for people: its metadata "name", else nothing but its id.
    static QString displayName(const protocol::SandboxSummary &sandbox);
    static QString stateText(protocol::SandboxState state, const QString &rawState);
    /// "45 s", "12 min", "3 h 05 min", "2 d 4 h"; never negative.
    static QString durationText(qint64 seconds);

private:
    struct Row
    {
        protocol::SandboxSummary sandbox;
        QString age;
        QString timeLeft;
    };

    void insert(const protocol::SandboxId &id);
    void change(const protocol::SandboxId &id);
    void remove(const protocol::SandboxId &id);
    Row makeRow(const protocol::SandboxSummary &sandbox) const;
    void tick();
    QVariant display(const Row &row, int column) const;
    QVariant sortValue(const Row &row, int column) const;
    QVariant toolTip(const Row &row, int column) const;
    QString templateName(const protocol::SandboxSummary &sandbox) const;

    session::SandboxStore &m_store;
    session::TemplateStore *m_templates;
    QList<Row> m_rows;
    QHash<protocol::SandboxId, int> m_rowOf;
    QTimer m_tick;
};

} // namespace boxdeck::models
