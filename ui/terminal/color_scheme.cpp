// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/color_scheme.h"

#include "ui/common/theme.h"

namespace boxdeck::ui {

namespace {

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto mix = [share](int x, int y) { return static_cast<int>(x * share + y * (1 - share) + 0.5); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

} // namespace

ColorScheme::ColorScheme(const std::array<QRgb, 16> &base)
{
    for (std::size_t i = 0; i < base.size(); ++i)
        m_palette[i] = QColor(base[i]);
    // xterm's cube and ramp.
    static constexpr int Steps[] = {0, 95, 135, 175, 215, 255};
    for (int i = 0; i < 216; ++i)
        m_palette[static_cast<std::size_t>(16 + i)] = QColor(Steps[i / 36], Steps[i / 6 % 6], Steps[i % 6]);
    for (int i = 0; i < 24; ++i)
        m_palette[static_cast<std::size_t>(232 + i)] = QColor(8 + 10 * i, 8 + 10 * i, 8 + 10 * i);
}

// The first sixteen are our own and keep 4.5:1 on the background, apart from the two that stand for it.
ColorScheme ColorScheme::light()
{
    ColorScheme scheme({0xff1b1f27, 0xffb4261f, 0xff1e7f4f, 0xff8a5800, 0xff2459c4, 0xff8a2fa8, 0xff0b7285, 0xff5b6472,
                        0xff5b6472, 0xffc0362c, 0xff197a47, 0xff946000, 0xff2f6feb, 0xff9a3fb8, 0xff0c7c8f,
                        0xff1b1f27});
    scheme.foreground = QColor(0x1b, 0x1f, 0x27);
    scheme.background = QColor(0xff, 0xff, 0xff);
    scheme.cursor = QColor(0x2f, 0x6f, 0xeb);
    scheme.selection = QColor(0xc9, 0xdb, 0xfb);
    scheme.match = QColor(0xff, 0xe0, 0x8a);
    return scheme;
}

ColorScheme ColorScheme::dark()
{
    ColorScheme scheme({0xff2e3440, 0xffff7b72, 0xff4cc38a, 0xffe3a73b, 0xff6ea1ff, 0xffd2a8ff, 0xff56c8d8, 0xffcdd3de,
                        0xff9aa3b2, 0xffffa198, 0xff7ee2b0, 0xfff2c76e, 0xff9cc0ff, 0xffe2c5ff, 0xff8be0ec,
                        0xffffffff});
    scheme.foreground = QColor(0xe6, 0xe9, 0xef);
    scheme.background = QColor(0x15, 0x18, 0x1e);
    scheme.cursor = QColor(0x6e, 0xa1, 0xff);
    scheme.selection = QColor(0x2b, 0x45, 0x75);
    scheme.match = QColor(0x6b, 0x52, 0x12);
    return scheme;
}

ColorScheme ColorScheme::of(const QPalette &palette)
{
    return Theme::isDark(palette) ? dark() : light();
}

QColor ColorScheme::color(terminal::Color color, const QColor &fallback) const
{
    if (color.isIndexed())
        return m_palette[color.index()];
    if (color.isRgb())
        return QColor(QRgb(0xff000000U | color.rgbBits()));
    return fallback;
}

ColorScheme::Pair ColorScheme::resolve(const terminal::Style &style, bool reverseScreen) const
{
    using namespace terminal;
    Color wanted = style.foreground;
    // Bold has always meant bright for the eight basic colours.
    if ((style.attributes & Bold) != 0 && wanted.isIndexed() && wanted.index() < 8)
        wanted = Color::indexed(wanted.index() + 8);
    QColor text = color(wanted, foreground);
    QColor ground = color(style.background, QColor());
    if (((style.attributes & Inverse) != 0) != reverseScreen) {
        const QColor under = ground.isValid() ? ground : background;
        ground = text;
        text = under;
    }
    const QColor &under = ground.isValid() ? ground : background;
    if ((style.attributes & Faint) != 0)
        text = mixed(text, under, 0.6);
    if ((style.attributes & Conceal) != 0)
        text = under;
    return {text, ground};
}

} // namespace boxdeck::ui
