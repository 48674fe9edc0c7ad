// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QDialog;
class QObject;
class QWidget;

namespace boxdeck::ui {

/// What a question asks. The answer buttons carry verbs, never Yes and OK.
struct Question
{
    QString name;            ///< object name of the dialog; buttons are NAMEAccept, NAMEAlternative and NAMECancel
    QString title;           ///< window title
    QString text;            ///< the question, naming the thing
    QString consequence;     ///< what will happen, muted; may be empty
    QStringList items;       ///< the things, one a line, when there are several; untrusted text is made safe
    QString acceptVerb;      ///< "Kill “web-1”"
    QString alternativeVerb; ///< a second way out, may be empty
    QString cancelVerb;      ///< may be empty: "Cancel"
    bool danger = false;     ///< paints the accept button as destructive and makes Cancel the default
};

enum class Answer { Accept, Alternative, Cancel };

/// Asks without a nested event loop: shows a window-modal dialog and returns at once. `answered` runs at most once, and
/// not at all if `context` is gone by then. The dialog deletes itself.
QDialog *ask(QWidget *parent, const Question &question, QObject *context, std::function<void(Answer)> answered);

/// ask() for one outcome: `accepted` runs if the accept button was pressed.
QDialog *confirm(QWidget *parent, const Question &question, QObject *context, std::function<void()> accepted);

} // namespace boxdeck::ui
