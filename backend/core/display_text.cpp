// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/display_text.h"

namespace boxdeck {

namespace {

bool isHarmful(char32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c < 0xa0))
        return true;
    // Line and paragraph separators, bidirectional marks and overrides, invisible operators.
    return c == 0x2028 || c == 0x2029 || c == 0x061c || (c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

} // namespace

QString displayText(const QString &untrusted, qsizetype maxLength)
{
    QString shown;
    shown.reserve(qMin(untrusted.size(), maxLength));
    for (const QChar c : untrusted) {
        if (shown.size() >= maxLength) {
            shown += QChar(0x2026);
            break;
        }
        if (isHarmful(c.unicode()))
            shown += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        else
            shown += c;
    }
    return shown;
}

QString toolTipText(const QString &plain)
{
    constexpr qsizetype mostShown = 4096;
    const QString shown = plain.size() > mostShown ? plain.left(mostShown) + QChar(0x2026) : plain;
    // Only then does Qt take it for HTML, and only then is escaping undone.
    if (!shown.contains(QLatin1Char('<')))
        return shown;
    return QStringLiteral("<qt>%1</qt>").arg(shown.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

} // namespace boxdeck
