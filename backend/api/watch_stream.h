// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/connect_stream.h"
#include "backend/protocol/filesystem.h"

#include <QObject>

#include <chrono>

namespace boxdeck::api {

/// Changes below one folder, until it is deleted or ended() comes. Events may come several for one change. However the
/// server is asked, the first event is Started: what changes from then on is told.
class WatchStream : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Ends it silently: after it returns nothing is emitted.
    virtual void close() = 0;

Q_SIGNALS:
    void event(const boxdeck::protocol::WatchEvent &event);
    /// Unsupported: this server can't watch, poll instead. NotFound: the folder is gone. BrokenOff: changes may have
    /// been missed, look at the folder anew.
    void ended(const boxdeck::net::StreamEnd &end);
};

/// How often a server is asked that does not tell changes by itself.
struct WatchPace
{
    std::chrono::milliseconds events{1000};  ///< between looks into a watcher's queue
    std::chrono::milliseconds listing{3000}; ///< between listings; longer where a listing takes long
};

} // namespace boxdeck::api
