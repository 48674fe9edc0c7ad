// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd.h"
#include "tests/support/fault_server.h"
#include "tests/support/remote_paths.h"

#include <QObject>

#include <memory>
#include <optional>

// A scripted server as the data plane of one sandbox: what envd would say, and what it never would.

namespace boxdeck::test {

/// One message of a process stream around the given event.
inline QByteArray eventMessage(const QByteArray &json)
{
    return net::encodeEnvelope(R"({"event":)" + json + '}');
}

inline QByteArray outputMessage(const QByteArray &text, const QByteArray &stream = "pty")
{
    return eventMessage(R"({"data":{")" + stream + R"(":")" + text.toBase64() + R"("}})");
}

inline QByteArray endOfStream(const QByteArray &json = "{}")
{
    QByteArray bytes = net::encodeEnvelope(json);
    bytes[0] = 2;
    return bytes;
}

/// A streamed answer that begins with these bytes.
inline Script stream(const QByteArray &bytes)
{
    return Script::chunked(200, {{"Content-Type", "application/connect+json"}}).chunk(bytes);
}

struct ScriptedSandbox
{
    explicit ScriptedSandbox(const FaultServer &server, const QString &version = QStringLiteral("0.6.13"),
                             const Secret &token = Secret("4b1d"), const QString &user = QStringLiteral("user"))
        : envd(transport,
               api::targetOf({.sandboxUrl = server.url(), .user = user},
                             protocol::SandboxAccess{
                                 .id = {QStringLiteral("i1")}, .envdVersion = version, .envdAccessToken = token}))
    {
    }

    net::HttpTransport transport{net::TransportOptions{.proxies = {}}};
    api::Envd envd;
};

/// What a process stream said.
struct Heard
{
    explicit Heard(std::unique_ptr<api::ProcessStream> opened)
        : stream(std::move(opened))
    {
        using protocol::ProcessOutput;
        QObject::connect(stream.get(), &api::ProcessStream::event, stream.get(),
                         [this](const protocol::ProcessEvent &event) {
                             events << event;
                             if (const auto *out = std::get_if<ProcessOutput>(&event))
                                 (out->stream == ProcessOutput::Stream::Stderr ? errors : text) += out->data;
                         });
        QObject::connect(stream.get(), &api::ProcessStream::ended, stream.get(),
                         [this](const net::StreamEnd &end) { ends << end; });
    }
    std::optional<int> exitCode() const { return stream->exit() ? stream->exit()->exitCode : std::nullopt; }

    std::unique_ptr<api::ProcessStream> stream;
    QList<protocol::ProcessEvent> events;
    QByteArray text;
    QByteArray errors;
    QList<net::StreamEnd> ends;
};

} // namespace boxdeck::test
