// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace boxdeck::terminal {

/// A control sequence (CSI). Numbers are capped at MaxValue, so that no arithmetic on them can overflow.
struct ControlSequence
{
    static constexpr int MaxParameters = 32;
    static constexpr int MaxValue = 65535;
    static constexpr int Missing = -1;

    std::array<int, MaxParameters> parameters; ///< Missing where left out
    std::uint32_t subparameter = 0;            ///< bit i: parameter i was joined to the one before by ':'
    int count = 0;
    char leader = 0;       ///< '<', '=', '>', '?' or 0
    char intermediate = 0; ///< 0x20..0x2f, or 0
    char final = 0;

    /// Parameter `index`, or `fallback` if it is missing.
    int at(int index, int fallback) const
    {
        return index < count && parameters[static_cast<std::size_t>(index)] != Missing
                   ? parameters[static_cast<std::size_t>(index)]
                   : fallback;
    }
    bool isSubparameter(int index) const { return index < count && (subparameter >> index & 1U) != 0; }
};

/// What a Tokenizer finds, in order. Nothing is handed over before it is complete.
class TokenSink
{
public:
    virtual ~TokenSink() = default;

    /// Printable ASCII, as long a run as there is.
    virtual void onAscii(const char *bytes, std::size_t size) = 0;
    /// Decoded characters; invalid UTF-8 arrives as U+FFFD. Never controls.
    virtual void onText(const char32_t *characters, std::size_t size) = 0;
    /// A C0 control other than NUL, CAN, SUB and ESC.
    virtual void onControl(char control) = 0;
    /// ESC, perhaps an intermediate byte (or 0), and a final byte.
    virtual void onEscape(char intermediate, char final) = 0;
    virtual void onControlSequence(const ControlSequence &sequence) = 0;
    /// An operating system command without its terminator. At most Tokenizer::MaxStringBytes; untrusted.
    virtual void onOsc(std::string_view body) = 0;
    /// A device control string, likewise.
    virtual void onDcs(std::string_view body) = 0;
};

/// Cuts a terminal's output into text, controls and complete sequences, wherever the network cut it.
///
/// Stands in front of libvterm, which loses a string or a combining mark cut between two writes and reads the rest as
/// new input, stores parameters past the end of its array, and knows no APC or PM. Pure and bounded: an
/// overlong string or sequence is swallowed whole and never acted on. 8-bit C1 controls are not controls in UTF-8.
class Tokenizer
{
public:
    /// Longest OSC or DCS kept, in bytes; enough for a clipboard of 96 KiB in base64.
    static constexpr std::size_t MaxStringBytes = std::size_t{128} * 1024;

    void feed(const char *bytes, std::size_t size, TokenSink &sink);
    /// The stream ended: an unfinished character becomes one U+FFFD, an unfinished sequence is dropped.
    void finish(TokenSink &sink);
    /// Forgets whatever is incomplete.
    void reset();

private:
    enum class State { Ground, Escape, Csi, CsiIgnore, String, StringEscape };
    enum class StringKind { Osc, Dcs, Ignored };

    const char *ground(const char *at, const char *end, TokenSink &sink);
    const char *decode(const char *at, const char *end, TokenSink &sink);
    const char *string(const char *at, const char *end, TokenSink &sink);
    void escape(unsigned char byte, TokenSink &sink);
    void controlSequence(unsigned char byte, TokenSink &sink);
    void nextParameter(bool sub);
    void startString(StringKind kind);
    void endString(TokenSink &sink);
    void flushPartial(TokenSink &sink);

    State m_state = State::Ground;
    StringKind m_kind = StringKind::Ignored;
    ControlSequence m_sequence;
    char m_intermediate = 0;
    bool m_invalid = false; ///< the sequence in hand has too much of something: swallow it
    std::string m_string;
    bool m_overflow = false;
    char32_t m_partial = 0; ///< bits of an incomplete UTF-8 character
    int m_missing = 0;      ///< bytes still to come; 0 when there is none
    unsigned char m_low = 0x80;
    unsigned char m_high = 0xbf; ///< range the next byte must be in
};

} // namespace boxdeck::terminal
