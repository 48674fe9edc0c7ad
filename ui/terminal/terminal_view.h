// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/emulator.h"
#include "backend/terminal/input_encoder.h"
#include "backend/terminal/text_query.h"
#include "ui/terminal/cell_painter.h"
#include "ui/terminal/color_scheme.h"

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QTimer>
#include <QUrl>

#include <optional>

class QMenu;

namespace boxdeck::ui {

/// Shows an emulator's grid and scrollback, and turns keys, mouse and pastes into input for its program. It knows
/// nothing of processes: whoever owns it connects input() to one and calls refresh() when the emulator changed.
///
/// Paints at most once a frame, and only lines that changed.
class TerminalView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// `emulator` outlives the view, whose size it takes.
    explicit TerminalView(terminal::Emulator &emulator, QWidget *parent = nullptr);
    ~TerminalView() override;

    terminal::Emulator &emulator() { return m_emulator; }
    const terminal::Emulator &emulator() const { return m_emulator; }

    /// The emulator's grid, scrollback or modes changed.
    void refresh();
    /// While false, keys are not input: Return asks to proceed() instead, other keys are refused().
    void setLive(bool live);
    bool isLive() const { return m_live; }

    void setTerminalFont(const QFont &font);
    /// Points added to or taken from the font's size; kept within what can be read.
    void zoomBy(int points);
    void resetZoom();

    bool hasSelection() const { return m_selection && !m_selection->isEmpty(); }
    QString selectedText() const;
    void selectAll();
    void clearSelection();
    void copy();
    /// Pastes from the clipboard; asks first if the text is risky, see pasteQuestion().
    void paste();
    void pasteText(const QString &text);
    /// Sends a text as pasted, without asking.
    void pasteNow(const QString &text);
    void clearScrollback();

    /// Marks and shows the next occurrence of `text` from the current one, or from the bottom. False if there is none.
    bool find(const QString &text, bool forward, Qt::CaseSensitivity sensitivity);
    void endFind();

    /// The line at the top of the window.
    long long topLine() const;
    bool isAtBottom() const { return m_following; }
    void scrollToBottom();
    int cellWidth() const { return m_painter.cellWidth(); }
    int cellHeight() const { return m_painter.cellHeight(); }
    /// Where a cell of the grid is, in viewport coordinates.
    QRect cellRect(terminal::TextPosition at) const;
    terminal::TextPosition positionAt(QPoint point) const;

    /// Sends text as if typed; line ends are Return. For input methods and assistive tools.
    void typeText(const QString &text);

    QSize sizeHint() const override;
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

Q_SIGNALS:
    /// Bytes for the program.
    void input(const QByteArray &bytes);
    void gridSizeChanged(int rows, int columns);
    /// A text that should not be pasted without a word; pasteNow() does it.
    void pasteQuestion(const QString &text, const boxdeck::terminal::PasteRisk &risk);
    /// A link was clicked that may be opened, once its address was shown and agreed to.
    void linkClicked(const QString &address);
    /// A link was clicked that is not to be opened.
    void linkRefused(const QString &address);
    void filesDropped(const QList<QUrl> &urls);
    void proceedRequested();
    void keyRefused();
    void findRequested();
    void saveRequested();
    void zoomed(int points);
    /// Painted grid and cursor differ from what assistive tools were told; at most a few times a second.
    void accessibleChanged();

protected:
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void inputMethodEvent(QInputMethodEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    enum class Unit { Character, Word, Line };

    // terminal_view.cpp
    void applyFont();
    void updateGridSize();
    void frame();
    void updateScrollBar();
    void updateLines(long long first, long long last);
    QList<CellPainter::Highlight> highlightsOf(long long line) const;
    void paintCursor(QPainter &painter);
    void restartBlink();
    int visibleRows() const;
    void showRange(const terminal::TextRange &range);
    // terminal_view_input.cpp
    void send(const QByteArray &bytes);
    bool viewKey(QKeyEvent *event);
    bool isViewKey(int key, Qt::KeyboardModifiers modifiers) const;
    bool sendMouse(terminal::MouseEvent::Kind kind, Qt::MouseButton button, QPointF at,
                   Qt::KeyboardModifiers modifiers);
    void extendSelection(terminal::TextPosition to);
    terminal::TextRange unitAt(terminal::TextPosition at) const;
    void autoScroll();
    void publishSelection();
    void hover(QPoint point, Qt::KeyboardModifiers modifiers);
    void pastePrimary();

    terminal::Emulator &m_emulator;
    CellPainter m_painter;
    ColorScheme m_scheme;
    QFont m_baseFont;
    int m_zoom = 0;
    bool m_live = true;

    QTimer m_frame;
    QElapsedTimer m_sinceFrame;
    int m_frameMs = 16;   ///< longer while painting is slow or more goes by than anybody reads
    int m_paintMs = 0;    ///< what the last painting took
    QElapsedTimer m_held; ///< since synchronised output began
    QTimer m_tell;        ///< for accessibleChanged()

    bool m_following = true;
    long long m_top = 0; ///< first line shown while not following
    bool m_settingScrollBar = false;
    terminal::GridPosition m_paintedCursor;
    bool m_cursorOn = true;
    QTimer m_blink;
    QString m_preedit;
    int m_preeditCursor = 0;

    std::optional<terminal::TextRange> m_selection;
    bool m_rectangular = false;
    std::optional<terminal::TextRange> m_match;
    terminal::TextRange m_anchor; ///< what was pressed on, the selection grows from it
    Unit m_unit = Unit::Character;
    bool m_selecting = false;
    QPoint m_lastMouse;
    QTimer m_autoScroll;
    QElapsedTimer m_sinceDouble;
    std::optional<terminal::LinkTarget> m_hovered;
    terminal::GridPosition m_reported{-1, -1}; ///< the last cell of a mouse motion told to the program
    Qt::MouseButton m_pressed = Qt::NoButton;  ///< a button the program was told of
    int m_wheel = 0;
};

} // namespace boxdeck::ui
