// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/screen.h"

#include <algorithm>

namespace boxdeck::terminal {

namespace {

constexpr std::size_t MaxClusterCharacters = 8;

Cell erased(const Style &background)
{
    return Cell{.code = 0, .style = Style{.background = background.background}};
}

GridRect clamped(GridRect rect, int rows, int columns)
{
    rect.top = std::clamp(rect.top, 0, rows);
    rect.bottom = std::clamp(rect.bottom, rect.top, rows);
    rect.left = std::clamp(rect.left, 0, columns);
    rect.right = std::clamp(rect.right, rect.left, columns);
    return rect;
}

} // namespace

Screen::Screen(int rows, int columns, int historyLines)
    : m_rows(std::clamp(rows, 1, MaxRows))
    , m_columns(std::clamp(columns, 1, MaxColumns))
    , m_grid(makeGrid(m_rows, m_columns))
    , m_other(makeGrid(m_rows, m_columns))
    , m_history(historyLines)
{
}

Screen::Grid Screen::makeGrid(int rows, int columns)
{
    Grid grid;
    grid.rows.resize(static_cast<std::size_t>(rows));
    for (Row &row : grid.rows)
        row.cells.resize(static_cast<std::size_t>(columns));
    return grid;
}

Screen::Row &Screen::at(Grid &grid, int row)
{
    auto index = static_cast<std::size_t>(grid.first + row);
    if (index >= grid.rows.size())
        index -= grid.rows.size();
    return grid.rows[index];
}

const Screen::Row &Screen::at(int row) const
{
    return at(const_cast<Screen *>(this)->m_grid, row);
}

// --- writing ---

void Screen::blank(Row &row, const Style &background)
{
    row.wrapped = false;
    row.dirty = true;
    row.used = 0;
    if (background.background.isDefault())
        return;
    std::fill(row.cells.begin(), row.cells.end(), erased(background));
    row.used = static_cast<int>(row.cells.size());
}

// Makes the cells up to `used` count, blank where nothing was written yet.
void Screen::ensure(Row &row, int used)
{
    if (row.used >= used)
        return;
    std::fill(row.cells.begin() + row.used, row.cells.begin() + used, Cell{});
    row.used = used;
}

// Overwriting half of a wide character leaves the other half blank. `column` is where the overwriting begins or ends.
void Screen::splitWide(Row &row, int column)
{
    if (column <= 0 || column >= row.used)
        return;
    Cell &here = row.cells[static_cast<std::size_t>(column)];
    if ((here.style.attributes & WideTail) == 0)
        return;
    Cell &lead = row.cells[static_cast<std::size_t>(column - 1)];
    here.code = lead.code = 0;
    here.style.attributes &= static_cast<std::uint16_t>(~WideTail);
    lead.style.attributes &= static_cast<std::uint16_t>(~Wide);
}

void Screen::putAscii(GridPosition to, const char *bytes, int count, const Style &style)
{
    if (to.row < 0 || to.row >= m_rows || to.column < 0)
        return;
    count = std::min(count, m_columns - to.column);
    if (count <= 0)
        return;
    Row &row = at(to.row);
    const int end = to.column + count;
    if (row.used > to.column) {
        splitWide(row, to.column);
        splitWide(row, end);
    } else {
        ensure(row, to.column);
    }
    Cell *cell = row.cells.data() + to.column;
    for (int i = 0; i < count; ++i)
        cell[i] = Cell{static_cast<unsigned char>(bytes[i]), style};
    row.used = std::max(row.used, end);
    row.dirty = true;
}

void Screen::put(GridPosition to, char32_t character, int width, const Style &style)
{
    if (to.row < 0 || to.row >= m_rows || to.column < 0 || to.column + width > m_columns)
        return;
    Row &row = at(to.row);
    const int end = to.column + width;
    if (row.used > to.column) {
        splitWide(row, to.column);
        splitWide(row, end);
    } else {
        ensure(row, to.column);
    }
    Cell *cell = row.cells.data() + to.column;
    cell[0] = Cell{character, style};
    if (width == 2) {
        cell[0].style.attributes |= Wide;
        cell[1] = Cell{0, style};
        cell[1].style.attributes |= WideTail;
    }
    row.used = std::max(row.used, end);
    row.dirty = true;
}

void Screen::combine(GridPosition to, char32_t mark)
{
    if (to.row < 0 || to.row >= m_rows)
        return;
    Row &row = at(to.row);
    if (to.column > 0 && to.column < row.used &&
        (row.cells[static_cast<std::size_t>(to.column)].style.attributes & WideTail) != 0)
        --to.column;
    if (to.column < 0 || to.column >= row.used)
        return;
    Cell &cell = row.cells[static_cast<std::size_t>(to.column)];
    if (cell.code == 0)
        return;
    std::u32string text;
    if ((cell.code & Cell::ClusterBit) != 0)
        text = m_clusters.at(cell.code & ~Cell::ClusterBit);
    else
        text.push_back(cell.code);
    if (text.size() >= MaxClusterCharacters)
        return;
    text.push_back(mark);
    if (m_clusters.isFull() && !sweep(false))
        return;
    const std::string key(reinterpret_cast<const char *>(text.data()), text.size() * sizeof(char32_t));
    if (const auto index = m_clusters.intern(key, text)) {
        cell.code = Cell::ClusterBit | static_cast<char32_t>(index);
        row.dirty = true;
    }
}

void Screen::wrapRow(int row, bool padded)
{
    if (row < 0 || row >= m_rows)
        return;
    Row &line = at(row);
    ensure(line, m_columns);
    if (padded) {
        splitWide(line, m_columns - 1);
        line.cells.back() = Cell{.code = 0, .style = Style{.attributes = WidePad}};
    }
    line.wrapped = true;
    line.dirty = true;
}

void Screen::erase(const GridRect &where, const Style &background, bool selective)
{
    const GridRect rect = clamped(where, m_rows, m_columns);
    if (rect.left == rect.right)
        return;
    for (int r = rect.top; r < rect.bottom; ++r) {
        Row &row = at(r);
        row.dirty = true;
        if (rect.right == m_columns)
            row.wrapped = false;
        splitWide(row, rect.left);
        splitWide(row, rect.right);
        if (selective) {
            for (int c = rect.left; c < std::min(rect.right, row.used); ++c) {
                Cell &cell = row.cells[static_cast<std::size_t>(c)];
                if ((cell.style.attributes & Protected) == 0)
                    cell = Cell{};
            }
        } else if (rect.right >= row.used && background.background.isDefault()) {
            row.used = std::min(row.used, rect.left);
        } else {
            ensure(row, rect.right);
            std::fill(row.cells.begin() + rect.left, row.cells.begin() + rect.right, erased(background));
        }
    }
}

void Screen::moveColumns(const GridRect &rect, int right, const Style &background)
{
    const int width = rect.right - rect.left;
    const int by = std::clamp(right, -width, width);
    for (int r = rect.top; r < rect.bottom; ++r) {
        Row &row = at(r);
        row.dirty = true;
        row.wrapped = row.wrapped && by < 0; // inserting pushes characters off the end, deleting leaves it blank
        ensure(row, rect.right);
        splitWide(row, rect.left);
        splitWide(row, rect.right);
        const auto begin = row.cells.begin() + rect.left;
        const auto end = row.cells.begin() + rect.right;
        if (by > 0) {
            splitWide(row, rect.left + by);
            std::move(begin + by, end, begin);
            std::fill(end - by, end, erased(background));
        } else {
            splitWide(row, rect.right + by);
            std::move_backward(begin, end + by, end);
            std::fill(begin, begin - by, erased(background));
        }
        row.used = trimmed(row);
    }
}

// A part of the rows, or not their whole width.
void Screen::moveRows(const GridRect &rect, int down, const Style &background)
{
    const int height = rect.bottom - rect.top;
    const int by = std::clamp(down, -height, height);
    if (rect.top > 0)
        at(rect.top - 1).wrapped = false;
    if (by < 0)
        at(rect.bottom - 1).wrapped = false;
    const bool whole = rect.left == 0 && rect.right == m_columns;
    const auto move = [&](int to, int from) {
        Row &target = at(to);
        target.dirty = true;
        if (whole) {
            std::swap(target, at(from));
            target.dirty = true;
            return;
        }
        Row &source = at(from);
        for (Row *row : {&target, &source}) {
            ensure(*row, rect.right);
            splitWide(*row, rect.left);
            splitWide(*row, rect.right);
        }
        std::copy(source.cells.begin() + rect.left, source.cells.begin() + rect.right,
                  target.cells.begin() + rect.left);
        target.wrapped = false;
    };
    if (by > 0)
        for (int r = rect.top; r < rect.bottom - by; ++r)
            move(r, r + by);
    else
        for (int r = rect.bottom - 1; r >= rect.top - by; --r)
            move(r, r + by);
    GridRect bare = rect;
    if (by > 0)
        bare.top = rect.bottom - by;
    else
        bare.bottom = rect.top - by;
    if (!whole)
        return erase(bare, background, false);
    for (int r = bare.top; r < bare.bottom; ++r)
        blank(at(r), background);
}

// The whole grid goes up: the ring turns and no cell moves.
void Screen::turn(int down, const Style &background)
{
    m_grid.first = (m_grid.first + down) % m_rows;
    for (int r = m_rows - down; r < m_rows; ++r)
        blank(at(r), background);
}

void Screen::scroll(const GridRect &where, int down, int right, const Style &background, bool save)
{
    const GridRect rect = clamped(where, m_rows, m_columns);
    if (rect.left == rect.right || rect.top == rect.bottom)
        return;
    if (right != 0)
        moveColumns(rect, right, background);
    if (down == 0)
        return;
    const bool fullWidth = rect.left == 0 && rect.right == m_columns;
    const int count = std::min(down, rect.bottom - rect.top);
    if (count > 0 && fullWidth && rect.top == 0 && save && !m_alternate) {
        for (int r = 0; r < count; ++r)
            m_history.push(view(at(r)));
        m_scrolled += count;
    }
    if (count > 0 && fullWidth && rect.top == 0 && rect.bottom == m_rows) {
        turn(count, background);
        if (!save || m_alternate)
            touchAll();
    } else {
        moveRows(rect, down, background);
    }
}

void Screen::clearHistory()
{
    m_history.clear();
    m_everything = true;
}

void Screen::scrollOutAll()
{
    if (m_alternate)
        return;
    int last = m_rows;
    while (last > 0 && trimmed(at(last - 1)) == 0)
        --last;
    for (int r = 0; r < last; ++r)
        m_history.push(view(at(r)));
    m_scrolled += last;
    for (Row &row : m_grid.rows)
        blank(row, {});
}

void Screen::setAlternate(bool on)
{
    if (on == m_alternate)
        return;
    m_alternate = on;
    std::swap(m_grid, m_other);
    m_everything = true;
}

// --- pools ---

std::uint16_t Screen::internExtra(const Extra &extra)
{
    if (extra == Extra{})
        return 0;
    if (m_extras.isFull() && !sweep(true))
        return 0;
    std::string key = extra.uri;
    key.push_back('\0');
    key += extra.id;
    key.push_back('\0');
    key += std::to_string(extra.underline.value);
    return static_cast<std::uint16_t>(m_extras.intern(key, extra));
}

bool Screen::sweep(bool extras)
{
    // Looking at every cell is slow, and useless again before old lines have gone.
    if (gridLine() < m_nextSweep[extras])
        return false;
    m_nextSweep[extras] = gridLine() + 1024;
    std::vector<bool> used(extras ? m_extras.capacity() : m_clusters.capacity());
    const auto mark = [&](const Cell &cell) {
        if (extras)
            used[cell.style.extra] = true;
        else if ((cell.code & Cell::ClusterBit) != 0)
            used[cell.code & ~Cell::ClusterBit] = true;
    };
    m_history.forEachCell(mark);
    for (const Grid *grid : {&m_grid, &m_other})
        for (const Row &row : grid->rows)
            std::for_each(row.cells.begin(), row.cells.begin() + row.used, mark);
    if (extras)
        m_extras.sweep(used);
    else
        m_clusters.sweep(used);
    return extras ? !m_extras.isFull() : !m_clusters.isFull();
}

// --- reading ---

int Screen::trimmed(const Row &row)
{
    int used = row.used;
    if (!row.wrapped)
        while (used > 0 && row.cells[static_cast<std::size_t>(used - 1)].isBlank())
            --used;
    return used;
}

LineView Screen::view(const Row &row)
{
    return {row.cells.data(), trimmed(row), row.wrapped};
}

LineView Screen::row(int index) const
{
    return index < 0 || index >= m_rows ? LineView{} : view(at(index));
}

LineView Screen::line(long long number) const
{
    if (number >= gridLine())
        return number < endLine() ? row(static_cast<int>(number - gridLine())) : LineView{};
    const long long index = number - m_history.dropped();
    return index >= 0 && !m_alternate ? m_history.line(static_cast<int>(index)) : LineView{};
}

Cell Screen::cell(GridPosition where) const
{
    const LineView line = row(where.row);
    return where.column >= 0 && where.column < line.size ? line.cells[where.column] : Cell{};
}

QString Screen::text(const Cell &cell) const
{
    QString out;
    appendText(cell, out);
    return out;
}

void Screen::appendText(const Cell &cell, QString &out) const
{
    if (cell.code == 0)
        return;
    const auto append = [&out](char32_t c) {
        if (QChar::requiresSurrogates(c)) {
            out += QChar(QChar::highSurrogate(c));
            out += QChar(QChar::lowSurrogate(c));
        } else {
            out += QChar(static_cast<char16_t>(c));
        }
    };
    if ((cell.code & Cell::ClusterBit) == 0)
        return append(cell.code);
    for (const char32_t c : m_clusters.at(cell.code & ~Cell::ClusterBit))
        append(c);
}

void Screen::touch(int row)
{
    if (row >= 0 && row < m_rows)
        at(row).dirty = true;
}

void Screen::touchAll()
{
    for (Row &row : m_grid.rows)
        row.dirty = true;
}

Damage Screen::takeDamage()
{
    Damage damage;
    damage.scrolled = std::exchange(m_scrolled, 0);
    damage.everything = std::exchange(m_everything, false);
    const bool all = damage.everything || damage.scrolled != 0;
    for (int r = 0; r < m_rows; ++r) {
        if (!std::exchange(at(r).dirty, false) && !all)
            continue;
        if (!damage.rows.empty() && damage.rows.back().second == r - 1)
            damage.rows.back().second = r;
        else
            damage.rows.emplace_back(r, r);
    }
    return damage;
}

} // namespace boxdeck::terminal
