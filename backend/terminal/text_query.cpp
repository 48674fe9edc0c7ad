// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/text_query.h"

#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <vector>

namespace boxdeck::terminal {

namespace {

// Endless output without a line end is still cut somewhere.
constexpr long long MaxLogicalLines = 2000;

bool holdsNoText(const Cell &cell)
{
    return (cell.style.attributes & (WideTail | WidePad)) != 0;
}

// Text of the columns from..to of a line; blanks become spaces.
void appendColumns(const Screen &screen, const LineView &line, int from, int to, QString &out)
{
    for (int c = std::max(0, from); c < std::min(to, line.size); ++c) {
        const Cell &cell = line.cells[c];
        if (holdsNoText(cell))
            continue;
        if (cell.code == 0)
            out += u' ';
        else
            screen.appendText(cell, out);
    }
}

void trimEnd(QString &text, qsizetype from)
{
    qsizetype size = text.size();
    while (size > from && text.at(size - 1) == u' ')
        --size;
    text.truncate(size);
}

long long firstOfLogical(const Screen &screen, long long line)
{
    const long long stop = std::max(screen.firstLine(), line - MaxLogicalLines);
    while (line > stop && screen.line(line - 1).wrapped)
        --line;
    return line;
}

long long lastOfLogical(const Screen &screen, long long line)
{
    const long long stop = std::min(screen.endLine() - 1, line + MaxLogicalLines);
    while (line < stop && screen.line(line).wrapped)
        ++line;
    return line;
}

/// A logical line as text, and where each UTF-16 unit of it stands.
struct LogicalLine
{
    QString text;
    std::vector<TextPosition> places;
    TextPosition end;

    LogicalLine(const Screen &screen, long long line)
    {
        const long long first = firstOfLogical(screen, line);
        const long long last = lastOfLogical(screen, line);
        for (long long l = first; l <= last; ++l) {
            const LineView view = screen.line(l);
            for (int c = 0; c < view.size; ++c) {
                if (holdsNoText(view.cells[c]))
                    continue;
                const auto before = text.size();
                appendColumns(screen, view, c, c + 1, text);
                places.insert(places.end(), static_cast<std::size_t>(text.size() - before), TextPosition{l, c});
            }
            end = {l, view.size};
        }
    }

    TextPosition place(qsizetype index) const
    {
        return index < static_cast<qsizetype>(places.size()) ? places[static_cast<std::size_t>(index)] : end;
    }

    /// Index of the text at or behind a place.
    qsizetype index(TextPosition at) const
    {
        return std::lower_bound(places.begin(), places.end(), at) - places.begin();
    }

    TextRange range(qsizetype begin, qsizetype size) const { return {place(begin), place(begin + size)}; }
};

enum class CharacterClass { Blank, Word, Other };

CharacterClass classOf(QChar c)
{
    if (c.isSpace())
        return CharacterClass::Blank;
    // Not ':', so that a double click on "file.c:12" takes the name.
    static const QString inNames = QStringLiteral("-_./~+@%#?&=$");
    return c.isLetterOrNumber() || c.isSurrogate() || c.isMark() || inNames.contains(c) ? CharacterClass::Word
                                                                                        : CharacterClass::Other;
}

} // namespace

QString textOf(const Screen &screen, const TextRange &range, bool rectangular)
{
    QString out;
    const long long first = std::max(range.begin.line, screen.firstLine());
    const long long last = std::min(range.end.line, screen.endLine() - 1);
    for (long long l = first; l <= last; ++l) {
        const LineView line = screen.line(l);
        const auto start = out.size();
        const int from = rectangular || l == range.begin.line ? range.begin.column : 0;
        const int to = rectangular || l == range.end.line ? range.end.column : line.size;
        appendColumns(screen, line, from, to, out);
        const bool joined = line.wrapped && !rectangular;
        if (!joined)
            trimEnd(out, start);
        if (l != last && !joined)
            out += u'\n';
    }
    return out;
}

QString allText(const Screen &screen)
{
    QString text = textOf(screen, {{screen.firstLine(), 0}, {screen.endLine() - 1, screen.columns()}});
    while (text.endsWith(u'\n'))
        text.chop(1);
    return text;
}

TextRange wordAt(const Screen &screen, TextPosition at)
{
    const LogicalLine line(screen, at.line);
    qsizetype begin = line.index(at);
    if (begin < line.text.size() && begin > 0 && line.place(begin) > at)
        --begin; // the second half of a wide character
    if (begin >= line.text.size())
        return {at, at};
    const CharacterClass kind = classOf(line.text.at(begin));
    qsizetype end = begin;
    while (end < line.text.size() && classOf(line.text.at(end)) == kind)
        ++end;
    while (begin > 0 && classOf(line.text.at(begin - 1)) == kind)
        --begin;
    return line.range(begin, end - begin);
}

TextRange logicalLineAt(const Screen &screen, TextPosition at)
{
    return {{firstOfLogical(screen, at.line), 0}, {lastOfLogical(screen, at.line), screen.columns()}};
}

std::optional<TextRange> findText(const Screen &screen, const QString &needle, TextPosition from, bool forward,
                                  Qt::CaseSensitivity sensitivity)
{
    if (needle.isEmpty())
        return std::nullopt;
    long long line = std::clamp(from.line, screen.firstLine(), screen.endLine() - 1);
    while (line >= screen.firstLine() && line < screen.endLine()) {
        const LogicalLine text(screen, line);
        const bool start = from.line >= firstOfLogical(screen, line) && from.line <= text.end.line;
        qsizetype found = -1;
        if (forward) {
            found = text.text.indexOf(needle, start ? text.index(from) : 0, sensitivity);
        } else {
            const qsizetype before = start ? text.index(from) - 1 : text.text.size();
            found = before < 0 ? -1 : text.text.lastIndexOf(needle, before, sensitivity);
        }
        if (found >= 0)
            return text.range(found, needle.size());
        line = forward ? text.end.line + 1 : firstOfLogical(screen, line) - 1;
    }
    return std::nullopt;
}

std::optional<LinkTarget> linkAt(const Screen &screen, TextPosition at)
{
    const LineView view = screen.line(at.line);
    if (at.column < 0 || at.column >= view.size)
        return std::nullopt;
    const Cell &cell = view.cells[at.column];
    if (const Extra &extra = screen.extra(cell); !extra.uri.empty()) {
        const auto same = [&](const Cell &other) { return screen.extra(other).uri == extra.uri; };
        int begin = at.column;
        int end = at.column + 1;
        while (begin > 0 && same(view.cells[begin - 1]))
            --begin;
        while (end < view.size && same(view.cells[end]))
            ++end;
        LinkTarget link{.address = QString::fromUtf8(extra.uri.data(), static_cast<qsizetype>(extra.uri.size())),
                        .range = {{at.line, begin}, {at.line, end}}};
        link.hidden = textOf(screen, link.range) != link.address;
        return link;
    }
    static const QRegularExpression address(
        QStringLiteral("(?:https?://|mailto:)[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=%]+"));
    const LogicalLine line(screen, at.line);
    const qsizetype index = line.index(at);
    constexpr qsizetype Reach = 4096; // as far as an address can begin or end from here
    const qsizetype from = std::max<qsizetype>(0, index - Reach);
    auto matches = address.globalMatch(line.text.mid(from, 2 * Reach));
    while (matches.hasNext()) {
        const auto match = matches.next();
        QString text = match.captured();
        // Punctuation that ends a sentence, and a bracket that was opened before the address.
        while (!text.isEmpty() && (QStringLiteral(".,;:!?'").contains(text.back()) ||
                                   (text.back() == u')' && text.count(u')') > text.count(u'('))))
            text.chop(1);
        const qsizetype begin = from + match.capturedStart();
        if (index >= begin && index < begin + text.size())
            return LinkTarget{.address = text, .range = line.range(begin, text.size())};
    }
    return std::nullopt;
}

bool mayOpen(const QString &address)
{
    if (address.size() > 2083 ||
        std::any_of(address.begin(), address.end(), [](QChar c) { return c.unicode() <= 0x20 || c.unicode() >= 0x7f; }))
        return false;
    const QUrl url(address, QUrl::StrictMode);
    if (!url.isValid())
        return false;
    if (url.scheme() == QLatin1String("mailto"))
        return !url.path().isEmpty();
    return (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https")) && !url.host().isEmpty() &&
           url.userInfo().isEmpty();
}

} // namespace boxdeck::terminal
