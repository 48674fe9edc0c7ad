// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/tokenizer.h"

#include <algorithm>
#include <cstring>

namespace boxdeck::terminal {

namespace {

constexpr unsigned char Bell = 0x07;
constexpr unsigned char Cancel = 0x18;
constexpr unsigned char Substitute = 0x1a;
constexpr unsigned char Escape = 0x1b;
constexpr unsigned char Delete = 0x7f;
constexpr char32_t Replacement = 0xfffd;

bool isPrintable(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f;
}

// The first byte that is not printable ASCII. Eight at a time: most output is nothing else.
const char *endOfPrintable(const char *at, const char *end)
{
    constexpr std::uint64_t Ones = 0x0101010101010101ULL;
    constexpr std::uint64_t Tops = 0x8080808080808080ULL;
    while (end - at >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        const std::uint64_t belowBlank = (word - Ones * 0x20) & ~word;
        const std::uint64_t isDelete = ((word ^ Ones * Delete) - Ones) & ~(word ^ Ones * Delete);
        if (((word | belowBlank | isDelete) & Tops) != 0)
            break;
        at += 8;
    }
    while (at != end && isPrintable(static_cast<unsigned char>(*at)))
        ++at;
    return at;
}

} // namespace

void Tokenizer::feed(const char *bytes, std::size_t size, TokenSink &sink)
{
    const char *at = bytes;
    const char *end = bytes + size;
    while (at != end) {
        if (m_state == State::Ground) {
            at = ground(at, end, sink);
            continue;
        }
        if (m_state == State::String) {
            at = string(at, end, sink);
            continue;
        }
        const auto byte = static_cast<unsigned char>(*at++);
        if (byte == Cancel || byte == Substitute) {
            reset();
        } else if (byte == Escape) {
            m_state = State::Escape;
            m_intermediate = 0;
            m_invalid = false;
        } else if (m_state == State::StringEscape) {
            if (byte == '\\') {
                endString(sink);
                m_state = State::Ground;
            } else {
                // Not a terminator, so the string was broken off and is not acted on. A control right behind must
                // not leave us waiting for a final byte: that would eat the first letter of what follows.
                m_state = byte < 0x20 ? State::Ground : State::Escape;
                m_intermediate = 0;
                m_invalid = false;
                --at;
            }
        } else if (byte < 0x20) {
            if (byte != 0)
                sink.onControl(static_cast<char>(byte)); // acted on inside a sequence, as a VT does
        } else if (byte >= 0x80) {
            reset(); // no sequence holds one: take it as text
            --at;
        } else if (byte == Delete) {
            continue;
        } else if (m_state == State::Escape) {
            escape(byte, sink);
        } else {
            controlSequence(byte, sink);
        }
    }
}

const char *Tokenizer::ground(const char *at, const char *end, TokenSink &sink)
{
    while (at != end) {
        const auto byte = static_cast<unsigned char>(*at);
        if (byte >= 0x80) {
            at = decode(at, end, sink);
            continue;
        }
        if (m_missing != 0)
            flushPartial(sink);
        if (isPrintable(byte)) {
            const char *stop = endOfPrintable(at, end);
            sink.onAscii(at, static_cast<std::size_t>(stop - at));
            at = stop;
            continue;
        }
        ++at;
        if (byte == Escape) {
            m_state = State::Escape;
            m_intermediate = 0;
            m_invalid = false;
            return at;
        }
        if (byte != 0 && byte != Delete && byte != Cancel && byte != Substitute)
            sink.onControl(static_cast<char>(byte));
    }
    return at;
}

// UTF-8 as the Unicode standard's table 3-7 has it; each maximal wrong part is one U+FFFD. Stops at the first ASCII.
const char *Tokenizer::decode(const char *at, const char *end, TokenSink &sink)
{
    std::array<char32_t, 256> run;
    std::size_t count = 0;
    while (at != end && count + 2 <= run.size()) {
        const auto byte = static_cast<unsigned char>(*at);
        if (m_missing != 0) {
            if (byte >= m_low && byte <= m_high) {
                m_partial = m_partial << 6 | (byte & 0x3fU);
                m_low = 0x80;
                m_high = 0xbf;
                ++at;
                if (--m_missing == 0 && m_partial >= 0xa0) // U+0080..9F are controls nobody needs
                    run[count++] = m_partial;
                continue;
            }
            m_missing = 0;
            run[count++] = Replacement;
            continue;
        }
        if (byte < 0x80)
            break;
        ++at;
        m_low = 0x80;
        m_high = 0xbf;
        if (byte >= 0xc2 && byte <= 0xdf) {
            m_missing = 1;
            m_partial = byte & 0x1fU;
        } else if (byte >= 0xe0 && byte <= 0xef) {
            m_missing = 2;
            m_partial = byte & 0x0fU;
            if (byte == 0xe0)
                m_low = 0xa0; // overlong
            else if (byte == 0xed)
                m_high = 0x9f; // surrogates
        } else if (byte >= 0xf0 && byte <= 0xf4) {
            m_missing = 3;
            m_partial = byte & 0x07U;
            if (byte == 0xf0)
                m_low = 0x90;
            else if (byte == 0xf4)
                m_high = 0x8f; // above U+10FFFF
        } else {
            run[count++] = Replacement;
        }
    }
    if (count != 0)
        sink.onText(run.data(), count);
    return at;
}

void Tokenizer::flushPartial(TokenSink &sink)
{
    m_missing = 0;
    sink.onText(&Replacement, 1);
}

void Tokenizer::escape(unsigned char byte, TokenSink &sink)
{
    if (byte < 0x30) {
        m_invalid = m_invalid || m_intermediate != 0;
        m_intermediate = static_cast<char>(byte);
        return;
    }
    m_state = State::Ground;
    if (m_intermediate == 0) {
        switch (byte) {
        case '[':
            m_sequence = {};
            m_sequence.parameters[0] = ControlSequence::Missing;
            m_state = State::Csi;
            return;
        case ']':
            return startString(StringKind::Osc);
        case 'P':
            return startString(StringKind::Dcs);
        case 'X': // SOS
        case '^': // PM
        case '_': // APC
            return startString(StringKind::Ignored);
        default:
            break;
        }
    }
    if (!m_invalid)
        sink.onEscape(m_intermediate, static_cast<char>(byte));
}

void Tokenizer::nextParameter(bool sub)
{
    if (m_sequence.count == 0)
        m_sequence.count = 1;
    if (m_sequence.count == ControlSequence::MaxParameters) {
        m_state = State::CsiIgnore;
        return;
    }
    if (sub)
        m_sequence.subparameter |= 1U << m_sequence.count;
    m_sequence.parameters[static_cast<std::size_t>(m_sequence.count++)] = ControlSequence::Missing;
}

void Tokenizer::controlSequence(unsigned char byte, TokenSink &sink)
{
    if (byte >= 0x40) {
        const bool good = m_state == State::Csi;
        m_state = State::Ground;
        if (good) {
            m_sequence.final = static_cast<char>(byte);
            sink.onControlSequence(m_sequence);
        }
        return;
    }
    if (m_state == State::CsiIgnore)
        return;
    if (byte < 0x30) {
        if (m_sequence.intermediate != 0)
            m_state = State::CsiIgnore;
        m_sequence.intermediate = static_cast<char>(byte);
    } else if (m_sequence.intermediate != 0) {
        m_state = State::CsiIgnore; // a parameter behind an intermediate
    } else if (byte >= '0' && byte <= '9') {
        if (m_sequence.count == 0)
            m_sequence.count = 1;
        int &value = m_sequence.parameters[static_cast<std::size_t>(m_sequence.count - 1)];
        value =
            std::min((value == ControlSequence::Missing ? 0 : value) * 10 + (byte - '0'), ControlSequence::MaxValue);
    } else if (byte == ';' || byte == ':') {
        nextParameter(byte == ':');
    } else if (m_sequence.count == 0 && m_sequence.leader == 0) {
        m_sequence.leader = static_cast<char>(byte);
    } else {
        m_state = State::CsiIgnore;
    }
}

void Tokenizer::startString(StringKind kind)
{
    m_state = State::String;
    m_kind = kind;
    m_string.clear();
    m_overflow = false;
}

const char *Tokenizer::string(const char *at, const char *end, TokenSink &sink)
{
    const char *stop = std::find_if(at, end, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == Escape || byte == Bell || byte == Cancel || byte == Substitute;
    });
    if (m_kind != StringKind::Ignored && !m_overflow) {
        if (m_string.size() + static_cast<std::size_t>(stop - at) > MaxStringBytes) {
            m_overflow = true;
            std::string().swap(m_string);
        } else {
            m_string.append(at, stop);
        }
    }
    if (stop == end)
        return end;
    switch (static_cast<unsigned char>(*stop)) {
    case Escape:
        m_state = State::StringEscape;
        break;
    case Bell:
        endString(sink);
        [[fallthrough]];
    default:
        m_state = State::Ground;
    }
    return stop + 1;
}

void Tokenizer::endString(TokenSink &sink)
{
    if (!m_overflow && m_kind == StringKind::Osc)
        sink.onOsc(m_string);
    else if (!m_overflow && m_kind == StringKind::Dcs)
        sink.onDcs(m_string);
    m_kind = StringKind::Ignored;
    m_string.clear();
    if (m_string.capacity() > 4096)
        m_string.shrink_to_fit();
}

void Tokenizer::finish(TokenSink &sink)
{
    if (m_missing != 0)
        flushPartial(sink);
    reset();
}

void Tokenizer::reset()
{
    m_state = State::Ground;
    m_kind = StringKind::Ignored;
    m_string.clear();
    m_missing = 0;
}

} // namespace boxdeck::terminal
