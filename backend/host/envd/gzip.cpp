// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/gzip.h"

#include <vector>
#include <zlib.h>

namespace boxdeck::host::envd {

namespace {
constexpr std::size_t blockSize = 256 * 1024;
constexpr int gzipOnly = 15 + 16; // largest window, gzip framing
} // namespace

struct GzipReader::State
{
    z_stream stream{};
    std::vector<char> block = std::vector<char>(blockSize);
    bool begun = false;
    bool memberDone = false;
};

GzipReader::GzipReader()
    : m_state(std::make_unique<State>())
{
    if (::inflateInit2(&m_state->stream, gzipOnly) != Z_OK)
        throw std::bad_alloc();
}

GzipReader::~GzipReader()
{
    ::inflateEnd(&m_state->stream);
}

void GzipReader::feed(std::string_view piece, const std::function<void(std::string_view)> &sink)
{
    z_stream &stream = m_state->stream;
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    bool more = !piece.empty();
    while (more) {
        if (m_state->memberDone) {
            ::inflateReset(&stream);
            m_state->memberDone = false;
        }
        stream.next_out = reinterpret_cast<Bytef *>(m_state->block.data());
        stream.avail_out = static_cast<uInt>(m_state->block.size());
        const int result = ::inflate(&stream, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            throw GzipError(std::string("gzip: ") + (m_state->begun ? "damaged data" : "invalid header"),
                            !m_state->begun);
        }
        // Ten bytes are the header: past it the stream has begun as gzip.
        m_state->begun = m_state->begun || stream.total_in >= 10 || stream.total_out > 0;
        m_state->memberDone = result == Z_STREAM_END;
        const std::size_t made = m_state->block.size() - stream.avail_out;
        if (made > 0)
            sink(std::string_view(m_state->block.data(), made));
        // A full block: there may be more, even if all input has been taken.
        more = (stream.avail_in > 0 || stream.avail_out == 0) && !(result == Z_BUF_ERROR && made == 0) &&
               !(m_state->memberDone && stream.avail_in == 0);
    }
}

void GzipReader::finish() const
{
    if (!m_state->memberDone)
        throw GzipError("gzip: unexpected end of data", !m_state->begun);
}

struct GzipWriter::State
{
    z_stream stream{};
};

GzipWriter::GzipWriter()
    : m_state(std::make_unique<State>())
{
    if (::deflateInit2(&m_state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipOnly, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

GzipWriter::~GzipWriter()
{
    ::deflateEnd(&m_state->stream);
}

std::string GzipWriter::feed(std::string_view piece, bool last)
{
    z_stream &stream = m_state->stream;
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    std::string out;
    int result = Z_OK;
    do {
        const std::size_t have = out.size();
        out.resize(have + 64 * 1024);
        stream.next_out = reinterpret_cast<Bytef *>(out.data() + have);
        stream.avail_out = 64 * 1024;
        result = ::deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
        out.resize(have + 64 * 1024 - stream.avail_out);
    } while (last ? result == Z_OK : stream.avail_out == 0);
    return out;
}

std::string gunzip(std::string_view data, std::size_t limit)
{
    std::string out;
    GzipReader reader;
    reader.feed(data, [&](std::string_view block) {
        if (out.size() + block.size() > limit)
            throw GzipError("gzip: the decompressed message is too large", false);
        out += block;
    });
    reader.finish();
    return out;
}

} // namespace boxdeck::host::envd
