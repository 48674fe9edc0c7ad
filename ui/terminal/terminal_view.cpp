// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_view.h"

#include "ui/common/theme.h"
#include "ui/common/ui_util.h"
#include "ui/terminal/terminal_accessible.h"

#include <QApplication>
#include <QClipboard>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleHints>

#include <algorithm>

namespace boxdeck::ui {

using namespace terminal;

namespace {

constexpr int FrameMs = 16;
// A flood that replaces the whole grid between two frames is painted half as often: nobody reads it, and the time is
// better spent on getting through it.
constexpr int FloodFrameMs = 32;
constexpr int LongestFrameMs = 100;
// A program that begins synchronised output and dies must not freeze the picture.
constexpr int HoldMs = 150;
constexpr int TellMs = 150;
constexpr int Margin = 4;
constexpr int SmallestPoints = 6;
constexpr int LargestPoints = 48;

} // namespace

TerminalView::TerminalView(Emulator &emulator, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_emulator(emulator)
    , m_scheme(ColorScheme::of(palette()))
    , m_baseFont(Theme::monospace())
{
    installTerminalAccessibility();
    nameWidget(this, QStringLiteral("terminalView"), tr("Terminal"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_InputMethodEnabled);
    setInputMethodHints(Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase | Qt::ImhMultiLine);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setAcceptDrops(true);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    nameWidget(verticalScrollBar(), QStringLiteral("terminalScrollBar"), tr("Scrollback position"));
    m_frame.setSingleShot(true);
    connect(&m_frame, &QTimer::timeout, this, &TerminalView::frame);
    m_tell.setSingleShot(true);
    m_tell.setInterval(TellMs);
    connect(&m_tell, &QTimer::timeout, this, [this] {
        tellAccessibility(this);
        Q_EMIT accessibleChanged();
    });
    connect(&m_blink, &QTimer::timeout, this, [this] {
        m_cursorOn = !m_cursorOn;
        const long long line = m_emulator.screen().gridLine() + m_emulator.cursor().row;
        updateLines(line, line);
    });
    m_autoScroll.setInterval(50);
    connect(&m_autoScroll, &QTimer::timeout, this, &TerminalView::autoScroll);
    m_sinceFrame.start();
    applyFont();
    m_emulator.setReportedColors(m_scheme.foreground.rgb() & 0xffffffU, m_scheme.background.rgb() & 0xffffffU);
    refresh();
}

TerminalView::~TerminalView() = default;

QSize TerminalView::sizeHint() const
{
    return {80 * cellWidth() + 2 * Margin + verticalScrollBar()->sizeHint().width(), 24 * cellHeight() + 2 * Margin};
}

// --- font and size ---

void TerminalView::setTerminalFont(const QFont &font)
{
    m_baseFont = font;
    applyFont();
}

void TerminalView::zoomBy(int points)
{
    const int base = m_baseFont.pointSize() > 0 ? m_baseFont.pointSize() : 10;
    const int zoom = std::clamp(base + m_zoom + points, SmallestPoints, LargestPoints) - base;
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    applyFont();
    Q_EMIT zoomed(m_zoom);
}

void TerminalView::resetZoom()
{
    zoomBy(-m_zoom);
}

void TerminalView::applyFont()
{
    QFont font = m_baseFont;
    font.setPointSize((font.pointSize() > 0 ? font.pointSize() : 10) + m_zoom);
    m_painter.setFont(font);
    verticalScrollBar()->setSingleStep(1);
    updateGridSize();
    viewport()->update();
    updateMicroFocus();
}

void TerminalView::updateGridSize()
{
    const QSize size = viewport()->size();
    const int columns = (size.width() - 2 * Margin) / cellWidth();
    const int rows = (size.height() - 2 * Margin) / cellHeight();
    // Before the first layout, and while a splitter folds it away, a window has no size to tell a program.
    if (!isVisible() || columns < 2 || rows < 1)
        return;
    if (rows != m_emulator.rows() || columns != m_emulator.columns())
        Q_EMIT gridSizeChanged(rows, columns);
}

void TerminalView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateGridSize();
    updateScrollBar();
}

void TerminalView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange) {
        m_scheme = ColorScheme::of(palette());
        m_emulator.setReportedColors(m_scheme.foreground.rgb() & 0xffffffU, m_scheme.background.rgb() & 0xffffffU);
        viewport()->update();
    }
}

// --- frames ---

void TerminalView::refresh()
{
    if (!m_frame.isActive())
        m_frame.start(std::max<int>(0, m_frameMs - static_cast<int>(m_sinceFrame.elapsed())));
}

void TerminalView::frame()
{
    if (m_emulator.modes().synchronizedOutput) {
        if (!m_held.isValid())
            m_held.start();
        if (!m_held.hasExpired(HoldMs)) {
            m_frame.start(FrameMs);
            return;
        }
        m_emulator.endSynchronizedOutput();
    }
    m_held.invalidate();
    m_sinceFrame.restart();
    const Damage damage = m_emulator.takeDamage();
    const Screen &screen = m_emulator.screen();
    m_frameMs =
        std::clamp(3 * m_paintMs, damage.scrolled >= m_emulator.rows() ? FloodFrameMs : FrameMs, LongestFrameMs);
    if (damage.everything) {
        // Line numbers have moved; what they named is somewhere else now.
        m_selection.reset();
        m_match.reset();
        m_hovered.reset();
        m_selecting = false;
        m_following = m_following || m_top < screen.firstLine();
    }
    const GridPosition cursor = m_emulator.cursor();
    if (damage.everything || (damage.scrolled != 0 && m_following)) {
        viewport()->update();
    } else {
        for (const auto &[first, last] : damage.rows)
            updateLines(screen.gridLine() + first, screen.gridLine() + last);
        for (const int row : {m_paintedCursor.row, cursor.row})
            updateLines(screen.gridLine() + row, screen.gridLine() + row);
    }
    if (!damage.isEmpty() || !(cursor == m_paintedCursor)) {
        if (!m_tell.isActive())
            m_tell.start();
        restartBlink();
        updateMicroFocus();
    }
    m_paintedCursor = cursor;
    m_top = std::max(m_top, screen.firstLine());
    updateScrollBar();
}

void TerminalView::updateLines(long long first, long long last)
{
    const long long top = topLine();
    const int height = cellHeight();
    const int y = Margin + static_cast<int>(std::clamp<long long>(first - top, -1, Screen::MaxRows)) * height;
    const int bottom = Margin + static_cast<int>(std::clamp<long long>(last - top + 1, 0, Screen::MaxRows)) * height;
    if (bottom > 0 && y < viewport()->height())
        viewport()->update(0, y, viewport()->width(), bottom - y);
}

int TerminalView::visibleRows() const
{
    return m_emulator.rows();
}

long long TerminalView::topLine() const
{
    const Screen &screen = m_emulator.screen();
    return m_following ? screen.gridLine() : std::clamp(m_top, screen.firstLine(), screen.gridLine());
}

void TerminalView::updateScrollBar()
{
    const Screen &screen = m_emulator.screen();
    m_settingScrollBar = true;
    verticalScrollBar()->setRange(0, screen.historySize());
    verticalScrollBar()->setPageStep(visibleRows());
    verticalScrollBar()->setValue(static_cast<int>(topLine() - screen.firstLine()));
    m_settingScrollBar = false;
}

void TerminalView::scrollContentsBy(int, int)
{
    if (!m_settingScrollBar) {
        const QScrollBar *bar = verticalScrollBar();
        m_following = bar->value() == bar->maximum();
        m_top = m_emulator.screen().firstLine() + bar->value();
    }
    viewport()->update();
}

void TerminalView::scrollToBottom()
{
    if (m_following)
        return;
    m_following = true;
    updateScrollBar();
    viewport()->update();
}

void TerminalView::showRange(const TextRange &range)
{
    const Screen &screen = m_emulator.screen();
    if (range.begin.line < topLine() || range.end.line >= topLine() + visibleRows()) {
        m_top = std::clamp(range.begin.line - visibleRows() / 2, screen.firstLine(), screen.gridLine());
        m_following = m_top == screen.gridLine();
        updateScrollBar();
    }
    viewport()->update();
}

// --- places ---

QRect TerminalView::cellRect(TextPosition at) const
{
    return {Margin + at.column * cellWidth(), Margin + static_cast<int>(at.line - topLine()) * cellHeight(),
            cellWidth(), cellHeight()};
}

TextPosition TerminalView::positionAt(QPoint point) const
{
    const int row = std::clamp((point.y() - Margin) / cellHeight(), 0, visibleRows() - 1);
    const int column = std::clamp((point.x() - Margin) / cellWidth(), 0, m_emulator.columns());
    return {topLine() + row, column};
}

// --- painting ---

QList<CellPainter::Highlight> TerminalView::highlightsOf(long long line) const
{
    QList<CellPainter::Highlight> highlights;
    const int columns = m_emulator.columns();
    const auto add = [&](const TextRange &range, bool rectangular, CellPainter::Highlight look) {
        if (range.isEmpty() || line < range.begin.line || line > range.end.line)
            return;
        look.from = rectangular || line == range.begin.line ? range.begin.column : 0;
        look.to = rectangular || line == range.end.line ? range.end.column : columns;
        if (look.from < look.to)
            highlights.append(look);
    };
    if (m_match)
        add(*m_match, false, {.ground = m_scheme.match, .text = m_scheme.foreground});
    if (m_selection)
        add(*m_selection, m_rectangular, {.ground = m_scheme.selection, .text = m_scheme.foreground});
    if (m_hovered)
        add(m_hovered->range, false, {.underline = true});
    return highlights;
}

void TerminalView::paintEvent(QPaintEvent *event)
{
    QElapsedTimer took;
    took.start();
    QPainter painter(viewport());
    const Screen &screen = m_emulator.screen();
    const bool reverse = m_emulator.modes().reverseScreen;
    const QColor bare = reverse ? m_scheme.foreground : m_scheme.background;
    const QRect dirty = event->rect();
    // The margins around the cells.
    const int right = Margin + m_emulator.columns() * cellWidth();
    const int bottom = Margin + visibleRows() * cellHeight();
    painter.fillRect(QRect(0, 0, viewport()->width(), Margin), bare);
    painter.fillRect(QRect(0, 0, Margin, viewport()->height()), bare);
    painter.fillRect(QRect(right, 0, viewport()->width() - right, viewport()->height()), bare);
    painter.fillRect(QRect(0, bottom, viewport()->width(), viewport()->height() - bottom), bare);
    const long long top = topLine();
    const int first = std::max(0, (dirty.top() - Margin) / cellHeight());
    const int last = std::min(visibleRows() - 1, (dirty.bottom() - Margin) / cellHeight());
    for (int row = first; row <= last; ++row) {
        const QRect box(0, Margin + row * cellHeight(), viewport()->width(), cellHeight());
        if (!event->region().intersects(box))
            continue;
        m_painter.paintLine(painter, QPointF(Margin, box.top()), screen, screen.line(top + row), m_emulator.columns(),
                            m_scheme, reverse, highlightsOf(top + row));
    }
    paintCursor(painter);
    m_paintMs = static_cast<int>(took.elapsed());
}

void TerminalView::paintCursor(QPainter &painter)
{
    const GridPosition cursor = m_emulator.cursor();
    const Screen &screen = m_emulator.screen();
    const TextPosition at{screen.gridLine() + cursor.row, cursor.column};
    if (at.line - topLine() >= visibleRows())
        return;
    QRect box = cellRect(at);
    if (!m_preedit.isEmpty()) {
        // What the input method is composing, over the cells where it will go.
        QFont font = m_painter.font();
        font.setUnderline(true);
        painter.setFont(font);
        const QFontMetrics metrics(font);
        box.setWidth(metrics.horizontalAdvance(m_preedit));
        if (box.right() > viewport()->width())
            box.moveRight(viewport()->width() - 1);
        painter.fillRect(box, m_scheme.selection);
        painter.setPen(m_scheme.foreground);
        painter.drawText(QPoint(box.left(), box.top() + metrics.ascent()), m_preedit);
        const int x = box.left() + metrics.horizontalAdvance(m_preedit.left(m_preeditCursor));
        painter.fillRect(x, box.top(), 2, box.height(), m_scheme.cursor);
        return;
    }
    if (!m_emulator.modes().cursorVisible || !m_live)
        return;
    Cell cell = screen.cell(cursor);
    if ((cell.style.attributes & WideTail) != 0 && cursor.column > 0) {
        cell = screen.cell({cursor.row, cursor.column - 1});
        box.moveLeft(box.left() - cellWidth());
    }
    if ((cell.style.attributes & Wide) != 0)
        box.setWidth(2 * cellWidth());
    if (!hasFocus()) {
        painter.setPen(m_scheme.cursor);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        return;
    }
    if (!m_cursorOn)
        return;
    const int thick = std::max(2, cellHeight() / 8);
    switch (m_emulator.cursorStyle().shape) {
    case CursorShape::Block:
        painter.fillRect(box, m_scheme.cursor);
        painter.setClipRect(box);
        m_painter.paintText(painter, box.topLeft(), screen, cell, m_scheme.background);
        painter.setClipping(false);
        break;
    case CursorShape::Underline:
        painter.fillRect(box.left(), box.bottom() - thick + 1, box.width(), thick, m_scheme.cursor);
        break;
    case CursorShape::Bar:
        painter.fillRect(box.left(), box.top(), thick, box.height(), m_scheme.cursor);
        break;
    }
}

void TerminalView::restartBlink()
{
    m_cursorOn = true;
    const int flash = QGuiApplication::styleHints()->cursorFlashTime();
    if (hasFocus() && m_live && m_emulator.cursorStyle().blinks && flash > 0)
        m_blink.start(flash / 2);
    else
        m_blink.stop();
}

void TerminalView::setLive(bool live)
{
    if (m_live == live)
        return;
    m_live = live;
    restartBlink();
    viewport()->update();
}

// --- selection, clipboard, finding ---

QString TerminalView::selectedText() const
{
    return m_selection ? textOf(m_emulator.screen(), *m_selection, m_rectangular) : QString();
}

void TerminalView::selectAll()
{
    const Screen &screen = m_emulator.screen();
    long long last = screen.endLine() - 1;
    while (last > screen.firstLine() && screen.line(last).size == 0)
        --last;
    m_rectangular = false;
    m_selection = TextRange{{screen.firstLine(), 0}, {last, m_emulator.columns()}};
    viewport()->update();
    publishSelection();
}

void TerminalView::clearSelection()
{
    if (!m_selection)
        return;
    m_selection.reset();
    viewport()->update();
}

void TerminalView::publishSelection()
{
    QClipboard *clipboard = QGuiApplication::clipboard();
    if (hasSelection() && clipboard->supportsSelection())
        clipboard->setText(selectedText(), QClipboard::Selection);
}

void TerminalView::copy()
{
    if (hasSelection())
        copyToClipboard(selectedText());
}

void TerminalView::paste()
{
    pasteText(QGuiApplication::clipboard()->text());
}

void TerminalView::pastePrimary()
{
    const QClipboard *clipboard = QGuiApplication::clipboard();
    pasteText(clipboard->text(clipboard->supportsSelection() ? QClipboard::Selection : QClipboard::Clipboard));
}

void TerminalView::pasteText(const QString &text)
{
    if (text.isEmpty() || !m_live)
        return;
    if (const PasteRisk risk = judgePaste(text, m_emulator.modes()); risk.any())
        Q_EMIT pasteQuestion(text, risk);
    else
        pasteNow(text);
}

void TerminalView::pasteNow(const QString &text)
{
    send(encodePaste(text, m_emulator.modes()));
}

void TerminalView::clearScrollback()
{
    m_emulator.screen().clearHistory();
    scrollToBottom();
    refresh();
}

bool TerminalView::find(const QString &text, bool forward, Qt::CaseSensitivity sensitivity)
{
    const Screen &screen = m_emulator.screen();
    const TextPosition start{screen.firstLine(), 0};
    const TextPosition end{screen.endLine() - 1, m_emulator.columns()};
    TextPosition from = m_match ? (forward ? m_match->end : m_match->begin) : end;
    auto found = findText(screen, text, from, forward, sensitivity);
    if (!found) // once around
        found = findText(screen, text, forward ? start : end, forward, sensitivity);
    m_match = found;
    if (found)
        showRange(*found);
    else
        viewport()->update();
    return found.has_value();
}

void TerminalView::endFind()
{
    if (m_match) {
        m_rectangular = false;
        m_selection = std::exchange(m_match, std::nullopt);
    }
    viewport()->update();
}

} // namespace boxdeck::ui
