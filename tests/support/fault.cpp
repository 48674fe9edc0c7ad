// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fault.h"

namespace boxdeck::test {

namespace {

QByteArray headOf(const GoodAnswer &good)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(good.status) + " Scripted\r\n";
    for (const auto &[name, value] : good.headers)
        bytes += name + ": " + value + "\r\n";
    if (good.chunked)
        bytes += "Transfer-Encoding: chunked\r\n";
    else
        bytes += "Content-Length: " + QByteArray::number(good.pieces.join().size()) + "\r\n";
    return bytes + "\r\n";
}

void addPieces(Script &script, const GoodAnswer &good, qsizetype count, int pause)
{
    for (const QByteArray &piece : good.pieces.first(count)) {
        if (pause > 0)
            script.wait(pause);
        if (good.chunked)
            script.chunk(piece);
        else
            script.send(piece);
    }
}

void addWhole(Script &script, const GoodAnswer &good, int pause)
{
    script.send(headOf(good));
    addPieces(script, good, good.pieces.size(), pause);
    if (good.chunked)
        script.lastChunk();
}

} // namespace

QString faultName(Fault fault)
{
    static const QStringList names{QStringLiteral("cut"),     QStringLiteral("stall"),      QStringLiteral("reset"),
                                   QStringLiteral("garbage"), QStringLiteral("429"),        QStringLiteral("5xx"),
                                   QStringLiteral("slow"),    QStringLiteral("half-close"), QStringLiteral("replay")};
    return names.at(int(fault));
}

GoodAnswer GoodAnswer::counted(int status, const QByteArray &body, const net::HeaderList &headers)
{
    constexpr qsizetype parts = 20;
    GoodAnswer good{.status = status, .headers = headers, .pieces = {}, .chunked = false};
    const qsizetype step = qMax<qsizetype>(1, (body.size() + parts - 1) / parts);
    for (qsizetype at = 0; at < body.size(); at += step)
        good.pieces.append(body.mid(at, step));
    return good;
}

Script withFault(Fault fault, At at, const GoodAnswer &good, int pause)
{
    Script script;
    switch (fault) {
    case Fault::Garbage:
        return script.send("SSH-2.0-OpenSSH_9.2p1\r\n" + QByteArray(200, '\xfe') + "\r\n\r\n").close();
    case Fault::Limited:
        return Script::answer(429, R"({"code":429,"message":"Rate limit exceeded"})",
                              {{"Content-Type", "application/json"}, {"Retry-After", "1"}});
    case Fault::Outage:
        return Script::answer(503, R"({"code":503,"message":"out of order"})", {{"Content-Type", "application/json"}});
    case Fault::Slow:
        addWhole(script, good, pause);
        return script;
    case Fault::Replay:
        addWhole(script, good, 0);
        addWhole(script, good, 0);
        return script;
    case Fault::Cut:
    case Fault::Stall:
    case Fault::Reset:
    case Fault::HalfClose:
        break;
    }
    if (at == At::Middle) {
        script.send(headOf(good));
        addPieces(script, good, good.pieces.size() / 2, 0);
        script.wait(20); // a reset throws away what has not been read
    }
    switch (fault) {
    case Fault::Cut:
        return script.close();
    case Fault::Stall:
        return script.stall();
    case Fault::Reset:
        return script.reset();
    default:
        return script.halfClose();
    }
}

} // namespace boxdeck::test
