// SPDX-License-Identifier: GPL-3.0-or-later
// Screen::resize: soft-wrapped lines are joined and cut anew at the new width.
#include "backend/terminal/screen.h"

#include <algorithm>

namespace boxdeck::terminal {

namespace {

/// Cuts logical lines into lines of a width and keeps track of places in them.
class Rewrapper
{
public:
    Rewrapper(int columns, History &out)
        : m_columns(columns)
        , m_out(out)
    {
    }

    /// Appends a line as it was; ends the logical line unless it was wrapped.
    void add(const LineView &line)
    {
        int size = line.size;
        if (size > 0 && (line.cells[size - 1].style.attributes & WidePad) != 0)
            --size;
        m_cells.insert(m_cells.end(), line.cells, line.cells + size);
        if (!line.wrapped)
            flush();
    }

    /// Remembers column `column` of the line added next; the place it got is written on flush().
    void mark(int column, TextPosition *place) { m_marks.push_back({m_cells.size(), column, place}); }

    void flush()
    {
        for (const Mark &mark : m_marks)
            m_cells.resize(std::max(m_cells.size(), mark.start + static_cast<std::size_t>(mark.column)));
        std::size_t from = 0;
        do {
            from = cut(from);
        } while (from < m_cells.size());
        m_cells.clear();
        m_marks.clear();
    }

    bool isEmpty() const { return m_cells.empty() && m_marks.empty(); }

private:
    struct Mark
    {
        std::size_t start;
        int column;
        TextPosition *place;
    };

    std::size_t cut(std::size_t from)
    {
        const auto width = static_cast<std::size_t>(m_columns);
        std::size_t to = std::min(from + width, m_cells.size());
        bool padded = false;
        if (to - from == width && (m_cells[to - 1].style.attributes & Wide) != 0) {
            padded = width > 1;
            if (padded)
                --to;
            else
                m_cells[to - 1] = Cell{}; // one column: there is no place for it at all
        }
        if (width == 1 && (m_cells.size() > from) && (m_cells[from].style.attributes & WideTail) != 0)
            m_cells[from] = Cell{};
        const bool wrapped = to < m_cells.size();
        std::vector<Cell> line(m_cells.begin() + static_cast<std::ptrdiff_t>(from),
                               m_cells.begin() + static_cast<std::ptrdiff_t>(to));
        if (padded)
            line.push_back(Cell{.code = 0, .style = Style{.attributes = WidePad}});
        if (!wrapped)
            while (!line.empty() && line.back().isBlank())
                line.pop_back();
        m_out.push({line.data(), static_cast<int>(line.size()), wrapped});
        const long long number = m_out.dropped() + m_out.size() - 1;
        for (const Mark &mark : m_marks) {
            const std::size_t offset = mark.start + static_cast<std::size_t>(mark.column);
            if (offset >= from && (offset < to || !wrapped))
                *mark.place = {number, static_cast<int>(offset - from)};
        }
        return to;
    }

    int m_columns;
    History &m_out;
    std::vector<Cell> m_cells;
    std::vector<Mark> m_marks;
};

} // namespace

void Screen::resize(int rows, int columns, GridPosition &cursor, GridPosition &otherCursor)
{
    rows = std::clamp(rows, 1, MaxRows);
    columns = std::clamp(columns, 1, MaxColumns);
    if (rows == m_rows && columns == m_columns)
        return;
    reflow(m_alternate ? m_other : m_grid, rows, columns, m_alternate ? otherCursor : cursor);
    resizePlain(m_alternate ? m_grid : m_other, rows, columns, m_alternate ? cursor : otherCursor);
    m_rows = rows;
    m_columns = columns;
    m_scrolled = 0;
    m_everything = true;
}

void Screen::reflow(Grid &grid, int rows, int columns, GridPosition &cursor)
{
    const int oldRows = static_cast<int>(grid.rows.size());
    cursor.row = std::clamp(cursor.row, 0, oldRows - 1);
    cursor.column = std::clamp(cursor.column, 0, m_columns);
    int last = oldRows - 1;
    while (last > cursor.row && trimmed(at(grid, last)) == 0)
        --last;
    const bool full = last == oldRows - 1;

    // Everything becomes scrollback for a moment, then the newest lines become the grid again.
    const int limit = m_history.maxLines();
    TextPosition top;
    TextPosition place;
    History fresh(std::max(limit, 0) + rows + oldRows);
    if (columns == m_columns) {
        std::swap(fresh, m_history);
        fresh.setMaxLines(limit + rows + oldRows);
        top = {fresh.dropped() + fresh.size(), 0};
        place = {top.line + cursor.row, cursor.column};
        for (int r = 0; r <= last; ++r)
            fresh.push(view(at(grid, r)));
    } else {
        Rewrapper wrapper(columns, fresh);
        for (int i = 0; i < m_history.size(); ++i)
            wrapper.add(m_history.line(i));
        for (int r = 0; r <= last; ++r) {
            if (r == 0)
                wrapper.mark(0, &top);
            if (r == cursor.row)
                wrapper.mark(cursor.column, &place);
            wrapper.add(view(at(grid, r)));
        }
        if (!wrapper.isEmpty())
            wrapper.flush();
    }

    // Where the grid begins now: full grids keep their last line at the bottom, others their first line at the
    // top, and the cursor is always on it.
    const long long end = fresh.dropped() + fresh.size() - 1;
    long long start = full ? end - rows + 1 : std::max(top.line, end - rows + 1);
    start = std::clamp(start, place.line - rows + 1, place.line);
    start = std::max(start, fresh.dropped());

    Grid next = makeGrid(rows, columns);
    std::vector<Cell> cells;
    for (long long number = end; number >= start; --number) {
        cells.clear();
        bool wrapped = false;
        if (!fresh.takeNewest(cells, wrapped))
            break;
        if (number - start >= rows)
            continue; // below the new grid: a full-screen program redraws it
        Row &row = next.rows[static_cast<std::size_t>(number - start)];
        row.used = std::min(static_cast<int>(cells.size()), columns);
        row.wrapped = wrapped;
        std::copy_n(cells.begin(), row.used, row.cells.begin());
    }
    next.rows.back().wrapped = false;
    cursor = {static_cast<int>(std::clamp<long long>(place.line - start, 0, rows - 1)),
              std::clamp(place.column, 0, columns)};
    fresh.setMaxLines(limit);
    m_history = std::move(fresh);
    grid = std::move(next);
    m_nextSweep[0] = m_nextSweep[1] = 0;
}

void Screen::resizePlain(Grid &grid, int rows, int columns, GridPosition &cursor)
{
    const int oldRows = static_cast<int>(grid.rows.size());
    // Keeps the cursor's line when the grid gets lower.
    const int skip = std::max(0, std::min(cursor.row, oldRows - 1) - rows + 1);
    Grid next = makeGrid(rows, columns);
    for (int r = 0; r < rows && r + skip < oldRows; ++r) {
        Row &from = at(grid, r + skip);
        Row &to = next.rows[static_cast<std::size_t>(r)];
        to.used = std::min(from.used, columns);
        std::copy_n(from.cells.begin(), to.used, to.cells.begin());
        to.wrapped = from.wrapped && columns == static_cast<int>(from.cells.size());
        if (to.used == columns && (to.cells.back().style.attributes & Wide) != 0)
            to.cells.back() = Cell{};
    }
    cursor.row = std::clamp(cursor.row - skip, 0, rows - 1);
    cursor.column = std::clamp(cursor.column, 0, columns - 1);
    grid = std::move(next);
}

} // namespace boxdeck::terminal
