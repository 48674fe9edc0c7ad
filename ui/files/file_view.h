// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote_folder_model.h"

#include <QStyledItemDelegate>
#include <QTreeView>

namespace boxdeck::ui {

/// Paints the rows of a RemoteFolderModel and edits a name in place.
class FileDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override;

Q_SIGNALS:
    /// A new name was typed. The row may be gone by now: it is told by name.
    void renamed(const QByteArray &from, const QString &to) const;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// The list of one folder: rows, selection, drops and drags. What they mean is the pane's.
class FileView : public QTreeView
{
    Q_OBJECT

public:
    explicit FileView(models::RemoteFolderModel &model, QWidget *parent = nullptr);

    QList<protocol::EntryInfo> selectedEntries() const;
    std::optional<protocol::EntryInfo> currentEntry() const;
    void select(const QByteArray &name); ///< makes it the current row, if it is shown

Q_SIGNALS:
    void opened(const boxdeck::protocol::EntryInfo &entry);
    /// Files of this computer were dropped; `under` is not set beside the rows.
    void urlsDropped(const QList<QUrl> &urls, const std::optional<boxdeck::protocol::EntryInfo> &under);
    /// Rows of this view were dropped onto a folder of it.
    void entriesDropped(const QList<boxdeck::RemotePath> &entries, const boxdeck::RemotePath &target);
    void renameRequested(const QByteArray &from, const QString &to);

protected:
    void startDrag(Qt::DropActions actions) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragMoveEvent(QDragMoveEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool offer(QDropEvent *event);
    std::optional<protocol::EntryInfo> entryUnder(const QDropEvent *event) const;
    void keepPlace();
    void restorePlace();

    models::RemoteFolderModel &m_model;
    struct Place
    {
        RemotePath folder;
        QList<QByteArray> selected;
        QByteArray current;
        int scroll = 0;
    } m_place;
    QList<RemotePath> m_dragged;
};

} // namespace boxdeck::ui
