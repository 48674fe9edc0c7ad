// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transfer_model.h"

#include "backend/core/display_text.h"

#include <QLocale>

#include <algorithm>

namespace boxdeck::models {

using transfer::JobState;
using transfer::TransferId;
using transfer::TransferInfo;

namespace {

QString sizeText(qint64 bytes)
{
    return bytes < 1024 ? TransferModel::tr("%1 B").arg(bytes)
                        : QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeIecFormat);
}

} // namespace

TransferModel::TransferModel(transfer::TransferEngine &engine, QObject *parent)
    : QAbstractTableModel(parent)
    , m_engine(engine)
{
    connect(&engine, &transfer::TransferEngine::added, this, &TransferModel::add);
    connect(&engine, &transfer::TransferEngine::changed, this, &TransferModel::change);
    connect(&engine, &transfer::TransferEngine::removed, this, &TransferModel::remove);
    for (const TransferId id : engine.ids())
        add(id);
}

int TransferModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TransferModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QModelIndex TransferModel::indexOf(TransferId id, int column) const
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [id](const TransferInfo &row) { return row.id == id; });
    return found == m_rows.end() ? QModelIndex() : index(static_cast<int>(found - m_rows.begin()), column);
}

std::optional<TransferInfo> TransferModel::infoAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return std::nullopt;
    return m_rows[index.row()];
}

void TransferModel::add(TransferId id)
{
    const auto info = m_engine.info(id);
    if (!info || indexOf(id).isValid())
        return;
    const int row = static_cast<int>(m_rows.size());
    beginInsertRows({}, row, row);
    m_rows.append(*info);
    endInsertRows();
}

void TransferModel::change(TransferId id)
{
    const QModelIndex first = indexOf(id);
    const auto info = m_engine.info(id);
    if (!first.isValid() || !info)
        return;
    m_rows[first.row()] = *info;
    Q_EMIT dataChanged(first, index(first.row(), ColumnCount - 1));
}

void TransferModel::remove(TransferId id)
{
    const QModelIndex gone = indexOf(id);
    if (!gone.isValid())
        return;
    beginRemoveRows({}, gone.row(), gone.row());
    m_rows.removeAt(gone.row());
    endRemoveRows();
}

QString TransferModel::stateText(const TransferInfo &info)
{
    switch (info.state) {
    case JobState::Queued:
        return tr("Waiting");
    case JobState::Scanning:
        return tr("Looking for files");
    case JobState::Running:
        return info.direction == transfer::Direction::Upload ? tr("Uploading") : tr("Downloading");
    case JobState::Paused:
        return tr("Paused");
    case JobState::Retrying:
        return tr("Trying again soon");
    case JobState::Conflict:
        return tr("Needs an answer");
    case JobState::Done:
        return tr("Done");
    case JobState::Failed:
        return tr("Failed");
    case JobState::Cancelled:
        return tr("Cancelled");
    }
    return {};
}

QString TransferModel::nameText(const TransferInfo &info)
{
    const QString name = displayText(info.name, 255);
    return info.rootCount > 1 ? tr("%1 and %n more", nullptr, info.rootCount - 1).arg(name) : name;
}

std::optional<int> TransferModel::percent(const TransferInfo &info)
{
    if (info.state == JobState::Done)
        return 100;
    if (info.bytesTotal > 0) {
        const double share = static_cast<double>(info.bytesDone) / static_cast<double>(info.bytesTotal);
        return std::clamp(static_cast<int>(share * 100), 0, 100);
    }
    if (info.filesTotal > 0)
        return info.filesDone * 100 / info.filesTotal;
    return std::nullopt;
}

QVariant TransferModel::display(const TransferInfo &info, int column) const
{
    switch (column) {
    case Name:
        return nameText(info);
    case State:
        return stateText(info);
    case Progress: {
        const auto share = percent(info);
        return share ? QVariant(tr("%1 %").arg(*share)) : QVariant();
    }
    case Size:
        if (info.filesTotal > 1) {
            return tr("%1 of %2, %3 of %n files", nullptr, info.filesTotal)
                .arg(sizeText(info.bytesDone), sizeText(info.bytesTotal))
                .arg(info.filesDone);
        }
        return info.bytesTotal > 0 ? tr("%1 of %2").arg(sizeText(info.bytesDone), sizeText(info.bytesTotal))
                                   : QString();
    case Speed:
        return info.bytesPerSecond >= 1 ? tr("%1/s").arg(sizeText(static_cast<qint64>(info.bytesPerSecond)))
                                        : QString();
    case TimeLeft: {
        if (!info.secondsLeft || info.state != JobState::Running)
            return {};
        const qint64 s = *info.secondsLeft;
        if (s < 60)
            return tr("%1 s left").arg(s);
        if (s < 3600)
            return tr("%1 min %2 s left").arg(s / 60).arg(s % 60, 2, 10, QLatin1Char('0'));
        return tr("%1 h %2 min left").arg(s / 3600).arg(s % 3600 / 60, 2, 10, QLatin1Char('0'));
    }
    case Sandbox:
        return displayText(info.label, 255);
    default:
        return {};
    }
}

QVariant TransferModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const TransferInfo &info = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return display(info, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() == Progress || index.column() == Speed || index.column() == TimeLeft)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case TransferIdRole:
        return info.id.value;
    case StateRole:
        return static_cast<int>(info.state);
    case PercentRole: {
        const auto share = percent(info);
        return share ? QVariant(*share) : QVariant();
    }
    case DirectionRole:
        return static_cast<int>(info.direction);
    case SortRole:
        switch (index.column()) {
        case Progress:
            return percent(info).value_or(-1);
        case Size:
            return info.bytesTotal;
        case Speed:
            return info.bytesPerSecond;
        case TimeLeft:
            return info.secondsLeft.value_or(-1);
        default:
            return display(info, index.column());
        }
    default:
        return {};
    }
}

QVariant TransferModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && (section == Speed || section == TimeLeft))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter); // over their numbers
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case State:
        return tr("State");
    case Progress:
        return tr("Progress");
    case Size:
        return tr("Size");
    case Speed:
        return tr("Speed");
    case TimeLeft:
        return tr("Time left");
    case Sandbox:
        return tr("Sandbox");
    default:
        return {};
    }
}

} // namespace boxdeck::models
