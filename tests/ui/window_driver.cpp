// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_driver.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTreeView>
#include <QUrl>

namespace boxdeck::test::window {

QWidget *find(const QString &objectName)
{
    // The newest window first: a dialog stands before what it covers.
    QWidgetList tops = QApplication::topLevelWidgets();
    if (QWidget *modal = QApplication::activeModalWidget()) {
        tops.removeAll(modal);
        tops.prepend(modal);
    }
    for (QWidget *top : std::as_const(tops)) {
        if (!top->isVisible())
            continue;
        if (top->objectName() == objectName)
            return top;
        const auto all = top->findChildren<QWidget *>(objectName);
        for (QWidget *widget : all) {
            if (widget->isVisible())
                return widget;
        }
    }
    return nullptr;
}

bool ready(const QString &objectName)
{
    const QWidget *widget = find(objectName);
    return widget && widget->isEnabled();
}

void click(const QString &objectName)
{
    if (QWidget *widget = find(objectName))
        QTest::mouseClick(widget, Qt::LeftButton);
}

void fill(const QString &objectName, const QString &text)
{
    auto *line = find<QLineEdit>(objectName);
    if (!line)
        return;
    line->setFocus();
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, text);
}

QString textOf(const QString &label)
{
    const auto *found = find<QLabel>(label);
    return found ? found->text() : QString();
}

QStringList column(const QString &view, int column)
{
    QStringList texts;
    if (const auto *found = find<QAbstractItemView>(view); found && found->model()) {
        const QAbstractItemModel *model = found->model();
        for (int row = 0; row < model->rowCount(); ++row)
            texts.append(model->index(row, column).data().toString());
    }
    return texts;
}

bool clickRow(const QString &view, const QString &text)
{
    auto *found = find<QAbstractItemView>(view);
    if (!found || !found->model())
        return false;
    const QAbstractItemModel *model = found->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        for (int at = 0; at < model->columnCount(); ++at) {
            const QModelIndex index = model->index(row, at);
            if (index.data().toString() != text)
                continue;
            found->scrollTo(index);
            QTest::mouseClick(found->viewport(), Qt::LeftButton, {}, found->visualRect(index).center());
            return found->selectionModel()->isRowSelected(row);
        }
    }
    return false;
}

QString terminalText(const QString &objectName)
{
    QWidget *terminal = find(objectName);
    QAccessibleInterface *read = terminal ? QAccessible::queryAccessibleInterface(terminal) : nullptr;
    return read ? read->text(QAccessible::Value) : QString();
}

void type(const QString &objectName, const QString &text)
{
    QWidget *widget = find(objectName);
    if (!widget)
        return;
    widget->setFocus();
    for (const QChar &letter : text) {
        if (letter == QLatin1Char('\n'))
            QTest::keyClick(widget, Qt::Key_Return);
        else
            QTest::keyClick(widget, letter.toLatin1());
    }
}

bool dropFiles(const QString &pane, const QStringList &localPaths)
{
    QWidget *found = find(pane);
    if (!found)
        return false;
    QMimeData data;
    QList<QUrl> urls;
    for (const QString &path : localPaths)
        urls.append(QUrl::fromLocalFile(path));
    data.setUrls(urls);
    // As the window system does it: the innermost widget under the pointer that takes drops.
    const QPoint low(found->width() / 2, found->height() - found->height() / 8);
    QWidget *target = found->childAt(low);
    if (!target)
        target = found; // between its children, on the pane itself
    while (target && target != found && !target->acceptDrops())
        target = target->parentWidget();
    if (!target)
        return false;
    const QPoint at = target->mapFrom(found, low);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(target, &enter);
    QDragMoveEvent move(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    move.setDropAction(enter.dropAction()); // Qt hands the answer to the enter on
    move.setAccepted(enter.isAccepted());
    QCoreApplication::sendEvent(target, &move);
    if (!enter.isAccepted() || !move.isAccepted())
        return false;
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(target, &drop);
    return drop.isAccepted();
}

bool chooseFolder(const QString &dialog, const QString &folder)
{
    auto *found = find<QFileDialog>(dialog);
    auto *line = found ? found->findChild<QLineEdit *>(QStringLiteral("fileNameEdit")) : nullptr;
    if (!line)
        return false;
    line->setText(folder);
    QTest::keyClick(line, Qt::Key_Return);
    return true;
}

QString describe()
{
    QStringList names;
    const QWidgetList all = QApplication::allWidgets();
    for (const QWidget *widget : all) {
        if (widget->isVisible() && !widget->objectName().isEmpty() &&
            !widget->objectName().startsWith(QLatin1String("qt_")))
            names.append(widget->objectName() + (widget->isEnabled() ? QString() : QStringLiteral(" (disabled)")));
    }
    names.sort();
    names.removeDuplicates();
    return names.join(QLatin1String(", "));
}

} // namespace boxdeck::test::window
