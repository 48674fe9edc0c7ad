// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_view.h"

#include "backend/core/display_text.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"
#include "ui/files/drop_rules.h"

#include <QDrag>
#include <QDropEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollBar>

namespace boxdeck::ui {

using models::RemoteFolderModel;
using protocol::EntryInfo;

QSize FileDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
}

void FileDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
    const bool broken = index.data(RemoteFolderModel::IsBrokenRole).toBool();
    if (index.column() == RemoteFolderModel::Name) {
        const Token token = broken                                                 ? Token::Danger
                            : index.data(RemoteFolderModel::IsFolderRole).toBool() ? Token::Accent
                                                                                   : Token::Muted;
        option->icon = icon(index.data(RemoteFolderModel::IconRole).toString().toLatin1().constData(), token);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(kIconSize, kIconSize);
    } else {
        option->palette.setColor(QPalette::Text, Theme::color(Token::Muted, option->palette));
    }
    if (index.column() == RemoteFolderModel::Size)
        option->text += QChar(0x2002); // air between the right-aligned sizes and the times beside them
    if (index.column() == RemoteFolderModel::Permissions)
        option->font = Theme::monospace();
}

QWidget *FileDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    auto *line = qobject_cast<QLineEdit *>(QStyledItemDelegate::createEditor(parent, option, index));
    if (line) {
        line->setObjectName(QStringLiteral("filesRenameLine"));
        line->setAccessibleName(
            tr("New name for %1")
                .arg(boxdeck::displayText(QString::fromUtf8(index.data(RemoteFolderModel::NameRole).toByteArray()))));
    }
    return line;
}

void FileDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    auto *line = qobject_cast<QLineEdit *>(editor);
    if (!line || !line->text().isEmpty())
        return; // a refresh of the row must not take what is being typed
    const QString name = index.data(Qt::EditRole).toString();
    line->setText(name);
    const qsizetype dot = name.lastIndexOf(QLatin1Char('.'));
    const bool whole = dot <= 0 || index.data(RemoteFolderModel::IsFolderRole).toBool();
    // Queued: the view selects everything after this.
    QMetaObject::invokeMethod(
        line, [line, length = whole ? name.size() : dot] { line->setSelection(0, static_cast<int>(length)); },
        Qt::QueuedConnection);
}

void FileDelegate::setModelData(QWidget *editor, QAbstractItemModel *, const QModelIndex &index) const
{
    if (const auto *line = qobject_cast<QLineEdit *>(editor);
        line && index.data(Qt::EditRole).toString() != line->text())
        Q_EMIT renamed(index.data(RemoteFolderModel::NameRole).toByteArray(), line->text());
}

FileView::FileView(RemoteFolderModel &model, QWidget *parent)
    : QTreeView(parent)
    , m_model(model)
{
    nameWidget(this, QStringLiteral("filesList"), tr("Files"));
    setModel(&model);
    styleView(this);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers); // F2 is the pane's
    setContextMenuPolicy(Qt::CustomContextMenu);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDropIndicatorShown(true);
    setDragDropOverwriteMode(true); // onto rows, never between them
    setSortingEnabled(true);
    sortByColumn(RemoteFolderModel::Name, Qt::AscendingOrder);
    auto *delegate = new FileDelegate(this);
    setItemDelegate(delegate);
    connect(delegate, &FileDelegate::renamed, this, &FileView::renameRequested);

    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(RemoteFolderModel::Name, QHeaderView::Stretch);
    header()->setMinimumSectionSize(6 * kGrid);
    header()->resizeSection(RemoteFolderModel::Size, 11 * kGrid);
    header()->resizeSection(RemoteFolderModel::Modified, 18 * kGrid);
    header()->resizeSection(RemoteFolderModel::Permissions, 13 * kGrid);
    header()->resizeSection(RemoteFolderModel::Owner, 9 * kGrid);
    header()->resizeSection(RemoteFolderModel::LinkTarget, 14 * kGrid);

    connect(this, &QTreeView::activated, this, [this](const QModelIndex &index) {
        if (const auto entry = m_model.entryAt(index.siblingAtColumn(0)))
            Q_EMIT opened(*entry);
    });
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &FileView::keepPlace);
    connect(&model, &QAbstractItemModel::modelReset, this, &FileView::restorePlace);
}

void FileView::keepPlace()
{
    m_place = {.scroll = verticalScrollBar()->value()};
    for (const EntryInfo &entry : selectedEntries()) {
        m_place.selected.append(entry.name);
        m_place.folder = entry.path.parent();
    }
    if (const auto entry = currentEntry()) {
        m_place.current = entry->name;
        m_place.folder = entry->path.parent();
    }
}

void FileView::restorePlace()
{
    // A reset of the same folder: many names changed at once, but what was selected by name stays selected.
    if (m_place.current.isEmpty() || m_place.folder != m_model.folder())
        return;
    QItemSelection selection;
    for (const QByteArray &name : m_place.selected) {
        if (const QModelIndex index = m_model.indexOf(name); index.isValid())
            selection.select(index, index);
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (const QModelIndex index = m_model.indexOf(m_place.current); index.isValid())
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    doItemsLayout();
    verticalScrollBar()->setValue(m_place.scroll);
}

QList<EntryInfo> FileView::selectedEntries() const
{
    QList<EntryInfo> entries;
    if (!selectionModel())
        return entries;
    for (const QModelIndex &index : selectionModel()->selectedRows()) {
        if (const auto entry = m_model.entryAt(index))
            entries.append(*entry);
    }
    return entries;
}

std::optional<EntryInfo> FileView::currentEntry() const
{
    return m_model.entryAt(currentIndex().siblingAtColumn(0));
}

void FileView::select(const QByteArray &name)
{
    const QModelIndex index = m_model.indexOf(name);
    if (!index.isValid())
        return;
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

void FileView::startDrag(Qt::DropActions)
{
    m_dragged.clear();
    QStringList paths;
    for (const EntryInfo &entry : selectedEntries()) {
        m_dragged.append(entry.path);
        paths.append(entry.path.toString());
    }
    if (m_dragged.isEmpty())
        return;
    auto *mime = new QMimeData;
    // A terminal takes the paths as text.
    mime->setText(paths.join(QLatin1Char('\n')));
    auto *drag = new QDrag(this);
    drag->setMimeData(mime);
    drag->setPixmap(
        iconPixmap(m_dragged.size() == 1 ? "file" : "copy", 2 * kIconSize, Token::Accent, devicePixelRatioF()));
    drag->exec(Qt::MoveAction | Qt::CopyAction, Qt::CopyAction);
    m_dragged.clear();
}

std::optional<EntryInfo> FileView::entryUnder(const QDropEvent *event) const
{
    return m_model.entryAt(indexAt(event->position().toPoint()).siblingAtColumn(0));
}

bool FileView::offer(QDropEvent *event)
{
    if (event->source() == this) {
        const auto under = entryUnder(event);
        if (!under || !under->isDirectory() || m_dragged.isEmpty() || !mayMoveInto(under->path, m_dragged))
            return false;
        event->setDropAction(Qt::MoveAction);
        event->accept();
        return true;
    }
    if (!event->mimeData()->hasUrls())
        return false;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    return true;
}

void FileView::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->source() == this || event->mimeData()->hasUrls())
        event->acceptProposedAction();
    else
        event->ignore();
}

void FileView::dragMoveEvent(QDragMoveEvent *event)
{
    QTreeView::dragMoveEvent(event); // scrolls near the edges and draws the mark
    if (!offer(event))
        event->ignore();
}

void FileView::dropEvent(QDropEvent *event)
{
    const auto under = entryUnder(event);
    if (offer(event)) {
        if (event->source() == this)
            Q_EMIT entriesDropped(m_dragged, under->path);
        else
            Q_EMIT urlsDropped(event->mimeData()->urls(), under);
    } else {
        event->ignore();
    }
    stopAutoScroll();
    setState(NoState);
    viewport()->update();
}

void FileView::keyPressEvent(QKeyEvent *event)
{
    // Enter opens. The base class leaves it to the platform whether it does.
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && event->modifiers() == Qt::NoModifier &&
        state() != EditingState && currentIndex().isValid()) {
        Q_EMIT activated(currentIndex());
        event->accept();
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace boxdeck::ui
