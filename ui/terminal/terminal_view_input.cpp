// SPDX-License-Identifier: GPL-3.0-or-later
// TerminalView: keyboard, mouse, input method, drag and drop.
#include "ui/terminal/terminal_view.h"

#include "backend/core/display_text.h"
#include "ui/common/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QStyleHints>
#include <QToolTip>

#include <algorithm>

namespace boxdeck::ui {

using namespace terminal;

namespace {

constexpr int WheelNotch = 120;
constexpr int LinesPerNotch = 3;

} // namespace

void TerminalView::send(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return;
    scrollToBottom();
    restartBlink();
    Q_EMIT input(bytes);
}

// --- keyboard ---

// Keys that are the view's own, not the program's.
bool TerminalView::isViewKey(int key, Qt::KeyboardModifiers modifiers) const
{
    const auto plain = modifiers & ~Qt::KeypadModifier;
    if (plain == (Qt::ControlModifier | Qt::ShiftModifier))
        return key == Qt::Key_C || key == Qt::Key_V || key == Qt::Key_F || key == Qt::Key_A || key == Qt::Key_Up ||
               key == Qt::Key_Down || key == Qt::Key_Plus || key == Qt::Key_Insert;
    if (plain == Qt::ControlModifier)
        return key == Qt::Key_Insert || key == Qt::Key_Plus || key == Qt::Key_Minus || key == Qt::Key_Equal ||
               key == Qt::Key_0;
    if (plain == Qt::ShiftModifier)
        return key == Qt::Key_Insert || key == Qt::Key_PageUp || key == Qt::Key_PageDown ||
               ((key == Qt::Key_Home || key == Qt::Key_End) && !m_emulator.modes().alternateScreen);
    return false;
}

bool TerminalView::viewKey(QKeyEvent *event)
{
    if (!isViewKey(event->key(), event->modifiers()))
        return false;
    QScrollBar *bar = verticalScrollBar();
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_C:
        copy();
        break;
    case Qt::Key_V:
        paste();
        break;
    case Qt::Key_Insert:
        if (control)
            copy();
        else
            paste();
        break;
    case Qt::Key_F:
        Q_EMIT findRequested();
        break;
    case Qt::Key_A:
        selectAll();
        break;
    case Qt::Key_Up:
        bar->setValue(bar->value() - 1);
        break;
    case Qt::Key_Down:
        bar->setValue(bar->value() + 1);
        break;
    case Qt::Key_PageUp:
        bar->setValue(bar->value() - bar->pageStep());
        break;
    case Qt::Key_PageDown:
        bar->setValue(bar->value() + bar->pageStep());
        break;
    case Qt::Key_Home:
        bar->setValue(0);
        break;
    case Qt::Key_End:
        scrollToBottom();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(1);
        break;
    case Qt::Key_Minus:
        zoomBy(-1);
        break;
    case Qt::Key_0:
        resetZoom();
        break;
    default:
        break;
    }
    return true;
}

bool TerminalView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && m_live) {
        // Ctrl and Alt combinations belong to the program in the terminal, not to the window's menus. What the
        // window keeps: F6 to leave the pane, and everything with Ctrl+Shift.
        auto *key = static_cast<QKeyEvent *>(event);
        const auto modifiers = key->modifiers() & ~Qt::KeypadModifier;
        const bool windows =
            key->key() == Qt::Key_F6 || modifiers.testFlag(Qt::MetaModifier) ||
            modifiers == (Qt::ControlModifier | Qt::ShiftModifier) ||
            (modifiers == Qt::ControlModifier && (key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown));
        if (!windows || isViewKey(key->key(), key->modifiers())) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::Show) {
        const bool done = QAbstractScrollArea::event(event);
        updateGridSize();
        return done;
    }
    return QAbstractScrollArea::event(event);
}

bool TerminalView::focusNextPrevChild(bool)
{
    return false; // Tab is input; F6 leaves
}

void TerminalView::keyPressEvent(QKeyEvent *event)
{
    if (viewKey(event))
        return event->accept();
    const auto modifiers = event->modifiers();
    if (event->key() == Qt::Key_Control)
        hover(viewport()->mapFromGlobal(QCursor::pos()), modifiers);
    if (event->key() == Qt::Key_F6 ||
        (modifiers.testFlag(Qt::ControlModifier) && modifiers.testFlag(Qt::ShiftModifier)))
        return event->ignore();
    const QByteArray bytes = encodeKey(event->key(), modifiers, event->text(), m_emulator.modes());
    if (bytes.isEmpty())
        return event->ignore();
    event->accept();
    if (m_live) {
        clearSelection();
        send(bytes);
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT proceedRequested();
    } else {
        Q_EMIT keyRefused();
    }
}

void TerminalView::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Control)
        hover(viewport()->mapFromGlobal(QCursor::pos()), event->modifiers());
    QAbstractScrollArea::keyReleaseEvent(event);
}

void TerminalView::typeText(const QString &text)
{
    QByteArray bytes;
    QString part;
    for (const QChar c : text) {
        if (c == u'\n' || c == u'\r') {
            bytes += encodeTyped(part) + '\r';
            part.clear();
        } else {
            part += c;
        }
    }
    bytes += encodeTyped(part);
    if (m_live)
        send(bytes);
    else if (bytes.contains('\r'))
        Q_EMIT proceedRequested();
}

void TerminalView::inputMethodEvent(QInputMethodEvent *event)
{
    m_preedit = event->preeditString();
    m_preeditCursor = static_cast<int>(m_preedit.size());
    for (const QInputMethodEvent::Attribute &attribute : event->attributes())
        if (attribute.type == QInputMethodEvent::Cursor)
            m_preeditCursor = attribute.start;
    if (!event->commitString().isEmpty())
        typeText(event->commitString());
    scrollToBottom();
    viewport()->update();
    updateMicroFocus();
    event->accept();
}

QVariant TerminalView::inputMethodQuery(Qt::InputMethodQuery query) const
{
    const GridPosition cursor = m_emulator.cursor();
    switch (query) {
    case Qt::ImEnabled:
        return m_live;
    case Qt::ImCursorRectangle:
        return cellRect({m_emulator.screen().gridLine() + cursor.row, cursor.column}).translated(viewport()->pos());
    case Qt::ImFont:
        return m_painter.font();
    case Qt::ImCursorPosition:
        return 0;
    case Qt::ImSurroundingText:
    case Qt::ImCurrentSelection:
        return QString();
    default:
        return QAbstractScrollArea::inputMethodQuery(query);
    }
}

void TerminalView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    restartBlink();
    viewport()->update();
    if (const QByteArray report = m_emulator.focusReport(true); m_live && !report.isEmpty())
        Q_EMIT input(report);
}

void TerminalView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    restartBlink();
    viewport()->update();
    if (const QByteArray report = m_emulator.focusReport(false); m_live && !report.isEmpty())
        Q_EMIT input(report);
}

// --- mouse ---

// Tells the program, if it wants to know and Shift does not ask for the view instead.
bool TerminalView::sendMouse(MouseEvent::Kind kind, Qt::MouseButton button, QPointF at, Qt::KeyboardModifiers modifiers)
{
    const Modes &modes = m_emulator.modes();
    if (!m_live || !m_following || modes.mouse == MouseTracking::Off || modifiers.testFlag(Qt::ShiftModifier))
        return false;
    const TextPosition place = positionAt(at.toPoint());
    const GridPosition cell{static_cast<int>(place.line - topLine()), std::min(place.column, m_emulator.columns() - 1)};
    if (kind == MouseEvent::Kind::Move && cell == m_reported)
        return true;
    m_reported = cell;
    const QByteArray bytes = encodeMouse({.kind = kind, .button = button, .at = cell, .modifiers = modifiers}, modes);
    if (!bytes.isEmpty())
        Q_EMIT input(bytes);
    return true;
}

TextRange TerminalView::unitAt(TextPosition at) const
{
    switch (m_unit) {
    case Unit::Word: {
        const TextRange word = wordAt(m_emulator.screen(), at);
        return word.isEmpty() ? TextRange{at, {at.line, at.column + 1}} : word;
    }
    case Unit::Line:
        return logicalLineAt(m_emulator.screen(), at);
    case Unit::Character:
        break;
    }
    return {at, at};
}

void TerminalView::extendSelection(TextPosition to)
{
    const TextRange end = unitAt(to);
    TextRange range{std::min(m_anchor.begin, end.begin), std::max(m_anchor.end, end.end)};
    if (m_rectangular) {
        const auto [left, right] = std::minmax(m_anchor.begin.column, to.column);
        range = {{std::min(m_anchor.begin.line, to.line), left}, {std::max(m_anchor.begin.line, to.line), right}};
    }
    m_selection = range;
    viewport()->update();
}

void TerminalView::mousePressEvent(QMouseEvent *event)
{
    m_lastMouse = event->position().toPoint();
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->button() == Qt::LeftButton && control) {
        if (const auto link = linkAt(m_emulator.screen(), positionAt(m_lastMouse))) {
            if (mayOpen(link->address))
                Q_EMIT linkClicked(link->address);
            else
                Q_EMIT linkRefused(link->address);
            return;
        }
    }
    if (event->button() != Qt::NoButton &&
        sendMouse(MouseEvent::Kind::Press, event->button(), event->position(), event->modifiers())) {
        m_pressed = event->button();
        return;
    }
    if (event->button() == Qt::MiddleButton)
        return pastePrimary();
    if (event->button() != Qt::LeftButton)
        return;
    // The nearest edge between two cells.
    const TextPosition at = positionAt(m_lastMouse + QPoint(cellWidth() / 2, 0));
    if (event->modifiers().testFlag(Qt::ShiftModifier) && m_selection) {
        // Grows the selection that is there, from its farther end.
        if (at < m_selection->begin)
            m_anchor = {m_selection->end, m_selection->end};
        else
            m_anchor = {m_selection->begin, m_selection->begin};
        m_unit = Unit::Character;
        m_selecting = true;
        return extendSelection(at);
    }
    m_selecting = true;
    m_rectangular = event->modifiers().testFlag(Qt::AltModifier);
    if (m_sinceDouble.isValid() &&
        !m_sinceDouble.hasExpired(QGuiApplication::styleHints()->mouseDoubleClickInterval())) {
        m_sinceDouble.invalidate();
        m_unit = Unit::Line;
        m_anchor = unitAt(positionAt(m_lastMouse));
        m_selection = m_anchor;
        viewport()->update();
        return;
    }
    m_unit = Unit::Character;
    m_anchor = {at, at};
    clearSelection();
}

void TerminalView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton ||
        sendMouse(MouseEvent::Kind::Press, event->button(), event->position(), event->modifiers())) {
        m_pressed = event->button();
        return;
    }
    m_sinceDouble.start();
    m_unit = Unit::Word;
    m_rectangular = false;
    m_selecting = true;
    m_anchor = unitAt(positionAt(event->position().toPoint()));
    m_selection = m_anchor;
    viewport()->update();
}

void TerminalView::mouseMoveEvent(QMouseEvent *event)
{
    m_lastMouse = event->position().toPoint();
    if (m_selecting) {
        const bool outside = m_lastMouse.y() < 0 || m_lastMouse.y() >= viewport()->height();
        if (outside && !m_autoScroll.isActive())
            m_autoScroll.start();
        else if (!outside)
            m_autoScroll.stop();
        const int half = m_unit == Unit::Character ? cellWidth() / 2 : 0;
        return extendSelection(positionAt(m_lastMouse + QPoint(half, 0)));
    }
    hover(m_lastMouse, event->modifiers());
    sendMouse(MouseEvent::Kind::Move, m_pressed, event->position(), event->modifiers());
}

void TerminalView::mouseReleaseEvent(QMouseEvent *event)
{
    m_autoScroll.stop();
    if (m_selecting && event->button() == Qt::LeftButton) {
        m_selecting = false;
        if (m_selection && m_selection->isEmpty())
            m_selection.reset();
        return publishSelection();
    }
    if (m_pressed == event->button()) {
        m_pressed = Qt::NoButton;
        sendMouse(MouseEvent::Kind::Release, event->button(), event->position(), event->modifiers());
    }
}

void TerminalView::autoScroll()
{
    QScrollBar *bar = verticalScrollBar();
    bar->setValue(bar->value() + (m_lastMouse.y() < 0 ? -1 : 1));
    extendSelection(positionAt(m_lastMouse));
}

void TerminalView::wheelEvent(QWheelEvent *event)
{
    event->accept();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        if (event->angleDelta().y() != 0)
            zoomBy(event->angleDelta().y() > 0 ? 1 : -1);
        return;
    }
    m_wheel += event->angleDelta().y();
    const int step = WheelNotch / LinesPerNotch;
    int lines = m_wheel / step;
    m_wheel %= step;
    if (lines == 0)
        return;
    const Modes &modes = m_emulator.modes();
    const bool up = lines > 0;
    if (modes.mouse != MouseTracking::Off && !event->modifiers().testFlag(Qt::ShiftModifier)) {
        for (int notches = std::max(1, std::abs(lines) / LinesPerNotch); notches > 0; --notches)
            sendMouse(up ? MouseEvent::Kind::WheelUp : MouseEvent::Kind::WheelDown, Qt::NoButton, event->position(),
                      event->modifiers());
        return;
    }
    if (modes.alternateScreen && modes.alternateScroll) {
        if (m_live)
            Q_EMIT input(encodeKey(up ? Qt::Key_Up : Qt::Key_Down, {}, {}, modes).repeated(std::abs(lines)));
        return;
    }
    verticalScrollBar()->setValue(verticalScrollBar()->value() - lines);
}

// While Ctrl is held the link under the pointer is underlined and its true address shown.
void TerminalView::hover(QPoint point, Qt::KeyboardModifiers modifiers)
{
    std::optional<LinkTarget> link;
    if (modifiers.testFlag(Qt::ControlModifier) && viewport()->rect().contains(point))
        link = linkAt(m_emulator.screen(), positionAt(point));
    const bool same = link.has_value() == m_hovered.has_value() && (!link || link->range == m_hovered->range);
    if (same)
        return;
    m_hovered = link;
    viewport()->setCursor(link && mayOpen(link->address)                             ? Qt::PointingHandCursor
                          : m_emulator.modes().mouse != MouseTracking::Off && m_live ? Qt::ArrowCursor
                                                                                     : Qt::IBeamCursor);
    if (link)
        QToolTip::showText(viewport()->mapToGlobal(point), toolTipText(displayText(link->address, 200)), viewport());
    else
        QToolTip::hideText();
    viewport()->update();
}

bool TerminalView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave && m_hovered) {
        m_hovered.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

// --- menu and drops ---

void TerminalView::contextMenuEvent(QContextMenuEvent *event)
{
    if (m_emulator.modes().mouse != MouseTracking::Off && m_live && m_following &&
        event->reason() == QContextMenuEvent::Mouse && !event->modifiers().testFlag(Qt::ShiftModifier))
        return; // the program got the click
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("terminalMenu"));
    const auto add = [this, menu](const char *name, const char *iconName, const QString &text, const QString &keys,
                                  bool enabled, auto &&triggered) {
        QAction *action = menu->addAction(icon(iconName), text);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(QKeySequence(keys));
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, this, triggered);
    };
    add("terminalCopy", "copy", tr("Copy"), QStringLiteral("Ctrl+Shift+C"), hasSelection(), [this] { copy(); });
    add("terminalPaste", "paste", tr("Paste"), QStringLiteral("Ctrl+Shift+V"),
        m_live && !QGuiApplication::clipboard()->text().isEmpty(), [this] { paste(); });
    add("terminalSelectAll", "check", tr("Select all"), QStringLiteral("Ctrl+Shift+A"), true, [this] { selectAll(); });
    const auto link = linkAt(m_emulator.screen(), positionAt(viewport()->mapFromGlobal(event->globalPos())));
    if (link) {
        menu->addSeparator();
        const QString address = link->address;
        add("terminalOpenLink", "external", tr("Open link…"), {}, mayOpen(address),
            [this, address] { Q_EMIT linkClicked(address); });
        add("terminalCopyLink", "link", tr("Copy link address"), {}, true,
            [address] { QGuiApplication::clipboard()->setText(address); });
    }
    menu->addSeparator();
    add("terminalFind", "search", tr("Find…"), QStringLiteral("Ctrl+Shift+F"), true,
        [this] { Q_EMIT findRequested(); });
    add("terminalSave", "save", tr("Save output as…"), {}, true, [this] { Q_EMIT saveRequested(); });
    add("terminalClear", "broom", tr("Clear scrollback"), {}, m_emulator.screen().historySize() > 0,
        [this] { clearScrollback(); });
    menu->addSeparator();
    add("terminalZoomIn", "plus", tr("Larger text"), QStringLiteral("Ctrl++"), true, [this] { zoomBy(1); });
    add("terminalZoomOut", "minus", tr("Smaller text"), QStringLiteral("Ctrl+-"), true, [this] { zoomBy(-1); });
    menu->popup(event->globalPos());
}

void TerminalView::dragEnterEvent(QDragEnterEvent *event)
{
    if (m_live && (event->mimeData()->hasUrls() || event->mimeData()->hasText()))
        event->acceptProposedAction();
}

void TerminalView::dropEvent(QDropEvent *event)
{
    if (!m_live)
        return;
    event->acceptProposedAction();
    QList<QUrl> files;
    for (const QUrl &url : event->mimeData()->urls())
        if (url.isLocalFile())
            files.append(url);
    if (!files.isEmpty())
        Q_EMIT filesDropped(files);
    else
        pasteText(event->mimeData()->text());
}

} // namespace boxdeck::ui
