// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandbox_filter.h"

#include "models/sandbox_model.h"

namespace boxdeck::ui {

using models::SandboxModel;

SandboxFilter::SandboxFilter(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(SandboxModel::SortRole);
    setDynamicSortFilter(true);
}

void SandboxFilter::setWords(const QString &text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void SandboxFilter::setState(std::optional<int> state)
{
    m_state = state;
    invalidateFilter();
}

bool SandboxFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (m_state && index.data(SandboxModel::StateRole).toInt() != *m_state)
        return false;
    if (m_words.isEmpty())
        return true;
    const QString text = index.data(SandboxModel::FilterRole).toString();
    return std::all_of(m_words.cbegin(), m_words.cend(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool SandboxFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const QVariant a = left.data(SandboxModel::SortRole), b = right.data(SandboxModel::SortRole);
    const QPartialOrdering order = QVariant::compare(a, b);
    if (order == QPartialOrdering::Less || order == QPartialOrdering::Greater)
        return order == QPartialOrdering::Less;
    // Equal rows keep one order, so that a refresh does not shuffle them.
    return left.data(SandboxModel::SandboxIdRole).toString() < right.data(SandboxModel::SandboxIdRole).toString();
}

} // namespace boxdeck::ui
