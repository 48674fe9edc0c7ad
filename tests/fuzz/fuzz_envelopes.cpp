// SPDX-License-Identifier: GPL-3.0-or-later
// The envelope decoder and the HTTP answer parser: what they give must not depend on how the bytes were cut.
#include "backend/net/envelope_decoder.h"
#include "backend/net/response_parser.h"
#include "tests/fuzz/fuzz_target.h"

#include <QList>

#include <cstdlib>

using namespace boxdeck::net;

namespace {

constexpr qint64 maxPayload = 4096;

struct Decoded
{
    QList<Envelope> envelopes;
    bool failed = false;

    bool operator==(const Decoded &) const = default;
};

Decoded decoded(const QByteArray &bytes, qsizetype step)
{
    EnvelopeDecoder decoder(maxPayload);
    Decoded result;
    for (qsizetype at = 0; at < bytes.size() && !result.failed; at += step) {
        decoder.feed(bytes.mid(at, step));
        for (;;) {
            const auto envelope = decoder.next();
            result.failed = !envelope;
            if (!envelope || !*envelope)
                break;
            if ((*envelope)->payload.size() > maxPayload)
                std::abort();
            result.envelopes.append(**envelope);
        }
        // Never more held than one envelope, and its head.
        if (decoder.buffered() > maxPayload + 5 + step)
            std::abort();
    }
    return result;
}

struct Parsed
{
    ResponseParser::State state;
    int status;
    HeaderList headers;
    QByteArray body;

    bool operator==(const Parsed &) const = default;
};

Parsed parsed(const QByteArray &bytes, qsizetype step)
{
    ResponseParser parser("GET");
    QByteArray body;
    for (qsizetype at = 0; at < bytes.size(); at += step) {
        parser.feed(bytes.mid(at, step));
        body += parser.read(7);
    }
    parser.close();
    body += parser.read(1 << 30);
    if (parser.available() != 0 || body.size() > bytes.size())
        std::abort();
    if (parser.state() == ResponseParser::State::Broken)
        return {.state = parser.state(), .status = 0};
    return {.state = parser.state(), .status = parser.head().status, .headers = parser.head().headers, .body = body};
}

} // namespace

std::vector<std::string> boxdeck::fuzz::seeds()
{
    using namespace std::string_literals;
    return {"\0\0\0\0\x1f{\"event\":{\"start\":{\"pid\":512}}}\0\0\0\0\x1a{\"event\":{\"keepalive\":{}}}\2\0\0\0\2{}"s,
            "\2\0\0\0\x4c{\"error\":{\"code\":\"invalid_argument\",\"message\":\"cwd '/nope' does not exist\"}}"s,
            "\1\0\0\0\2{}"s,
            "\0\xff\xff\xff\xff"s,
            "\0\0\0\0\0"s,
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"s,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n"s,
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\r\nConnection: close\r\n\r\ngone"s};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    if (decoded(bytes, qMax<qsizetype>(1, bytes.size())) != decoded(bytes, 1))
        std::abort();
    if (parsed(bytes, qMax<qsizetype>(1, bytes.size())) != parsed(bytes, 3))
        std::abort();
    return 0;
}
