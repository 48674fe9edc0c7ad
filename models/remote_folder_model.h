// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/filesystem.h"

#include <QAbstractTableModel>
#include <QPointer>

#include <functional>
#include <memory>
#include <vector>

namespace boxdeck::models {

/// One folder of a sandbox as rows keyed by name: folders first, then sorted as asked. Holds no connection; a
/// FolderFeed gives it what it shows.
///
/// It sorts and filters by itself instead of behind a proxy, so that a folder of 100,000 entries is prepared on another
/// thread and shown at once. Small changes come as inserted, removed, moved and changed rows, so selection, scroll
/// position and sort order stay; only another folder or a change of hundreds of names resets it.
class RemoteFolderModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Size, Modified, Permissions, Owner, LinkTarget, ColumnCount };
    Q_ENUM(Column)

    enum Role {
        NameRole = Qt::UserRole + 1, ///< QByteArray, the name as the sandbox has it
        IsFolderRole,                ///< bool; also a link to a folder
        IsLinkRole,                  ///< bool
        IsBrokenRole,                ///< bool: a link that leads nowhere
        IconRole,                    ///< QString: name of an icon of ours
    };
    Q_ENUM(Role)

    explicit RemoteFolderModel(QObject *parent = nullptr);
    ~RemoteFolderModel() override;

    const RemotePath &folder() const { return m_folder; }

    /// Another folder: what is shown stays until its entries come.
    void setFolder(const RemotePath &folder);
    /// What the folder holds now. Entries with names that can't be in a folder are left out and counted.
    void setEntries(const QList<protocol::EntryInfo> &entries);
    /// One entry is new or changed.
    void updateEntry(const protocol::EntryInfo &entry);
    void removeEntry(const QByteArray &name);
    /// Shows nothing, e.g. because the folder can't be read.
    void clear();

    void setShowsHidden(bool shown);
    /// Only names that contain this text, in any case.
    void setFilter(const QString &text);
    const QString &filter() const { return m_spec.filter; }

    qsizetype totalCount() const { return static_cast<qsizetype>(m_all.size()); } ///< hidden and filtered ones, too
    int refusedCount() const { return m_refused; }                                ///< entries with impossible names

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    QModelIndex indexOf(const QByteArray &name, int column = 0) const; ///< invalid if it is not shown
    /// The entry of a row, with the path below folder() that its name gives.
    std::optional<protocol::EntryInfo> entryAt(const QModelIndex &index) const;

Q_SIGNALS:
    /// setEntries() or another change of many rows is on screen.
    void settled();

private:
    struct Row;
    using RowPtr = std::shared_ptr<const Row>;
    using Rows = std::vector<RowPtr>;
    struct Spec
    {
        int column = Name;
        Qt::SortOrder order = Qt::AscendingOrder;
        bool hidden = false;
        QString filter;
    };

    static RowPtr makeRow(const protocol::EntryInfo &entry);
    static Rows arranged(const Rows &all, const Spec &spec);
    static bool before(const Row &a, const Row &b, const Spec &spec);
    void arrange();
    void show(Rows next);
    static void dispose(Rows rows);
    void reorderShown(const std::vector<int> &place);
    void replaceShown(Rows next);
    QString displayText(const Row &row, int column) const;

    RemotePath m_folder;
    Spec m_spec;
    Rows m_all;   ///< unordered
    Rows m_shown; ///< as on screen
    int m_refused = 0;
    bool m_folderIsNew = true; ///< the next entries are another folder's
    bool m_listing = false;    ///< entries are being prepared on another thread
    std::vector<std::function<void()>> m_afterListing;
    quint64 m_generation = 0; ///< tells results of older arrangements apart
    struct Relay;
    std::shared_ptr<Relay> m_relay;
};

} // namespace boxdeck::models
