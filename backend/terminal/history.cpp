// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/history.h"

#include <algorithm>

namespace boxdeck::terminal {

namespace {
constexpr std::size_t BlockCells = 4096;
}

LineView History::line(int index) const
{
    const Entry &entry = m_lines[static_cast<std::size_t>(index)];
    return {entry.cells, entry.size, entry.wrapped};
}

void History::push(const LineView &line)
{
    if (m_maxLines <= 0) {
        ++m_dropped;
        return;
    }
    while (size() >= m_maxLines)
        dropOldest();
    const auto need = static_cast<std::size_t>(line.size);
    if (m_blocks.empty() || m_blocks.back().capacity - m_blocks.back().used < need) {
        const std::size_t capacity = std::max(BlockCells, need);
        while (!m_lines.empty() && m_cells + capacity > MaxCells)
            dropOldest();
        Block block;
        // A block that ran empty is reused: endless output then allocates nothing.
        if (m_blocks.size() > 1 && m_blocks.front().lines == 0 && m_blocks.front().capacity >= need) {
            block = std::move(m_blocks.front());
            m_blocks.pop_front();
            block.used = 0;
        } else {
            block.cells = std::make_unique_for_overwrite<Cell[]>(capacity);
            block.capacity = capacity;
            m_cells += capacity;
        }
        m_blocks.push_back(std::move(block));
    }
    Block &block = m_blocks.back();
    Cell *cells = block.cells.get() + block.used;
    std::copy_n(line.cells, need, cells);
    block.used += need;
    ++block.lines;
    m_lines.push_back({cells, line.size, line.wrapped});
}

void History::dropOldest()
{
    // Blocks fill and empty in order, so the oldest line lies in the first block that still has any.
    while (m_blocks.size() > 1 && m_blocks.front().lines == 0) {
        m_cells -= m_blocks.front().capacity;
        m_blocks.pop_front();
    }
    m_lines.pop_front();
    --m_blocks.front().lines;
    ++m_dropped;
}

bool History::takeNewest(std::vector<Cell> &cells, bool &wrapped)
{
    if (m_lines.empty())
        return false;
    const Entry entry = m_lines.back();
    m_lines.pop_back();
    cells.insert(cells.end(), entry.cells, entry.cells + entry.size);
    wrapped = entry.wrapped;
    while (m_blocks.back().lines == 0) {
        m_cells -= m_blocks.back().capacity;
        m_blocks.pop_back();
    }
    m_blocks.back().used -= static_cast<std::size_t>(entry.size);
    --m_blocks.back().lines;
    return true;
}

void History::clear()
{
    m_dropped += size();
    m_lines.clear();
    m_blocks.clear();
    m_cells = 0;
}

void History::setMaxLines(int lines)
{
    m_maxLines = std::max(0, lines);
    while (size() > m_maxLines)
        dropOldest();
}

} // namespace boxdeck::terminal
