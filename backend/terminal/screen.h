// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/history.h"
#include "backend/terminal/pools.h"

#include <QString>

#include <vector>

namespace boxdeck::terminal {

/// A place on the visible grid; row and column from 0.
struct GridPosition
{
    int row = 0;
    int column = 0;
    bool operator==(const GridPosition &) const = default;
};

/// Cells from the top left, up to but not including bottom and right.
struct GridRect
{
    int top = 0;
    int left = 0;
    int bottom = 0;
    int right = 0;
};

/// A place in scrollback and grid together. `line` counts from the very first line ever and names the same text
/// while it scrolls; see Screen::firstLine().
struct TextPosition
{
    long long line = 0;
    int column = 0;
    auto operator<=>(const TextPosition &) const = default;
};

/// Lines of the visible grid that changed since the last look.
struct Damage
{
    std::vector<std::pair<int, int>> rows; ///< ranges first..last, in order
    int scrolled = 0;                      ///< how many lines went up into the scrollback
    bool everything = false;               ///< resized, another screen, cleared scrollback: line numbers moved
    bool isEmpty() const { return rows.empty() && scrolled == 0 && !everything; }
};

/// The grid of cells with its scrollback and the alternate grid.
///
/// A ring of lines: scrolling the whole screen turns the ring and moves no cell. Geometry comes clamped from the
/// emulator, but every function here also stands up to anything out of range.
class Screen
{
public:
    static constexpr int MaxColumns = 2000;
    static constexpr int MaxRows = 1000;

    Screen(int rows, int columns, int historyLines = History::DefaultLines);

    int rows() const { return m_rows; }
    int columns() const { return m_columns; }

    // --- writing ---

    /// Writes width-1 characters from `at` on; they fit, the caller has wrapped them.
    void putAscii(GridPosition at, const char *bytes, int count, const Style &style);
    /// Writes one character of `width` 1 or 2 cells.
    void put(GridPosition at, char32_t character, int width, const Style &style);
    /// Adds a combining character to the one that ends at `at`. Ignored if there is none, or it has enough.
    void combine(GridPosition at, char32_t mark);
    /// Marks the row as going on in the next one; a wide character did not fit if `padded`.
    void wrapRow(int row, bool padded);
    void erase(const GridRect &rect, const Style &background, bool selective);
    /// Moves cells up by `down` lines and left by `right` columns (either may be negative), as libvterm names them.
    /// With `save`, lines leaving the top of the main grid become scrollback.
    void scroll(const GridRect &rect, int down, int right, const Style &background, bool save);
    void clearHistory();
    /// Moves everything written on the main grid into the scrollback and blanks it.
    void scrollOutAll();
    void setAlternate(bool on);
    /// Takes a new size, joining and cutting soft-wrapped lines of the main grid anew. `cursor` is moved along, and
    /// so is `otherCursor`, the cursor of the grid that is not shown. A column one past the last stands for a cursor
    /// that waits there to wrap.
    void resize(int rows, int columns, GridPosition &cursor, GridPosition &otherCursor);

    /// Style::extra for a link and underline colour; 0 if there is no room.
    std::uint16_t internExtra(const Extra &extra);

    // --- reading ---

    /// Number of the oldest line there is; the grid begins at gridLine().
    long long firstLine() const { return m_alternate ? gridLine() : m_history.dropped(); }
    /// Number of the first visible line.
    long long gridLine() const { return m_history.dropped() + m_history.size(); }
    long long endLine() const { return gridLine() + m_rows; }
    LineView line(long long number) const;
    LineView row(int index) const;
    Cell cell(GridPosition at) const;
    int historySize() const { return m_alternate ? 0 : m_history.size(); }
    const Extra &extra(const Cell &cell) const { return m_extras.at(cell.style.extra); }
    /// The text of a cell; empty for blanks and tails.
    QString text(const Cell &cell) const;
    void appendText(const Cell &cell, QString &out) const;

    /// Takes the changes since the last call.
    Damage takeDamage();
    void touch(int row);
    void touchAll();

private:
    struct Row
    {
        std::vector<Cell> cells; ///< always `columns` long
        int used = 0;            ///< cells beyond are blank, whatever they hold
        bool wrapped = false;
        bool dirty = true;
    };
    struct Grid
    {
        std::vector<Row> rows;
        int first = 0; ///< the ring's top
    };

    static Row &at(Grid &grid, int row);
    Row &at(int row) { return at(m_grid, row); }
    const Row &at(int row) const;
    static Grid makeGrid(int rows, int columns);
    static void blank(Row &row, const Style &background);
    static void ensure(Row &row, int used);
    void splitWide(Row &row, int column);
    void moveColumns(const GridRect &rect, int right, const Style &background);
    void moveRows(const GridRect &rect, int down, const Style &background);
    void turn(int down, const Style &background);
    void reflow(Grid &grid, int rows, int columns, GridPosition &cursor);
    static void resizePlain(Grid &grid, int rows, int columns, GridPosition &cursor);
    /// Frees what no cell uses. False if too little can have changed since the last time.
    bool sweep(bool extras);
    static LineView view(const Row &row);
    static int trimmed(const Row &row);

    int m_rows;
    int m_columns;
    Grid m_grid;  ///< what is shown
    Grid m_other; ///< the main grid while the alternate one is shown, and the other way round
    bool m_alternate = false;
    History m_history;
    ExtraPool m_extras{0xffff};
    ClusterPool m_clusters{0xffff};
    long long m_nextSweep[2] = {0, 0}; ///< first scrollback line that justifies another sweep
    int m_scrolled = 0;
    bool m_everything = true;
};

} // namespace boxdeck::terminal
