// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/template_model.h"

#include "backend/core/display_text.h"

#include <QLocale>
#include <QStringList>

namespace boxdeck::models {

using protocol::BuildStatus;
using protocol::TemplateId;
using protocol::TemplateSummary;

namespace {

constexpr qsizetype cellLimit = 200; // characters

QVariant sizeText(int mebibytes)
{
    return mebibytes > 0 ? QVariant(QLocale().formattedDataSize(qint64(mebibytes) << 20)) : QVariant();
}

} // namespace

TemplateModel::TemplateModel(session::TemplateStore &store, QObject *parent)
    : QAbstractTableModel(parent)
    , m_store(store)
{
    for (const TemplateSummary &entry : store.items()) {
        m_rowOf.insert(entry.id, int(m_rows.size()));
        m_rows.append(entry);
    }
    connect(&store, &session::TemplateStore::inserted, this, &TemplateModel::insert);
    connect(&store, &session::TemplateStore::changed, this, &TemplateModel::change);
    connect(&store, &session::TemplateStore::removed, this, &TemplateModel::remove);
}

int TemplateModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int TemplateModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant TemplateModel::data(const QModelIndex &index, int role) const
{
    // Views and proxies ask for no row now and then; checkIndex() would call each a mistake.
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const TemplateSummary &entry = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(entry, index.column());
    case Qt::ToolTipRole:
        return toolTip(entry, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() >= Cpu && index.column() <= Used)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case TemplateIdRole:
        return entry.id.value;
    case BuildStatusRole:
        return int(entry.buildStatus);
    case SpawnableRole:
        return entry.isSpawnable();
    case SortRole:
        return sortValue(entry, index.column());
    case UpdatedAtRole:
        return entry.updatedAt;
    case ReasonRole:
        return entry.reason;
    case CreateNameRole:
        if (!entry.names.isEmpty())
            return entry.names.first();
        return entry.aliases.isEmpty() ? entry.id.value : entry.aliases.first();
    case FilterRole:
        return (QStringList{entry.displayName(), entry.id.value, statusText(entry)} + entry.names + entry.aliases)
            .join(u'\n');
    default:
        return {};
    }
}

QVariant TemplateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    // A heading stands over its figures.
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && (section >= Cpu && section <= Used))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Build:
        return tr("Build");
    case Cpu:
        return tr("CPUs");
    case Memory:
        return tr("Memory");
    case Disk:
        return tr("Disk");
    case Updated:
        return tr("Updated");
    case Used:
        return tr("Times used");
    case Id:
        return tr("ID");
    default:
        return {};
    }
}

QModelIndex TemplateModel::indexOf(const TemplateId &id, int column) const
{
    const auto row = m_rowOf.constFind(id);
    return row == m_rowOf.constEnd() ? QModelIndex() : index(*row, column);
}

std::optional<TemplateSummary> TemplateModel::templateAt(const QModelIndex &index) const
{
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return std::nullopt;
    return m_rows.at(index.row());
}

QString TemplateModel::statusText(const TemplateSummary &entry)
{
    switch (entry.buildStatus) {
    case BuildStatus::Ready:
        return tr("Ready");
    case BuildStatus::Building:
        return entry.isSpawnable() ? tr("Rebuilding") : tr("Building");
    case BuildStatus::Waiting:
        return tr("Waiting");
    case BuildStatus::Error:
        return entry.isSpawnable() ? tr("Rebuild failed") : tr("Failed");
    case BuildStatus::Untagged:
        return tr("No default build");
    case BuildStatus::Other:
        break;
    }
    return entry.rawStatus.isEmpty() ? tr("Unknown") : displayText(entry.rawStatus, 40);
}

void TemplateModel::insert(const TemplateId &id)
{
    const auto entry = m_store.find(id);
    if (!entry || m_rowOf.contains(id))
        return;
    const int row = int(m_rows.size());
    beginInsertRows({}, row, row);
    m_rows.append(*entry);
    m_rowOf.insert(id, row);
    endInsertRows();
}

void TemplateModel::change(const TemplateId &id)
{
    const auto entry = m_store.find(id);
    const auto row = m_rowOf.constFind(id);
    if (!entry || row == m_rowOf.constEnd())
        return;
    m_rows[*row] = *entry;
    Q_EMIT dataChanged(index(*row, 0), index(*row, ColumnCount - 1));
}

void TemplateModel::remove(const TemplateId &id)
{
    const auto found = m_rowOf.constFind(id);
    if (found == m_rowOf.constEnd())
        return;
    const int row = *found;
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    m_rowOf.remove(id);
    for (int i = row; i < m_rows.size(); ++i)
        m_rowOf[m_rows.at(i).id] = i;
    endRemoveRows();
}

QVariant TemplateModel::display(const TemplateSummary &entry, int column) const
{
    switch (column) {
    case Name:
        return displayText(entry.displayName(), cellLimit);
    case Build:
        return statusText(entry);
    case Cpu:
        return entry.cpuCount > 0 ? QVariant(QLocale().toString(entry.cpuCount)) : QVariant();
    case Memory:
        return sizeText(entry.memoryMB);
    case Disk:
        return sizeText(entry.diskSizeMB);
    case Updated:
        return QLocale().toString(entry.updatedAt.toLocalTime(), QLocale::ShortFormat);
    case Used:
        return QLocale().toString(entry.spawnCount);
    case Id:
        return displayText(entry.id.value, cellLimit);
    default:
        return {};
    }
}

QVariant TemplateModel::sortValue(const TemplateSummary &entry, int column) const
{
    switch (column) {
    case Build:
        return int(entry.buildStatus);
    case Cpu:
        return entry.cpuCount;
    case Memory:
        return entry.memoryMB;
    case Disk:
        return entry.diskSizeMB;
    case Updated:
        return entry.updatedAt.isValid() ? entry.updatedAt.toMSecsSinceEpoch() : std::numeric_limits<qint64>::min();
    case Used:
        return entry.spawnCount;
    default:
        return display(entry, column);
    }
}

QVariant TemplateModel::toolTip(const TemplateSummary &entry, int column) const
{
    switch (column) {
    case Name:
        return toolTipText(displayText((entry.names + entry.aliases).join(QStringLiteral(", "))));
    case Build:
        return toolTipText(displayText(entry.reason));
    case Updated:
        return entry.updatedAt.isValid()
                   ? entry.updatedAt.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) + QStringLiteral(" UTC")
                   : QString();
    case Id:
        return toolTipText(displayText(entry.id.value, cellLimit));
    default:
        return {};
    }
}

} // namespace boxdeck::models
