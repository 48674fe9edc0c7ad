// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QFrame>
#include <QString>

class QLabel;
class QToolButton;
class QPushButton;

namespace boxdeck::ui {

/// An error shown inside the pane it belongs to: the whole text, selectable, with status and request id, a copy button,
/// a retry button if retrying makes sense, and a way to put it away. Hidden until something is shown.
class ErrorBar : public QFrame
{
    Q_OBJECT

public:
    /// `name` becomes the object name, and the prefix of the names of the buttons inside.
    explicit ErrorBar(const QString &name, QWidget *parent = nullptr);

    /// Shows `what` with the reason and facts of `error`; see errorSentence(). `retryVerb` is the retry button's text
    /// ("List again"); an empty one hides the button.
    void showError(const Error &error, const QString &what, const QString &retryVerb = {});
    /// Shows a text that comes from no Error, such as a failed validation.
    void showText(const QString &text, const QString &retryVerb = {});
    /// Shows a text that is a warning rather than a failure.
    void showWarning(const QString &text, const QString &actionVerb = {});
    void clear();

    /// What is shown, as it would be copied; empty while hidden.
    QString text() const { return m_copyText; }

Q_SIGNALS:
    void retryRequested();
    void dismissed();

protected:
    void changeEvent(QEvent *event) override;

private:
    void present(const QString &text, const QString &details, const QString &verb, bool warning);
    void recolour();

    QLabel *m_icon;
    QLabel *m_text;
    QLabel *m_details;
    QPushButton *m_retry;
    QToolButton *m_copy;
    QToolButton *m_close;
    QString m_copyText;
    bool m_warning = false;
};

} // namespace boxdeck::ui
