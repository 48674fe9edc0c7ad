// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_request.h"

#include <QObject>

namespace boxdeck::net {

/// The answer to one request, as it arrives. What is not read is not fetched: after a bounded buffer the socket is left
/// alone and the server waits. Ends with finished() or failed(), once; deleting or aborting it ends the request and
/// nothing is emitted any more. Nothing is emitted before control returns to the event loop after open().
class ByteStream : public QObject
{
    Q_OBJECT

public:
    /// Up to `max` bytes that are there now.
    virtual QByteArray read(qint64 max) = 0;
    virtual qint64 available() const = 0;
    /// Ends the request silently.
    virtual void abort() = 0;

Q_SIGNALS:
    void head(int status, const boxdeck::net::HeaderList &headers);
    void readyRead();
    /// Everything has arrived and was complete; unread bytes can still be read.
    void finished();
    void failed(const boxdeck::Error &error);
};

} // namespace boxdeck::net
