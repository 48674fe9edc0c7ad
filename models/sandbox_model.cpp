// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sandbox_model.h"

#include "backend/core/display_text.h"

#include <QLocale>
#include <QStringList>

#include <chrono>

using namespace std::chrono_literals;

namespace boxdeck::models {

using protocol::SandboxId;
using protocol::SandboxState;
using protocol::SandboxSummary;

namespace {

// Metadata of our own (the mark by which a create is found again) is no news to the person.
const auto ownPrefix = QLatin1String("boxdeck.");

constexpr qsizetype cellLimit = 200; // characters; metadata may be of any size

QMap<QString, QString> foreignMetadata(const SandboxSummary &sandbox)
{
    QMap<QString, QString> metadata = sandbox.metadata;
    metadata.removeIf([](const auto &entry) { return entry.key().startsWith(ownPrefix); });
    return metadata;
}

QString metadataText(const SandboxSummary &sandbox, const QString &separator)
{
    QStringList pairs;
    const auto metadata = foreignMetadata(sandbox);
    for (auto it = metadata.begin(); it != metadata.end(); ++it)
        pairs.append(QStringLiteral("%1=%2").arg(displayText(it.key(), cellLimit), displayText(it.value(), cellLimit)));
    return pairs.join(separator);
}

QString timeToolTip(const QDateTime &time)
{
    if (!time.isValid())
        return {};
    return QStringLiteral("%1\n%2 UTC")
        .arg(QLocale().toString(time.toLocalTime(), QLocale::ShortFormat),
             time.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
}

// States in the order of how much they ask for attention.
int stateRank(SandboxState state)
{
    switch (state) {
    case SandboxState::Running:
        return 0;
    case SandboxState::Transitioning:
        return 1;
    case SandboxState::Unknown:
        return 2;
    case SandboxState::Paused:
        return 3;
    case SandboxState::Terminal:
        break;
    }
    return 4;
}

} // namespace

SandboxModel::SandboxModel(session::SandboxStore &store, session::TemplateStore *templates, QObject *parent)
    : QAbstractTableModel(parent)
    , m_store(store)
    , m_templates(templates)
{
    for (const SandboxSummary &sandbox : store.items()) {
        m_rowOf.insert(sandbox.id, int(m_rows.size()));
        m_rows.append(makeRow(sandbox));
    }
    connect(&store, &session::SandboxStore::inserted, this, &SandboxModel::insert);
    connect(&store, &session::SandboxStore::changed, this, &SandboxModel::change);
    connect(&store, &session::SandboxStore::removed, this, &SandboxModel::remove);
    if (templates) {
        connect(templates, &session::TemplateStore::updated, this, [this] {
            if (!m_rows.isEmpty())
                Q_EMIT dataChanged(index(0, Template), index(int(m_rows.size()) - 1, Template));
        });
    }
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, &SandboxModel::tick);
    m_tick.start();
}

int SandboxModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int SandboxModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant SandboxModel::data(const QModelIndex &index, int role) const
{
    // Views and proxies ask for no row now and then; checkIndex() would call each a mistake.
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows.at(index.row());
    const SandboxSummary &sandbox = row.sandbox;
    const auto optional = [](const std::optional<qint64> &value) { return value ? QVariant(*value) : QVariant(); };
    switch (role) {
    case Qt::DisplayRole:
        return display(row, index.column());
    case Qt::ToolTipRole:
        return toolTip(row, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() == Age || index.column() == TimeLeft || index.column() == Cpu || index.column() == Memory)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case SandboxIdRole:
        return sandbox.id.value;
    case StateRole:
        return int(sandbox.state);
    case SortRole:
        return sortValue(row, index.column());
    case StartedAtRole:
        return sandbox.startedAt;
    case EndAtRole:
        return sandbox.endAt;
    case SecondsLeftRole:
        return optional(m_store.secondsLeft(sandbox));
    case AgeSecondsRole:
        return sandbox.startedAt.isValid() ? QVariant(sandbox.startedAt.secsTo(m_store.serverNow())) : QVariant();
    case TemplateIdRole:
        return sandbox.templateId.value;
    case MetadataRole: {
        QVariantMap map;
        const auto metadata = foreignMetadata(sandbox);
        for (auto it = metadata.begin(); it != metadata.end(); ++it)
            map.insert(it.key(), it.value());
        return map;
    }
    case FilterRole:
        return QStringList{displayName(sandbox),
                           sandbox.id.value,
                           templateName(sandbox),
                           sandbox.templateId.value,
                           metadataText(sandbox, QStringLiteral(" ")),
                           stateText(sandbox.state, sandbox.rawState)}
            .join(u'\n');
    default:
        return {};
    }
}

QVariant SandboxModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    // A heading stands over its figures.
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole &&
        (section == Age || section == TimeLeft || section == Cpu || section == Memory))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case Name:
        return tr("Name");
    case Template:
        return tr("Template");
    case Age:
        return tr("Age");
    case TimeLeft:
        return tr("Time left");
    case Metadata:
        return tr("Metadata");
    case Cpu:
        return tr("CPUs");
    case Memory:
        return tr("Memory");
    case Id:
        return tr("ID");
    default:
        return {};
    }
}

QHash<int, QByteArray> SandboxModel::roleNames() const
{
    auto names = QAbstractTableModel::roleNames();
    names.insert(SandboxIdRole, "sandboxId");
    names.insert(StateRole, "state");
    names.insert(SortRole, "sort");
    return names;
}

QModelIndex SandboxModel::indexOf(const SandboxId &id, int column) const
{
    const auto row = m_rowOf.constFind(id);
    return row == m_rowOf.constEnd() ? QModelIndex() : index(*row, column);
}

SandboxId SandboxModel::idAt(const QModelIndex &index) const
{
    const auto sandbox = sandboxAt(index);
    return sandbox ? sandbox->id : SandboxId();
}

std::optional<SandboxSummary> SandboxModel::sandboxAt(const QModelIndex &index) const
{
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return std::nullopt;
    return m_rows.at(index.row()).sandbox;
}

QString SandboxModel::displayName(const SandboxSummary &sandbox)
{
    const QString name = sandbox.metadata.value(QStringLiteral("name")).trimmed();
    return displayText(name.isEmpty() ? sandbox.id.value : name, cellLimit);
}

QString SandboxModel::stateText(SandboxState state, const QString &rawState)
{
    switch (state) {
    case SandboxState::Running:
        return tr("Running");
    case SandboxState::Paused:
        return tr("Paused");
    case SandboxState::Terminal:
        return tr("Ended");
    case SandboxState::Transitioning:
    case SandboxState::Unknown:
        break;
    }
    return rawState.isEmpty() ? tr("Changing") : displayText(rawState, 40);
}

QString SandboxModel::durationText(qint64 seconds)
{
    seconds = std::max<qint64>(0, seconds);
    const qint64 minutes = seconds / 60;
    const qint64 hours = minutes / 60;
    if (minutes == 0)
        return tr("%1 s").arg(seconds);
    if (hours == 0)
        return tr("%1 min").arg(minutes);
    if (hours < 24)
        return tr("%1 h %2 min").arg(hours).arg(minutes % 60, 2, 10, QLatin1Char('0'));
    return tr("%1 d %2 h").arg(hours / 24).arg(hours % 24);
}

void SandboxModel::insert(const SandboxId &id)
{
    const auto sandbox = m_store.find(id);
    if (!sandbox || m_rowOf.contains(id))
        return;
    const int row = int(m_rows.size());
    beginInsertRows({}, row, row);
    m_rows.append(makeRow(*sandbox));
    m_rowOf.insert(id, row);
    endInsertRows();
}

void SandboxModel::change(const SandboxId &id)
{
    const auto sandbox = m_store.find(id);
    const auto row = m_rowOf.constFind(id);
    if (!sandbox || row == m_rowOf.constEnd())
        return;
    m_rows[*row] = makeRow(*sandbox);
    Q_EMIT dataChanged(index(*row, 0), index(*row, ColumnCount - 1));
}

void SandboxModel::remove(const SandboxId &id)
{
    const auto found = m_rowOf.constFind(id);
    if (found == m_rowOf.constEnd())
        return;
    const int row = *found;
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    m_rowOf.remove(id);
    for (int i = row; i < m_rows.size(); ++i)
        m_rowOf[m_rows.at(i).sandbox.id] = i;
    endRemoveRows();
}

SandboxModel::Row SandboxModel::makeRow(const SandboxSummary &sandbox) const
{
    Row row{.sandbox = sandbox};
    if (sandbox.startedAt.isValid())
        row.age = durationText(sandbox.startedAt.secsTo(m_store.serverNow()));
    if (const auto left = m_store.secondsLeft(sandbox))
        row.timeLeft = durationText(*left);
    return row;
}

// Time passes for every row, but only cells whose text changed are announced.
void SandboxModel::tick()
{
    for (int i = 0; i < m_rows.size(); ++i) {
        Row fresh = makeRow(m_rows.at(i).sandbox);
        if (fresh.age == m_rows.at(i).age && fresh.timeLeft == m_rows.at(i).timeLeft)
            continue;
        m_rows[i] = std::move(fresh);
        Q_EMIT dataChanged(index(i, Age), index(i, TimeLeft));
    }
}

QString SandboxModel::templateName(const SandboxSummary &sandbox) const
{
    if (m_templates) {
        if (const auto known = m_templates->find(sandbox.templateId))
            return displayText(known->displayName(), cellLimit);
    }
    return displayText(sandbox.alias.isEmpty() ? sandbox.templateId.value : sandbox.alias, cellLimit);
}

QVariant SandboxModel::display(const Row &row, int column) const
{
    const SandboxSummary &sandbox = row.sandbox;
    switch (column) {
    case State:
        return stateText(sandbox.state, sandbox.rawState);
    case Name:
        return displayName(sandbox);
    case Template:
        return templateName(sandbox);
    case Age:
        return row.age;
    case TimeLeft:
        return row.timeLeft;
    case Metadata:
        return metadataText(sandbox, QStringLiteral(", ")).left(4 * cellLimit);
    case Cpu:
        return sandbox.cpuCount > 0 ? QVariant(QLocale().toString(sandbox.cpuCount)) : QVariant();
    case Memory:
        return sandbox.memoryMB > 0 ? QVariant(QLocale().formattedDataSize(qint64(sandbox.memoryMB) << 20))
                                    : QVariant();
    case Id:
        return displayText(sandbox.id.value, cellLimit);
    default:
        return {};
    }
}

QVariant SandboxModel::sortValue(const Row &row, int column) const
{
    const SandboxSummary &sandbox = row.sandbox;
    switch (column) {
    case State:
        return stateRank(sandbox.state);
    case Age: // young first: the later the start, the smaller the age
        return sandbox.startedAt.isValid() ? -sandbox.startedAt.toMSecsSinceEpoch()
                                           : std::numeric_limits<qint64>::max();
    case TimeLeft: // what never ends, or does not run, comes last
        return sandbox.state == SandboxState::Running && sandbox.endAt.isValid() ? sandbox.endAt.toMSecsSinceEpoch()
                                                                                 : std::numeric_limits<qint64>::max();
    case Cpu:
        return sandbox.cpuCount;
    case Memory:
        return sandbox.memoryMB;
    default:
        return display(row, column);
    }
}

QVariant SandboxModel::toolTip(const Row &row, int column) const
{
    switch (column) {
    case Age:
        return timeToolTip(row.sandbox.startedAt);
    case TimeLeft:
        return timeToolTip(row.sandbox.endAt);
    case Metadata:
        return toolTipText(metadataText(row.sandbox, QStringLiteral("\n")).left(4096));
    case Id:
    case Name:
        return toolTipText(displayText(row.sandbox.id.value, cellLimit));
    default:
        return {};
    }
}

} // namespace boxdeck::models
