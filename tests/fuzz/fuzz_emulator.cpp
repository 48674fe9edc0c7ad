// SPDX-License-Identifier: GPL-3.0-or-later
// Terminal output from a hostile sandbox: whatever comes, in whatever pieces and sizes of window.
#include "backend/terminal/emulator.h"
#include "backend/terminal/text_query.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>

using namespace boxdeck::terminal;
using boxdeck::fuzz::require;

namespace {

void check(Emulator &emulator)
{
    require(emulator.cursor().row >= 0 && emulator.cursor().row < emulator.rows());
    require(emulator.cursor().column >= 0 && emulator.cursor().column < emulator.columns());
    require(emulator.takeReplies().size() <= Emulator::MaxReplies);
    require(emulator.title().size() <= Emulator::MaxTitle);
    for (int row = 0; row < emulator.rows(); ++row) {
        const LineView line = emulator.screen().row(row);
        require(line.size >= 0 && line.size <= emulator.columns());
        for (int column = 0; column < line.size; ++column) {
            const auto attributes = line.cells[column].style.attributes;
            // Halves of wide characters come in pairs.
            if ((attributes & Wide) != 0)
                require(column + 1 < line.size && (line.cells[column + 1].style.attributes & WideTail) != 0);
            if ((attributes & WideTail) != 0)
                require(column > 0 && (line.cells[column - 1].style.attributes & Wide) != 0);
        }
    }
}

} // namespace

std::vector<std::string> boxdeck::fuzz::seeds()
{
    return {"plain text\r\n",
            "\x1b[1;31mred\x1b[0m\x1b[38;2;1;2;3m\x1b[48:5:7m\x1b[58:2::1:2:3m\x1b[4:3m",
            "\x1b[2J\x1b[H\x1b[3J\x1b[K\x1b[1K\x1b[?2K\x1b[5X\x1b[3@\x1b[3P\x1b[2L\x1b[2M\x1b[4S\x1b[4T",
            "\x1b[3;10r\x1b[?6h\x1b[5;5H\x1bM\x1bM\x1b[?69h\x1b[3;9s\n\n\n\x1b[r\x1b[?69l",
            "\x1b[?1049h\x1b[?25l\x1b[?2026hfull\x1b[?2026l\x1b[?1049l",
            "\x1b"
            "7\x1b[31m\x1b"
            "8\x1b[s\x1b[u\x1b(0lqk\x1b(B\x0e\x0f\x1bN\x1bO\x1b#8\x1b"
            "c\x1b[!p",
            "\x1b]2;title\x07\x1b]8;id=1;http://a.example/\x1b\\link\x1b]8;;\x1b\\\x1b]52;c;aGVsbG8=\x07\x1b]11;?\x07",
            "\x1bP$qm\x1b\\\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bX sos\x1b\\",
            "\xe4\xbd\xa0\xe5\xa5\xbd e\xcc\x81 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xe2\x94\x80\xff\xc0\xaf",
            "\x1b[6n\x1b[c\x1b[>c\x1b[?2004$p\x1b[21t\x1b[5b\x1b[4h\x1b[?7l\x1b[20h\x1b[2 q\x1b[1\"q",
            "0123456789012345678901234567890123456789\t\t\b\b\r\v\f"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size < 3)
        return 0;
    Emulator emulator(1 + data[0] % 30, 1 + data[1] % 90, 50);
    const std::size_t piece = 1 + data[2] % 64;
    const auto *bytes = reinterpret_cast<const char *>(data);
    for (std::size_t at = 0; at < size; at += piece) {
        emulator.feed(bytes + at, static_cast<qsizetype>(std::min(piece, size - at)));
        if (data[at] == 0x10) // DLE means nothing to a terminal: here it means a new size
            emulator.resize(1 + data[at / 2] % 40, 1 + data[at / 3] % 120);
    }
    check(emulator);
    emulator.finish();
    emulator.resize(1 + data[size - 1] % 40, 1 + data[size - 2] % 120);
    check(emulator);
    const Screen &screen = emulator.screen();
    allText(screen);
    wordAt(screen, {screen.gridLine(), 3});
    linkAt(screen, {screen.gridLine(), 0});
    findText(screen, QStringLiteral("a"), {screen.firstLine(), 0}, true);
    emulator.startNewSession();
    require(emulator.modes() == Modes());
    check(emulator);
    return 0;
}
