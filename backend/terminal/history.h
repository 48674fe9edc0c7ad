// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/cell.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace boxdeck::terminal {

/// One line of the grid or the scrollback, to read.
struct LineView
{
    const Cell *cells = nullptr;
    int size = 0;         ///< cells that were written; the rest of the line is blank
    bool wrapped = false; ///< goes on in the next line (soft wrap)
};

/// The lines that scrolled off, oldest first. Bounded in lines and in memory, whatever is printed: lines live back to
/// back in blocks, blocks are dropped oldest first.
class History
{
public:
    static constexpr int DefaultLines = 10'000;
    /// Most cells kept, 16 bytes each: 48 MiB.
    static constexpr std::size_t MaxCells = 3U << 20;

    explicit History(int maxLines = DefaultLines)
        : m_maxLines(maxLines)
    {
    }

    int size() const { return static_cast<int>(m_lines.size()); }
    /// Lines dropped since the beginning; `dropped() + index` names a line for good.
    long long dropped() const { return m_dropped; }
    LineView line(int index) const;

    void push(const LineView &line);
    /// Removes the newest line, appending its cells to `cells`. False if there is none.
    bool takeNewest(std::vector<Cell> &cells, bool &wrapped);
    void clear();
    void setMaxLines(int lines);
    int maxLines() const { return m_maxLines; }

    /// Runs f(Cell &) over every cell, to renumber pool entries.
    template <typename F> void forEachCell(F f)
    {
        for (const Entry &entry : m_lines)
            for (int i = 0; i < entry.size; ++i)
                f(entry.cells[i]);
    }

private:
    struct Block
    {
        std::unique_ptr<Cell[]> cells;
        std::size_t capacity = 0;
        std::size_t used = 0;
        int lines = 0;
    };
    struct Entry
    {
        Cell *cells = nullptr;
        int size = 0;
        bool wrapped = false;
    };

    void dropOldest();

    std::deque<Entry> m_lines;
    std::deque<Block> m_blocks;
    std::size_t m_cells = 0; ///< capacity of all blocks
    long long m_dropped = 0;
    int m_maxLines;
};

} // namespace boxdeck::terminal
