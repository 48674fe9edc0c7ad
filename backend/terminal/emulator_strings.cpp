// SPDX-License-Identifier: GPL-3.0-or-later
// Emulator: what programs send as strings (OSC and DCS).
#include "backend/terminal/emulator.h"

#include <QList>

#include <algorithm>
#include <array>
#include <cstdio>

namespace boxdeck::terminal {

namespace {

constexpr std::size_t MaxUri = 2083;
constexpr std::size_t MaxLinkId = 128;

// Splits at the first `separator`; the second part is empty if there is none.
std::pair<std::string_view, std::string_view> split(std::string_view text, char separator)
{
    const auto at = text.find(separator);
    if (at == std::string_view::npos)
        return {text, {}};
    return {text.substr(0, at), text.substr(at + 1)};
}

} // namespace

void Emulator::onOsc(std::string_view body)
{
    const auto [number, rest] = split(body, ';');
    if (number == "0" || number == "2")
        setTitle(rest);
    else if (number == "8")
        setLink(rest);
    else if (number == "52")
        setClipboard(rest);
    else if (number == "10" && rest == "?")
        reportColor(number, m_foreground);
    else if (number == "11" && rest == "?")
        reportColor(number, m_background);
}

void Emulator::onDcs(std::string_view body)
{
    // DECRQSS: "not known", so that the program need not wait. Anything else stays unanswered.
    if (body.substr(0, 2) == "$q")
        reply("\x1bP0$r\x1b\\");
}

void Emulator::setTitle(std::string_view text)
{
    QString title;
    const QString given =
        QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min<std::size_t>(text.size(), 4096)));
    for (const char32_t c : given.toUcs4()) {
        if (title.size() >= MaxTitle)
            break;
        const auto category = QChar::category(c);
        if (category == QChar::Other_Control || category == QChar::Other_Format || category == QChar::Other_Surrogate ||
            category == QChar::Separator_Line || category == QChar::Separator_Paragraph)
            continue;
        title += QString::fromUcs4(&c, 1);
    }
    m_title = title;
    m_events.title = title;
}

// OSC 8 ; parameters ; address. An address that is not plain ASCII is no link: what is shown and what is opened must
// be the same text.
void Emulator::setLink(std::string_view body)
{
    const auto [parameters, uri] = split(body, ';');
    m_extra.uri.clear();
    m_extra.id.clear();
    const bool plain = std::all_of(uri.begin(), uri.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (!uri.empty() && uri.size() <= MaxUri && plain) {
        m_extra.uri = uri;
        std::string_view left = parameters;
        while (!left.empty()) {
            const auto [parameter, next] = split(left, ':');
            if (parameter.substr(0, 3) == "id=")
                m_extra.id = parameter.substr(3, MaxLinkId);
            left = next;
        }
    }
    updateExtra();
}

// OSC 52 ; selections ; base64. Reading the clipboard is refused without an answer.
void Emulator::setClipboard(std::string_view body)
{
    const std::string_view data = split(body, ';').second;
    if (data == "?") {
        m_events.clipboardReadRefused = true;
        return;
    }
    const auto decoded = QByteArray::fromBase64Encoding(QByteArray(data.data(), static_cast<qsizetype>(data.size())),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || decoded.decoded.isEmpty())
        return; // an empty text would wipe the clipboard
    m_events.clipboard = QString::fromUtf8(decoded.decoded);
}

void Emulator::reportColor(std::string_view number, unsigned color)
{
    std::array<char, 48> text;
    const int size = std::snprintf(text.data(), text.size(), "\x1b]%.2s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\",
                                   number.data(), color >> 16 & 0xffU, color >> 16 & 0xffU, color >> 8 & 0xffU,
                                   color >> 8 & 0xffU, color & 0xffU, color & 0xffU);
    reply({text.data(), static_cast<std::size_t>(size)});
}

} // namespace boxdeck::terminal
