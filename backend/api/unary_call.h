// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/sandbox_target.h"
#include "backend/net/connect_stream.h"
#include "backend/net/http_transport.h"

#include <memory>

namespace boxdeck::api {

/// How often streams ask for a sign of life: well below the minute after which middle boxes forget a connection.
constexpr std::chrono::seconds keepaliveInterval{15};
/// Nothing at all for so long means that the connection is lost, on servers that send keepalives.
constexpr std::chrono::milliseconds silenceLimit = 2 * keepaliveInterval;

/// One unary RPC, e.g. "/filesystem.Filesystem/Stat": gives the answer's body. Errors: connectErrorOf().
Call<QByteArray> unaryCall(net::HttpTransport &transport, const SandboxTarget &target, const QByteArray &method,
                           const QByteArray &json, bool mayRepeat, qint64 maxBody = 64 * 1024 * 1024);

/// One server-streaming RPC. Watches for silence from the start if the sandbox surely sends keepalives; else let
/// setSilenceLimit() follow the first one. A positive `limit` is the server's deadline for the call, which for a
/// started process is its life; otherwise none is sent, as 0 would not mean "unlimited" there.
std::unique_ptr<net::ConnectStream> streamingCall(net::HttpTransport &transport, const SandboxTarget &target,
                                                  const QByteArray &method, const QByteArray &json, bool mayRepeat,
                                                  std::chrono::milliseconds limit = {});

/// One client-streaming RPC whose messages are known beforehand: gives the one message of the answer. Sent once.
Call<QByteArray> clientStreamingCall(net::HttpTransport &transport, const SandboxTarget &target,
                                     const QByteArray &method, const QList<QByteArray> &messages);

} // namespace boxdeck::api
