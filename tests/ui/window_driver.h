// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTest>
#include <QWidget>

class QAbstractItemView;

/// Works the real window from inside the process, by object names, with mouse and keyboard events. Nothing is called
/// that a hand could not reach. Looks at visible widgets only, in every window that is open.
namespace boxdeck::test::window {

/// The visible widget of that name, or null.
QWidget *find(const QString &objectName);
template <typename Widget> Widget *find(const QString &objectName)
{
    return qobject_cast<Widget *>(find(objectName));
}

/// True once it could be clicked: there, visible and enabled.
bool ready(const QString &objectName);
void click(const QString &objectName);
/// Clears a line edit and types into it.
void fill(const QString &objectName, const QString &text);

/// The text of a visible label; empty if it is not there.
QString textOf(const QString &label);
/// The texts of one column of a view, as a person reads them.
QStringList column(const QString &view, int column);
/// Clicks the row whose first `columns` columns hold the text; false if there is none.
bool clickRow(const QString &view, const QString &text);

/// What a screen reader reads of a terminal; empty if it is not there.
QString terminalText(const QString &objectName = QStringLiteral("terminalView"));
/// Types at the keyboard.
void type(const QString &objectName, const QString &text);

/// Drops files and folders of this computer onto the lower part of a pane. False if nothing there takes them.
bool dropFiles(const QString &pane, const QStringList &localPaths);

/// Chooses a folder in an open folder dialog of ours.
bool chooseFolder(const QString &dialog, const QString &folder);

/// What is on the screen, by name, for a failing test.
QString describe();

} // namespace boxdeck::test::window

/// Waits until a named widget can be used, and says what was there instead.
#define WAIT_READY(name)                                                                                               \
    QTRY_VERIFY2_WITH_TIMEOUT(                                                                                         \
        boxdeck::test::window::ready(QStringLiteral(name)),                                                            \
        qPrintable(QStringLiteral(name " is not ready; there are: ") + boxdeck::test::window::describe()), 30000)
/// Waits for it, then clicks it.
#define CLICK(name)                                                                                                    \
    do {                                                                                                               \
        WAIT_READY(name);                                                                                              \
        boxdeck::test::window::click(QStringLiteral(name));                                                            \
    } while (false)
