// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QIODevice>
#include <QList>
#include <QUrl>

#include "backend/core/error.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace boxdeck::net {

using HeaderList = QList<std::pair<QByteArray, QByteArray>>;

/// The value of the first header of that name, in any case; empty if there is none.
QByteArray headerValue(const HeaderList &headers, const QByteArray &name);

/// A date as headers write it, e.g. "Mon, 02 Mar 2026 10:11:12 GMT"; invalid for anything else.
QDateTime httpDate(QByteArray text);

/// Which connections a request uses. Long streams would starve everything else of QNetworkAccessManager's six
/// connections per host, so the lanes share none.
enum class Lane {
    Control, ///< short calls; the body is read into memory
    Bulk,    ///< file contents, uncompressed
    Stream,  ///< long answers that trickle: terminals, watches
};

/// One address through which the data plane is reached, while Host and the TLS name stay the sandbox's own.
struct Gateway
{
    QString host;
    quint16 port = 0; ///< 0: 443 with TLS, else 80
    bool tls = true;

    /// Reads "https://gw:8443", "gw:80" (http without a scheme). Not set for text without a host.
    static std::optional<Gateway> parse(const QString &text);
    quint16 effectivePort() const { return port != 0 ? port : static_cast<quint16>(tls ? 443 : 80); }

    bool operator==(const Gateway &) const = default;
};

/// Time limits in milliseconds; 0 = none. What they end fails with kind Timeout and one of the codes
/// "connect_timeout", "first_byte_timeout", "stalled", "total_timeout".
struct Timeouts
{
    std::chrono::milliseconds connect{10'000};   ///< until the connection stands
    std::chrono::milliseconds firstByte{60'000}; ///< from the last byte sent to the first byte of the answer
    std::chrono::milliseconds idle{60'000};      ///< between two bytes of the answer; not while the reader lags
    std::chrono::milliseconds total{0};          ///< for the whole exchange

    /// For answers that may be silent for hours.
    static Timeouts stream() { return {.idle = std::chrono::milliseconds(0)}; }
};

/// A body that is streamed. `open` may be called again if the request may repeat.
struct UploadSource
{
    /// Gives a device open for reading at its start, or null. It may be sequential and may give 0 bytes for a while if
    /// it then emits readyRead. If it ends before `size` bytes the request fails as Local, code "source_changed".
    std::function<std::unique_ptr<QIODevice>()> open;
    qint64 size = 0; ///< exact, in bytes
};

struct HttpResponse
{
    int status = 0;
    HeaderList headers;
    QByteArray body;

    QByteArray header(const QByteArray &name) const { return headerValue(headers, name); }
    QString requestId() const; ///< the server's id of the request, if it sent one
    /// How long to leave the server alone: seconds, or a date as seen from the answer's own Date header, since clocks
    /// differ (protocol/compat.md 2.45). At most a day; nothing for anything else.
    std::optional<std::chrono::seconds> retryAfter() const;
    bool isSuccess() const { return status >= 200 && status < 300; }
};

struct HttpRequest
{
    QByteArray method = "GET";
    QUrl url;                           ///< already percent-encoded
    HeaderList headers;                 ///< a null value leaves one of our own out
    QByteArray body;                    ///< ignored if `upload` is set
    std::optional<UploadSource> upload; ///< for large bodies
    /// May the stack send it again by itself when the connection breaks before an answer? GET, and what has the same
    /// effect twice. If not it is sent once, and a break leaves Delivery::Unknown.
    bool mayRepeat = false;
    /// A connection of its own, for what must not repeat and is rare: a kept one may just have been closed by the
    /// server, and then nobody knows whether the request arrived.
    bool ownConnection = false;
    /// May a redirect within the origin be followed, where it keeps the method: any of a GET, 307 and 308 of the rest
    /// (those say that nothing was done)? Leave it off on the data plane (protocol/envd.md section 14).
    bool followRedirects = false;
    Lane lane = Lane::Control;
    Timeouts timeouts;
    qint64 maxBody = 64 * 1024 * 1024; ///< a larger answer is an error (send() only)
    qint64 readBuffer = 0;             ///< bytes a stream may hold unread; 0: the lane's default (open() only)
    std::function<void(qint64 sent, qint64 total)> progress; ///< of the body
    std::optional<Gateway> gateway;
    /// For open(): turns a status outside 200..299 with the first 64 KiB of its body into the error of failed().
    /// Without it such an answer is streamed like any other.
    std::function<Error(const HttpResponse &)> statusError;
};

} // namespace boxdeck::net
