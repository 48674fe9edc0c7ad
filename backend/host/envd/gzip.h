// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace boxdeck::host::envd {

/// Damaged gzip data. `atStart` is true when it did not even begin as gzip.
class GzipError : public std::runtime_error
{
public:
    GzipError(const std::string &what, bool atBegin)
        : std::runtime_error(what)
        , atStart(atBegin)
    {
    }
    bool atStart;
};

/// Decompresses a stream piece by piece with bounded memory. Several gzip members in a row are one stream.
class GzipReader
{
public:
    GzipReader();
    ~GzipReader();
    GzipReader(const GzipReader &) = delete;
    GzipReader &operator=(const GzipReader &) = delete;

    /// Hands what the piece decompresses to, to the sink, in blocks of at most 256 KiB. Throws GzipError.
    void feed(std::string_view piece, const std::function<void(std::string_view)> &sink);
    /// To be called at the end of the input. Throws GzipError when the stream is not complete.
    void finish() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Compresses a stream piece by piece.
class GzipWriter
{
public:
    GzipWriter();
    ~GzipWriter();
    GzipWriter(const GzipWriter &) = delete;
    GzipWriter &operator=(const GzipWriter &) = delete;

    /// The compressed bytes that are ready after this piece; all of the rest with `last`.
    std::string feed(std::string_view piece, bool last);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// All at once. Throws GzipError, also when more than `limit` bytes come out.
std::string gunzip(std::string_view data, std::size_t limit);

} // namespace boxdeck::host::envd
