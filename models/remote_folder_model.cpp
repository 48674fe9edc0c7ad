// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/remote_folder_model.h"

#include "backend/core/display_text.h"

#include <QCollator>
#include <QHash>
#include <QLocale>
#include <QThreadPool>

#include <algorithm>
#include <numeric>

namespace boxdeck::models {

using protocol::EntryInfo;
using protocol::FileType;

namespace {
constexpr qsizetype inBackground = 3000; // entries from which preparing and sorting would be felt
constexpr qsizetype manyChanges = 300;   // rows from which single notices cost more than a reset
/// As ls writes them: Go says L for a link. Untrusted text otherwise.
QString permissionsText(const QString &told)
{
    return boxdeck::displayText(told.startsWith(u'L') ? u'l' + told.mid(1) : told, 16);
}

} // namespace

struct RemoteFolderModel::Row
{
    EntryInfo info;
    QString name; ///< safe to show
    QCollatorSortKey key;
    bool hidden;
};

/// Where a worker leaves its result: lives on the GUI thread and as long as any worker.
struct RemoteFolderModel::Relay : QObject
{
    RemoteFolderModel *model = nullptr; ///< null once the model is gone; GUI thread only
};

RemoteFolderModel::RemoteFolderModel(QObject *parent)
    : QAbstractTableModel(parent)
    , m_relay(new Relay, [](Relay *relay) { relay->deleteLater(); }) // the last holder may be a worker
{
    m_relay->model = this;
}

RemoteFolderModel::~RemoteFolderModel()
{
    m_relay->model = nullptr;
    dispose(std::move(m_shown));
    dispose(std::move(m_all));
}

RemoteFolderModel::RowPtr RemoteFolderModel::makeRow(const EntryInfo &entry)
{
    // One per thread: making a collator costs more than a key.
    thread_local const QCollator collator = [] {
        // The C locale compares bytes and knows no numbers: file10 would come before file9.
        QCollator made(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale());
        made.setNumericMode(true);
        made.setCaseSensitivity(Qt::CaseInsensitive);
        return made;
    }();
    QString name = boxdeck::displayText(QString::fromUtf8(entry.name));
    QCollatorSortKey key = collator.sortKey(name);
    return std::make_shared<const Row>(
        Row{.info = entry, .name = std::move(name), .key = std::move(key), .hidden = entry.name.startsWith('.')});
}

bool RemoteFolderModel::before(const Row &a, const Row &b, const Spec &spec)
{
    if (a.info.isDirectory() != b.info.isDirectory())
        return a.info.isDirectory(); // folders first, whichever way
    const bool descending = spec.order == Qt::DescendingOrder;
    const auto decided = [descending](int order) { return descending ? order > 0 : order < 0; };
    const auto compare = [](const auto &x, const auto &y) { return x < y ? -1 : y < x ? 1 : 0; };
    int order = 0;
    switch (spec.column) {
    case Size:
        order = compare(a.info.size, b.info.size);
        break;
    case Modified:
        order = compare(a.info.modified, b.info.modified);
        break;
    case Permissions:
        order = compare(a.info.permissions, b.info.permissions);
        break;
    case Owner:
        order = compare(a.info.owner, b.info.owner);
        break;
    case LinkTarget:
        order = compare(a.info.symlinkTarget.value_or(QByteArray()), b.info.symlinkTarget.value_or(QByteArray()));
        break;
    default:
        break;
    }
    if (order != 0)
        return decided(order);
    order = a.key.compare(b.key);
    if (order != 0)
        return spec.column == Name ? decided(order) : order < 0;
    return a.info.name < b.info.name; // names that collate the same are still two rows
}

RemoteFolderModel::Rows RemoteFolderModel::arranged(const Rows &all, const Spec &spec)
{
    Rows rows;
    rows.reserve(all.size());
    for (const RowPtr &row : all) {
        if ((!spec.hidden && row->hidden) ||
            (!spec.filter.isEmpty() && !row->name.contains(spec.filter, Qt::CaseInsensitive)))
            continue;
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [&spec](const RowPtr &a, const RowPtr &b) { return before(*a, *b, spec); });
    return rows;
}

void RemoteFolderModel::setFolder(const RemotePath &folder)
{
    if (m_folder == folder)
        return;
    m_folder = folder;
    m_folderIsNew = true;
    ++m_generation;
    m_listing = false;
    m_afterListing.clear();
}

void RemoteFolderModel::setEntries(const QList<EntryInfo> &entries)
{
    const auto prepare = [](const QList<EntryInfo> &list, const RemotePath &folder, const Spec &spec) {
        struct Prepared
        {
            Rows all;
            Rows shown;
            int refused = 0;
        } prepared;
        prepared.all.reserve(static_cast<size_t>(list.size()));
        for (const EntryInfo &entry : list) {
            auto path = folder.child(entry.name);
            if (!path) {
                ++prepared.refused;
                continue;
            }
            EntryInfo own = entry;
            own.path = *path; // never the server's word for where it is
            prepared.all.push_back(makeRow(own));
        }
        prepared.shown = arranged(prepared.all, spec);
        return prepared;
    };
    const quint64 generation = ++m_generation;
    m_listing = true;
    const auto take = [this](auto prepared) {
        m_listing = false;
        dispose(std::exchange(m_all, std::move(prepared.all)));
        m_refused = prepared.refused;
        show(std::move(prepared.shown));
        for (const auto &change : std::exchange(m_afterListing, {}))
            change();
        Q_EMIT settled();
    };
    if (entries.size() < inBackground)
        return take(prepare(entries, m_folder, m_spec));
    QThreadPool::globalInstance()->start(
        [relay = m_relay, generation, prepare, take, entries, folder = m_folder, spec = m_spec] {
            auto prepared = std::make_shared<decltype(prepare(entries, folder, spec))>(prepare(entries, folder, spec));
            QMetaObject::invokeMethod(
                relay.get(),
                [relay, generation, take, prepared] {
                    if (relay->model && relay->model->m_generation == generation)
                        take(std::move(*prepared));
                },
                Qt::QueuedConnection);
        });
}

void RemoteFolderModel::arrange()
{
    if (m_listing) { // what is being prepared is newer than m_all
        m_afterListing.push_back([this] { arrange(); });
        return;
    }
    const quint64 generation = ++m_generation;
    if (static_cast<qsizetype>(m_all.size()) < inBackground) {
        show(arranged(m_all, m_spec));
        Q_EMIT settled();
        return;
    }
    QThreadPool::globalInstance()->start([this, relay = m_relay, generation, all = m_all, spec = m_spec] {
        auto rows = std::make_shared<Rows>(arranged(all, spec));
        QMetaObject::invokeMethod(
            relay.get(),
            [this, relay, generation, rows] {
                if (!relay->model || m_generation != generation)
                    return;
                show(std::move(*rows));
                Q_EMIT settled();
            },
            Qt::QueuedConnection);
    });
}

void RemoteFolderModel::show(Rows next)
{
    if (m_folderIsNew) {
        m_folderIsNew = false;
        replaceShown(std::move(next));
        return;
    }
    QHash<QByteArray, int> nextRow;
    nextRow.reserve(static_cast<qsizetype>(next.size()));
    for (size_t i = 0; i < next.size(); ++i)
        nextRow.insert(next[i]->info.name, static_cast<int>(i));
    // One look-up for each row on screen; from here on it is numbers.
    std::vector<int> place;
    place.reserve(m_shown.size());
    for (const RowPtr &row : m_shown)
        place.push_back(nextRow.value(row->info.name, -1));
    const auto gone = static_cast<size_t>(std::count(place.begin(), place.end(), -1));
    const size_t added = next.size() - (m_shown.size() - gone);
    if (static_cast<qsizetype>(gone + added) > manyChanges)
        return replaceShown(std::move(next));

    for (int row = static_cast<int>(place.size()) - 1; gone > 0 && row >= 0; --row) {
        if (place[static_cast<size_t>(row)] >= 0)
            continue;
        beginRemoveRows({}, row, row);
        m_shown.erase(m_shown.begin() + row);
        endRemoveRows();
    }
    std::erase(place, -1);
    // The rest may be in another order: another sort column, or a value that changed.
    if (!std::is_sorted(place.begin(), place.end()))
        reorderShown(place);
    for (size_t i = 0; i < next.size(); ++i) {
        const int row = static_cast<int>(i);
        if (i < m_shown.size() && m_shown[i]->info.name == next[i]->info.name) {
            const bool changed = m_shown[i] != next[i] && m_shown[i]->info != next[i]->info;
            m_shown[i] = next[i];
            if (changed)
                Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
            continue;
        }
        beginInsertRows({}, row, row);
        m_shown.insert(m_shown.begin() + row, next[i]);
        endInsertRows();
    }
}

void RemoteFolderModel::dispose(Rows rows)
{
    // A hundred thousand rows are a million pieces of memory: giving them back here would be felt.
    if (static_cast<qsizetype>(rows.size()) >= inBackground)
        QThreadPool::globalInstance()->start([held = std::move(rows)]() mutable { held.clear(); });
}

void RemoteFolderModel::reorderShown(const std::vector<int> &place)
{
    std::vector<int> order(place.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return place[static_cast<size_t>(a)] < place[static_cast<size_t>(b)]; });
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    Rows rows;
    rows.reserve(order.size());
    std::vector<int> newRow(order.size());
    for (const int old : order) {
        newRow[static_cast<size_t>(old)] = static_cast<int>(rows.size());
        rows.push_back(std::move(m_shown[static_cast<size_t>(old)]));
    }
    m_shown = std::move(rows);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex &old : before)
        after.append(index(newRow[static_cast<size_t>(old.row())], old.column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void RemoteFolderModel::replaceShown(Rows next)
{
    beginResetModel();
    next.swap(m_shown);
    endResetModel();
    dispose(std::move(next));
}

void RemoteFolderModel::updateEntry(const EntryInfo &entry)
{
    const auto path = m_folder.child(entry.name);
    if (!path)
        return;
    if (m_listing) {
        m_afterListing.push_back([this, entry] { updateEntry(entry); });
        return;
    }
    EntryInfo own = entry;
    own.path = *path;
    const auto found =
        std::find_if(m_all.begin(), m_all.end(), [&](const RowPtr &row) { return row->info.name == own.name; });
    if (found == m_all.end())
        m_all.push_back(makeRow(own));
    else if ((*found)->info != own)
        *found = makeRow(own);
    else
        return;
    arrange();
}

void RemoteFolderModel::removeEntry(const QByteArray &name)
{
    if (m_listing) {
        m_afterListing.push_back([this, name] { removeEntry(name); });
        return;
    }
    if (std::erase_if(m_all, [&](const RowPtr &row) { return row->info.name == name; }) > 0)
        arrange();
}

void RemoteFolderModel::clear()
{
    ++m_generation;
    m_listing = false;
    m_afterListing.clear();
    dispose(std::exchange(m_all, {}));
    m_refused = 0;
    replaceShown({});
}

void RemoteFolderModel::setShowsHidden(bool shown)
{
    if (std::exchange(m_spec.hidden, shown) != shown)
        arrange();
}

void RemoteFolderModel::setFilter(const QString &text)
{
    if (std::exchange(m_spec.filter, text) != text)
        arrange();
}

void RemoteFolderModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= ColumnCount || (column == m_spec.column && order == m_spec.order))
        return;
    m_spec.column = column;
    m_spec.order = order;
    arrange();
}

int RemoteFolderModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RemoteFolderModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QModelIndex RemoteFolderModel::indexOf(const QByteArray &name, int column) const
{
    const auto found =
        std::find_if(m_shown.begin(), m_shown.end(), [&](const RowPtr &row) { return row->info.name == name; });
    return found == m_shown.end() ? QModelIndex() : index(static_cast<int>(found - m_shown.begin()), column);
}

std::optional<EntryInfo> RemoteFolderModel::entryAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return std::nullopt;
    return m_shown[static_cast<size_t>(index.row())]->info;
}

QString RemoteFolderModel::displayText(const Row &row, int column) const
{
    const EntryInfo &info = row.info;
    switch (column) {
    case Name:
        return row.name;
    case Size:
        if (info.isDirectory() || info.isSymlink())
            return {};
        return info.size < 1024 ? tr("%1 B").arg(info.size)
                                : QLocale().formattedDataSize(info.size, 1, QLocale::DataSizeIecFormat);
    case Modified:
        return info.modified.isValid() ? QLocale().toString(info.modified.toLocalTime(), QLocale::ShortFormat)
                                       : QString();
    case Permissions:
        return permissionsText(info.permissions);
    case Owner:
        return info.group.isEmpty() || info.group == info.owner
                   ? boxdeck::displayText(info.owner, 64)
                   : boxdeck::displayText(info.owner + QLatin1Char(':') + info.group, 64);
    case LinkTarget:
        if (!info.isSymlink())
            return {};
        // A link that can't be resolved is told with its own path.
        return *info.symlinkTarget == info.path.bytes() ? tr("leads nowhere")
                                                        : boxdeck::displayText(QString::fromUtf8(*info.symlinkTarget));
    default:
        return {};
    }
}

QVariant RemoteFolderModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = *m_shown[static_cast<size_t>(index.row())];
    const bool broken = row.info.isSymlink() && row.info.type == FileType::Unknown;
    switch (role) {
    case Qt::DisplayRole:
        return displayText(row, index.column());
    case Qt::EditRole:
        return index.column() == Name ? QString::fromUtf8(row.info.name) : displayText(row, index.column());
    case Qt::ToolTipRole:
        if (index.column() == Modified && row.info.modified.isValid())
            return row.info.modified.toUTC().toString(Qt::ISODate);
        if (index.column() == Size && !row.info.isDirectory())
            return tr("%1 bytes").arg(QLocale().toString(row.info.size));
        if (index.column() == Name || index.column() == LinkTarget)
            return toolTipText(displayText(row, index.column()));
        return {};
    case Qt::TextAlignmentRole:
        if (index.column() == Size)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case Qt::AccessibleDescriptionRole:
        if (index.column() != Name)
            return {};
        return broken                            ? tr("broken link")
               : row.info.isSymlink()            ? tr("link")
               : row.info.isDirectory()          ? tr("folder")
               : row.info.type == FileType::File ? tr("file")
                                                 : tr("special file");
    case NameRole:
        return row.info.name;
    case IsFolderRole:
        return row.info.isDirectory();
    case IsLinkRole:
        return row.info.isSymlink();
    case IsBrokenRole:
        return broken;
    case IconRole:
        return broken                            ? QStringLiteral("broken-link")
               : row.info.isDirectory()          ? QStringLiteral("folder")
               : row.info.isSymlink()            ? QStringLiteral("link")
               : row.info.type == FileType::File ? QStringLiteral("file")
                                                 : QStringLiteral("unknown");
    default:
        return {};
    }
}

QVariant RemoteFolderModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Size)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Size:
        return tr("Size");
    case Modified:
        return tr("Modified");
    case Permissions:
        return tr("Permissions");
    case Owner:
        return tr("Owner");
    case LinkTarget:
        return tr("Link target");
    default:
        return {};
    }
}

Qt::ItemFlags RemoteFolderModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
    if (index.column() == Name)
        flags |= Qt::ItemIsEditable;
    if (m_shown[static_cast<size_t>(index.row())]->info.isDirectory())
        flags |= Qt::ItemIsDropEnabled;
    return flags;
}

} // namespace boxdeck::models
