// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace boxdeck::ui {

/// What a pane shows instead of nothing: a drawing, one sentence, and the one next action.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    /// `name` becomes the object name, and the prefix of the button's ("NAMEAction"). `drawing` is one of
    /// resources/illustrations.
    EmptyState(const QString &name, const char *drawing, QWidget *parent = nullptr);

    void setDrawing(const char *drawing);
    /// `title` is the state in a few words, `sentence` says what to do about it; either may be empty.
    void setText(const QString &title, const QString &sentence);
    /// The one next action, a verb that names the thing; an empty text hides the button.
    void setAction(const QString &verb, const char *iconName = nullptr);
    QPushButton *actionButton() const { return m_action; }

Q_SIGNALS:
    void actionTriggered();

protected:
    void changeEvent(QEvent *event) override;

private:
    void redraw();

    QByteArray m_drawing;
    QLabel *m_picture;
    QLabel *m_title;
    QLabel *m_sentence;
    QPushButton *m_action;
};

} // namespace boxdeck::ui
