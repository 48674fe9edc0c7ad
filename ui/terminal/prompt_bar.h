// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/theme.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace boxdeck::ui {

/// A line over the terminal that says something and may offer one thing to do about it. Never takes the focus by
/// itself: what is being typed must not press its button. Hidden until something is shown.
class PromptBar : public QFrame
{
    Q_OBJECT

public:
    enum class Tone { Neutral, Warning, Danger };

    /// `name` becomes the object name, and the prefix of the names of what is inside: Text, Accept, Close.
    explicit PromptBar(const QString &name, QWidget *parent = nullptr);

    /// `verb` is the button's text, empty for none; `closable` lets the user put the bar away.
    void showPrompt(Tone tone, const QString &text, const QString &verb = {}, bool closable = true);
    void clear();
    QString text() const;
    QPushButton *acceptButton() const { return m_accept; }

Q_SIGNALS:
    void accepted();
    /// Closed without accepting, by its button or Escape.
    void closed();

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void recolour();

    QLabel *m_icon;
    QLabel *m_text;
    QPushButton *m_accept;
    QToolButton *m_close;
    Tone m_tone = Tone::Neutral;
};

} // namespace boxdeck::ui
