// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include <optional>

namespace boxdeck::ui {

/// SandboxModel sorted by instants and numbers and filtered by state and text: every word must be found somewhere in
/// the row.
class SandboxFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit SandboxFilter(QObject *parent = nullptr);

    void setWords(const QString &text);
    /// Only this protocol::SandboxState; nothing shows all.
    void setState(std::optional<int> state);
    bool isFiltering() const { return !m_words.isEmpty() || m_state; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    QStringList m_words;
    std::optional<int> m_state;
};

} // namespace boxdeck::ui
