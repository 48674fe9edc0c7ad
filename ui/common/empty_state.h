// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
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
    /// Another way out, less prominent ("NAMEOther"); an empty text hides it.
    void setOtherAction(const QString &verb);
    /// Shows a bar that says work is going on.
    void setBusy(bool busy);
    QPushButton *actionButton() const { return m_action; }

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void actionTriggered();
    void otherActionTriggered();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    int heightOfWords() const;
    void fitPicture();
    void redraw();

    QByteArray m_drawing;
    QLabel *m_picture;
    QLabel *m_title;
    QLabel *m_sentence;
    QProgressBar *m_busy;
    QPushButton *m_action;
    QPushButton *m_other;
};

} // namespace boxdeck::ui
