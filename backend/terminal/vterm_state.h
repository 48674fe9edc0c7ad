// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/screen.h"

#include <memory>
#include <string_view>

namespace boxdeck::terminal {

/// What libvterm's state layer wants done to the grid.
class VtermClient
{
public:
    virtual ~VtermClient() = default;
    virtual void vtermMovedCursor(GridPosition to, bool columnChanged) = 0;
    virtual void vtermScrolled(const GridRect &rect, int down, int right) = 0;
    virtual void vtermErased(const GridRect &rect, bool selective) = 0;
    /// Only for the screen alignment test (DECALN): ordinary text never passes through libvterm.
    virtual void vtermPut(GridPosition at, char32_t character) = 0;
    virtual void vtermReplied(std::string_view bytes) = 0;
};

/// libvterm's state layer, used for what it is good at: cursor motion, margins, tab stops, insert, delete, erase and
/// the terminal's reports. The one place that knows libvterm, and what differs between 0.1.4 and 0.3.3.
///
/// Text, strings, pens and most modes are ours. Libvterm decodes text into an array on the stack, joins combining
/// marks in quadratic time, and has no faint, conceal, dotted underline, REP or soft reset that works; and going
/// through it glyph by glyph costs most of the throughput.
class VtermState
{
public:
    VtermState(int rows, int columns, VtermClient &client);
    ~VtermState();
    VtermState(const VtermState &) = delete;
    VtermState &operator=(const VtermState &) = delete;

    /// Complete control characters and sequences only; the tokenizer sees to that.
    void write(std::string_view bytes);
    void resize(int rows, int columns);
    /// Margins, tab stops and origin mode back to default. Erases the grid and homes the cursor if `hard`.
    void reset(bool hard);
    GridPosition cursor() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace boxdeck::terminal
