// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace boxdeck::host::envd {

/// A header value such as `form-data; name="file"; filename="a\"b"`.
struct MediaType
{
    std::string type;                              ///< Lower case, without parameters.
    std::map<std::string, std::string> parameters; ///< Names in lower case.

    /// In quotes `\"` and `\\` stand for the character; percent signs are left as they are; `name*=UTF-8''…` is
    /// decoded.
    static MediaType parse(std::string_view value);
};

/// A body that breaks the multipart rules.
class MultipartError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// Takes a multipart body apart as it arrives, cut anywhere, keeping no more of it than a boundary or a part's head.
class MultipartParser
{
public:
    class Sink
    {
    public:
        virtual ~Sink() = default;
        /// A part begins. `disposition` is its Content-Disposition.
        virtual void partBegin(const MediaType &disposition) = 0;
        virtual void partData(std::string_view bytes) = 0;
        virtual void partEnd() = 0;
    };

    MultipartParser(std::string_view boundary, Sink &sink);

    /// Throws MultipartError, and whatever the sink throws.
    void feed(std::string_view bytes);
    /// To be called at the end of the body. Throws MultipartError when the last boundary has not come.
    void finish() const;

private:
    enum class State { Preamble, AfterBoundary, Head, Data, Epilogue };

    bool step();
    bool readHead();
    bool readData();

    std::string m_delimiter; // CR LF "--" boundary
    Sink &m_sink;
    State m_state = State::Preamble;
    bool m_skipLineEnd = false; // the line end before the data of a part is still there
    std::string m_kept;         // what the last piece left over
    std::string_view m_input;   // what is left of the current input
};

} // namespace boxdeck::host::envd
