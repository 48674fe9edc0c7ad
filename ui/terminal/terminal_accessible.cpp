// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_accessible.h"

#include "ui/terminal/terminal_view.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>

namespace boxdeck::ui {

using namespace terminal;

namespace {

/// The lines in the window, each ended by a line feed. Offsets count UTF-16 units of that text.
class TerminalAccessible final : public QAccessibleWidget,
                                 public QAccessibleTextInterface,
                                 public QAccessibleEditableTextInterface
{
public:
    explicit TerminalAccessible(TerminalView *view)
        : QAccessibleWidget(view, QAccessible::Terminal)
    {
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface)
            return static_cast<QAccessibleTextInterface *>(this);
        if (type == QAccessible::EditableTextInterface)
            return static_cast<QAccessibleEditableTextInterface *>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? screenText() : QAccessibleWidget::text(kind);
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.multiLine = true;
        state.editable = view()->isLive();
        state.readOnly = !view()->isLive();
        state.selectableText = true;
        return state;
    }

    // --- QAccessibleTextInterface ---

    int characterCount() const override { return static_cast<int>(screenText().size()); }
    QString text(int start, int end) const override
    {
        const QString all = screenText();
        return all.mid(start, (end < 0 ? static_cast<int>(all.size()) : end) - start);
    }
    int cursorPosition() const override
    {
        const GridPosition cursor = view()->emulator().cursor();
        return offsetOf({view()->emulator().screen().gridLine() + cursor.row, cursor.column});
    }
    void setCursorPosition(int) override {} // the program has it
    int selectionCount() const override { return view()->hasSelection() ? 1 : 0; }
    void selection(int index, int *start, int *end) const override
    {
        *start = *end = 0;
        if (index != 0 || !view()->hasSelection())
            return;
        const QString selected = view()->selectedText();
        const auto at = screenText().indexOf(selected);
        if (at >= 0) {
            *start = static_cast<int>(at);
            *end = static_cast<int>(at + selected.size());
        }
    }
    void addSelection(int, int) override {}
    void removeSelection(int) override { view()->clearSelection(); }
    void setSelection(int, int, int) override {}
    void scrollToSubstring(int, int) override { view()->scrollToBottom(); }
    QString attributes(int, int *start, int *end) const override
    {
        *start = 0;
        *end = characterCount();
        return {};
    }
    QRect characterRect(int offset) const override
    {
        const QRect cell = view()->cellRect(placeOf(offset));
        return {view()->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
    }
    int offsetAtPoint(const QPoint &point) const override
    {
        return offsetOf(view()->positionAt(view()->viewport()->mapFromGlobal(point)));
    }

    // --- QAccessibleEditableTextInterface: typing ---

    void insertText(int, const QString &text) override { view()->typeText(text); }
    void deleteText(int, int) override {}
    void replaceText(int, int, const QString &text) override { view()->typeText(text); }

private:
    TerminalView *view() const { return static_cast<TerminalView *>(widget()); }

    QString lineText(long long line) const
    {
        const Screen &screen = view()->emulator().screen();
        return textOf(screen, {{line, 0}, {line, screen.columns()}}, true);
    }

    QString screenText() const
    {
        QString all;
        const long long top = view()->topLine();
        for (int row = 0; row < view()->emulator().rows(); ++row)
            all += lineText(top + row) + u'\n';
        return all;
    }

    int offsetOf(TextPosition place) const
    {
        const Screen &screen = view()->emulator().screen();
        qsizetype offset = 0;
        const long long top = view()->topLine();
        for (long long line = top; line < place.line && line < top + view()->emulator().rows(); ++line)
            offset += lineText(line).size() + 1;
        const QString before = textOf(screen, {{place.line, 0}, {place.line, place.column}}, true);
        return static_cast<int>(offset + std::min(before.size(), lineText(place.line).size()));
    }

    TextPosition placeOf(int offset) const
    {
        long long line = view()->topLine();
        for (int row = 0; row < view()->emulator().rows(); ++row, ++line) {
            const auto size = static_cast<int>(lineText(line).size());
            if (offset <= size)
                break;
            offset -= size + 1;
        }
        // Wide characters are one unit and two cells; go by cells.
        int column = 0;
        const Screen &screen = view()->emulator().screen();
        while (column < screen.columns() && textOf(screen, {{line, 0}, {line, column + 1}}, true).size() <= offset)
            ++column;
        return {line, column};
    }
};

QAccessibleInterface *makeInterface(const QString &className, QObject *object)
{
    if (className == QLatin1String("boxdeck::ui::TerminalView"))
        if (auto *view = qobject_cast<TerminalView *>(object))
            return new TerminalAccessible(view);
    return nullptr;
}

} // namespace

void installTerminalAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

void tellAccessibility(TerminalView *view)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(view);
    if (interface == nullptr || interface->textInterface() == nullptr)
        return;
    const QString text = interface->text(QAccessible::Value);
    QAccessibleTextUpdateEvent changed(view, 0, QString(), text);
    QAccessible::updateAccessibility(&changed);
    QAccessibleTextCursorEvent moved(view, interface->textInterface()->cursorPosition());
    QAccessible::updateAccessibility(&moved);
}

} // namespace boxdeck::ui
