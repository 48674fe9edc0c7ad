// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/modes.h"
#include "backend/terminal/screen.h"
#include "backend/terminal/sgr.h"
#include "backend/terminal/tokenizer.h"
#include "backend/terminal/vterm_state.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace boxdeck::terminal {

/// What output asked for besides changing the grid. All text in it is untrusted and already bounded.
struct EmulatorEvents
{
    bool bell = false;
    std::optional<QString> title;     ///< cleaned of controls and bidi marks, at most Emulator::MaxTitle characters
    std::optional<QString> clipboard; ///< text to put into the clipboard (OSC 52)
    bool clipboardReadRefused = false;
};

/// A terminal without a window: bytes in, grid and replies out.
///
/// Output is hostile. It can change the grid, and the things in EmulatorEvents, and cause the fixed replies of a VT;
/// it never gets back the clipboard, the title or anything else that it chose the words of. feed() may be given any
/// cut of the stream and does bounded work per byte.
class Emulator final : private TokenSink, private VtermClient
{
public:
    static constexpr int MaxTitle = 256;
    /// Most bytes of replies kept until taken; beyond it replies are dropped (the program does not read them anyway).
    static constexpr qsizetype MaxReplies = qsizetype{64} * 1024;

    explicit Emulator(int rows = 24, int columns = 80, int historyLines = History::DefaultLines);

    void feed(const char *bytes, qsizetype size);
    void feed(const QByteArray &bytes) { feed(bytes.constData(), bytes.size()); }
    /// The stream ended: what is incomplete is shown as such or dropped.
    void finish();
    void resize(int rows, int columns);
    /// Ready for another program: every mode at its default, main screen, empty grid; what was on the main screen
    /// becomes scrollback.
    void startNewSession();

    int rows() const { return m_screen.rows(); }
    int columns() const { return m_screen.columns(); }
    const Screen &screen() const { return m_screen; }
    Screen &screen() { return m_screen; }
    const Modes &modes() const { return m_modes; }
    GridPosition cursor() const { return {m_row, m_column}; }
    CursorStyle cursorStyle() const { return m_cursorStyle.value_or(m_defaultCursor); }
    QString title() const { return m_title; }

    /// The user's choice, which programs can leave and come back to (DECSCUSR 0).
    void setDefaultCursorStyle(CursorStyle style) { m_defaultCursor = style; }
    /// What OSC 10 and 11 queries are answered with (0xRRGGBB): programs choose light or dark by it.
    void setReportedColors(unsigned foreground, unsigned background);

    /// The answer a program gets when the terminal wins or loses focus; empty unless it asked (mode 1004).
    QByteArray focusReport(bool focused) const;

    QByteArray takeReplies();
    EmulatorEvents takeEvents();
    /// What changed. Ask only when !modes().synchronizedOutput, or when that has lasted too long.
    Damage takeDamage() { return m_screen.takeDamage(); }

    /// Ends synchronised output that a program began and never ended.
    void endSynchronizedOutput() { m_modes.synchronizedOutput = false; }

private:
    struct SavedCursor
    {
        GridPosition position;
        bool pendingWrap = false;
        bool origin = false;
        Pen pen;
        Charsets charsets;
    };

    void onAscii(const char *bytes, std::size_t size) override;
    void onText(const char32_t *characters, std::size_t size) override;
    void onControl(char control) override;
    void onEscape(char intermediate, char final) override;
    void onControlSequence(const ControlSequence &sequence) override;
    void onOsc(std::string_view body) override;
    void onDcs(std::string_view body) override;

    void vtermMovedCursor(GridPosition to, bool columnChanged) override;
    void vtermScrolled(const GridRect &rect, int down, int right) override;
    void vtermErased(const GridRect &rect, bool selective) override;
    void vtermPut(GridPosition at, char32_t character) override;
    void vtermReplied(std::string_view bytes) override;

    void print(char32_t character);
    void wrap(bool padded);
    void lineFeed();
    void repeat(int count);
    void toVterm(std::string_view bytes);
    void forward(const ControlSequence &sequence);
    void syncColumn();
    void moveTo(GridPosition position);
    void setAnsiMode(int mode, bool on);
    void setPrivateMode(int mode, bool on);
    void reportMode(const ControlSequence &sequence);
    void setAlternateScreen(bool on);
    void setCursorStyle(int code);
    void saveCursor();
    void restoreCursor();
    void softReset();
    void fullReset();
    void updateExtra();
    void setTitle(std::string_view text);
    void setLink(std::string_view body);
    void setClipboard(std::string_view body);
    void reportColor(std::string_view number, unsigned color);
    void reply(std::string_view bytes);

    Screen m_screen;
    Tokenizer m_tokenizer;
    Modes m_modes;
    Charsets m_charsets;
    Pen m_pen;
    Extra m_extra; ///< what m_pen.style.extra stands for
    int m_row = 0;
    int m_column = 0;      ///< ours: text moves it, libvterm learns of it when it matters
    int m_vtermColumn = 0; ///< where libvterm believes the cursor is
    bool m_pendingWrap = false;
    bool m_saveScrolled = true; ///< lines that leave the top now become scrollback
    bool m_resizing = false;
    char32_t m_lastPrinted = 0;
    SavedCursor m_saved[2];    ///< of the main and the alternate screen
    GridPosition m_mainCursor; ///< of the main screen while the alternate one is shown
    CursorStyle m_defaultCursor;
    std::optional<CursorStyle> m_cursorStyle;
    unsigned m_foreground = 0xd8dbe2;
    unsigned m_background = 0x15181e;
    QString m_title;
    QByteArray m_replies;
    EmulatorEvents m_events;
    VtermState m_vterm; ///< last: it calls back while it is made
};

} // namespace boxdeck::terminal
