// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace boxdeck::terminal {

/// A colour as the program asked for it: the default, one of 256 palette entries, or 24 bits.
/// The view decides what default and palette look like.
struct Color
{
    std::uint32_t value = 0; ///< high byte: 0 default, 1 palette index, 2 RGB

    static constexpr Color indexed(unsigned index) { return {0x01000000U | (index & 0xffU)}; }
    static constexpr Color rgb(unsigned r, unsigned g, unsigned b)
    {
        return {0x02000000U | (r & 0xffU) << 16 | (g & 0xffU) << 8 | (b & 0xffU)};
    }
    constexpr bool isDefault() const { return value == 0; }
    constexpr bool isIndexed() const { return value >> 24 == 1; }
    constexpr bool isRgb() const { return value >> 24 == 2; }
    constexpr unsigned index() const { return value & 0xffU; }
    constexpr unsigned rgbBits() const { return value & 0xffffffU; }

    bool operator==(const Color &) const = default;
};

/// Bits of Cell::attributes.
enum CellAttribute : std::uint16_t {
    Bold = 1U << 0,
    Faint = 1U << 1,
    Italic = 1U << 2,
    UnderlineShift = 3, ///< three bits, an UnderlineStyle
    UnderlineMask = 7U << 3,
    Blink = 1U << 6,
    Inverse = 1U << 7,
    Conceal = 1U << 8,
    Strike = 1U << 9,
    Overline = 1U << 10,
    Protected = 1U << 11, ///< spared by selective erase (DECSCA)
    Wide = 1U << 12,      ///< first cell of a two-cell character
    WideTail = 1U << 13,  ///< second cell of one; holds no text
    WidePad = 1U << 14,   ///< left blank at the margin because a wide character did not fit; holds no text
};

/// How a cell is underlined (SGR 4:n).
enum class UnderlineStyle : std::uint8_t { None, Single, Double, Curly, Dotted, Dashed };

/// What a cell looks like, apart from its text. `extra` is 0 or an entry of the screen's ExtraPool
/// (hyperlink and underline colour).
struct Style
{
    Color foreground;
    Color background;
    std::uint16_t attributes = 0;
    std::uint16_t extra = 0;

    UnderlineStyle underline() const
    {
        return static_cast<UnderlineStyle>((attributes & UnderlineMask) >> UnderlineShift);
    }
    void setUnderline(UnderlineStyle style)
    {
        attributes =
            static_cast<std::uint16_t>((attributes & ~UnderlineMask) | static_cast<unsigned>(style) << UnderlineShift);
    }
    bool operator==(const Style &) const = default;
};

/// One cell of the grid, 16 bytes. `code` is 0 for blank, a code point, or ClusterBit | entry of the ClusterPool
/// for a base character with combining marks.
struct Cell
{
    static constexpr char32_t ClusterBit = 0x80000000U;

    char32_t code = 0;
    Style style;

    bool isBlank() const { return code == 0 && style == Style{}; }
    bool operator==(const Cell &) const = default;
};
static_assert(sizeof(Cell) == 16, "the scrollback budget counts on it");

} // namespace boxdeck::terminal
