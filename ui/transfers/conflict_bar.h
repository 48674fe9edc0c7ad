// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/transfer_info.h"

#include <QFrame>

class QCheckBox;
class QLabel;

namespace boxdeck::ui {

/// The question "something of that name is there already", inside the pane: nothing pops up and everything else stays
/// usable.
class ConflictBar : public QFrame
{
    Q_OBJECT

public:
    explicit ConflictBar(QWidget *parent = nullptr);

    /// Shows the question of a transfer, or hides if there is none. The same question again leaves the bar as it is.
    void setQuestion(const std::optional<transfer::TransferInfo> &info);

Q_SIGNALS:
    void answered(boxdeck::transfer::TransferId id, boxdeck::transfer::ConflictChoice choice, bool forTheRest);

protected:
    void changeEvent(QEvent *event) override;

private:
    void recolour();

    QLabel *m_text;
    QLabel *m_facts;
    QCheckBox *m_rest;
    transfer::TransferId m_id;
    std::optional<transfer::ConflictQuestion> m_question;
};

} // namespace boxdeck::ui
