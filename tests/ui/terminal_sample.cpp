// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal view with something of everything in it, to look at. BOXDECK_THEME=dark|light chooses the scheme.
#include "ui/common/theme.h"
#include "ui/terminal/terminal_view.h"

#include <QApplication>

using namespace boxdeck;

namespace {

QByteArray sample()
{
    QByteArray text("\x1b[1muser@sandbox\x1b[0m:\x1b[34m~\x1b[0m$ ls --color\r\n"
                    "\x1b[34mbin\x1b[0m  \x1b[32mrun.sh\x1b[0m  \x1b[31marchive.tar.gz\x1b[0m  notes.txt\r\n\r\n"
                    "normal \x1b[1mbold\x1b[0m \x1b[2mfaint\x1b[0m \x1b[3mitalic\x1b[0m \x1b[1;3mboth\x1b[0m "
                    "\x1b[7minverse\x1b[0m \x1b[8mconcealed\x1b[0m \x1b[9mstrike\x1b[0m \x1b[53moverline\x1b[0m\r\n"
                    "\x1b[4msingle\x1b[0m \x1b[4:2mdouble\x1b[0m \x1b[4:3;58;5;9mcurly red\x1b[0m "
                    "\x1b[4:4mdotted\x1b[0m \x1b[4:5mdashed\x1b[0m "
                    "\x1b]8;;https://e2b.dev/docs\x1b\\a link\x1b]8;;\x1b\\ https://example.org/x\r\n\r\n");
    for (int i = 0; i < 16; ++i)
        text += "\x1b[48;5;" + QByteArray::number(i) + "m  \x1b[0m";
    text += "\r\n";
    for (int i = 0; i < 16; ++i)
        text += "\x1b[38;5;" + QByteArray::number(i) + "m" + QByteArray::number(i, 16) + " \x1b[0m";
    text += "\r\n";
    for (int i = 0; i < 76; ++i)
        text += "\x1b[48;2;" + QByteArray::number(255 - i * 3) + ";" + QByteArray::number(i * 3) + ";128m \x1b[0m";
    text += QStringLiteral(
                "\r\n\r\n"
                "\u250c\u2500\u2500\u252c\u2500\u2500\u2510  \u2554\u2550\u2550\u2566\u2550\u2550\u2557  "
                "\u250f\u2501\u2501\u2533\u2501\u2501\u2513  \u256d\u2500\u2500\u256e  "
                "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588 \u2591\u2592\u2593 \u2596\u2597\u2598\u259d\u259a\r\n"
                "\u2502\u4f60\u2502\u597d\u2502  \u2551\u4f60\u2551\u597d\u2551  "
                "\u2503\u4f60\u2503\u597d\u2503  \u2502\u65e5\u2502\r\n"
                "\u251c\u2500\u2500\u253c\u2500\u2500\u2524  \u2560\u2550\u2550\u256c\u2550\u2550\u2563  "
                "\u2523\u2501\u2501\u254b\u2501\u2501\u252b  \u2570\u2500\u2500\u256f\r\n"
                "\u2514\u2500\u2500\u2534\u2500\u2500\u2518  \u255a\u2550\u2550\u2569\u2550\u2550\u255d  "
                "\u2517\u2501\u2501\u253b\u2501\u2501\u251b\r\n"
                "e\u0301 a\u0308 o\u0302 n\u0303 \U0001f600 \U0001f680 \U0001f469\u200d\U0001f4bb "
                "\u2705 \ud55c\uad6d\uc5b4 \u65e5\u672c\u8a9e \u0440\u0443\u0441\u0441\u043a\u0438\u0439 "
                "\u05e2\u05d1\u05e8\u05d9\u05ea\r\n")
                .toUtf8();
    text += "\x1b[1muser@sandbox\x1b[0m:\x1b[34m~\x1b[0m$ ";
    return text;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    ui::Theme theme(app);
    terminal::Emulator emulator(24, 80);
    emulator.feed(sample());
    ui::TerminalView view(emulator);
    QObject::connect(&view, &ui::TerminalView::gridSizeChanged, &view, [&](int rows, int columns) {
        emulator.resize(rows, columns);
        view.refresh();
    });
    QObject::connect(&view, &ui::TerminalView::input, &view, [&](const QByteArray &bytes) {
        emulator.feed(bytes);
        view.refresh();
    });
    view.resize(900, 520);
    view.show();
    view.setFocus();
    return QApplication::exec();
}
