// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/watches.h"

#include "backend/core/background.h"
#include "backend/core/logging.h"
#include "backend/protocol/filesystem_codec.h"

#include <QPointer>

#include <algorithm>

namespace boxdeck::api {

namespace {

constexpr int deepest = 32; ///< levels a listing looks below the folder
/// A folder that takes long to list must not keep the server busy with nothing else.
constexpr int restPerListing = 10;

/// An answer says why it can't go on; without one only the connection is known to have failed.
net::StreamEnd endOf(const Error &error)
{
    return {.kind =
                error.delivery == Delivery::Answered ? net::StreamEnd::Kind::Failed : net::StreamEnd::Kind::BrokenOff,
            .error = error};
}

protocol::WatchEvent started()
{
    return {.kind = protocol::WatchEvent::Kind::Started};
}

} // namespace

StreamedWatch::StreamedWatch(std::unique_ptr<net::ConnectStream> stream, std::chrono::milliseconds silence)
    : m_stream(std::move(stream))
    , m_silence(silence)
{
    connect(m_stream.get(), &net::ConnectStream::message, this, &StreamedWatch::take);
    connect(m_stream.get(), &net::ConnectStream::ended, this, &StreamedWatch::ended);
}

void StreamedWatch::close()
{
    m_stream->disconnect(this);
    m_stream->close();
}

void StreamedWatch::take(const QByteArray &json)
{
    auto decoded = protocol::decodeWatchEvent(json);
    if (!decoded) {
        close();
        Q_EMIT ended({.kind = net::StreamEnd::Kind::BrokenOff, .error = std::move(decoded.error())});
        return;
    }
    if (decoded->kind == protocol::WatchEvent::Kind::KeepAlive)
        m_stream->setSilenceLimit(m_silence);
    Q_EMIT event(*decoded);
}

struct PolledWatch::Watcher
{
    QString id; ///< empty until it is made
    bool unwanted = false;
};

PolledWatch::PolledWatch(EnvdFilesystemClient client, const RemotePath &folder, const protocol::WatchOptions &options,
                         std::chrono::milliseconds interval)
    : m_client(client)
    , m_watcher(std::make_shared<Watcher>())
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &PolledWatch::poll);
    // Nothing on the server ends a watcher but its removal, so its making outlives this object.
    m_client.createWatcher(folder, options)
        .then(&m_client.lastingOwner(),
              [self = QPointer<PolledWatch>(this), client, watcher = m_watcher](const Result<QString> &id) mutable {
                  if (!id) {
                      if (self)
                          self->end(id.error());
                      return;
                  }
                  watcher->id = *id;
                  if (watcher->unwanted) {
                      client.removeWatcher(*id).then(&client.lastingOwner(), [](const Result<void> &) {});
                      return;
                  }
                  if (self) {
                      self->m_timer.start();
                      Q_EMIT self->event(started());
                  }
              });
}

PolledWatch::~PolledWatch()
{
    close();
}

void PolledWatch::close()
{
    if (std::exchange(m_closed, true))
        return;
    m_timer.stop();
    m_call.cancel();
    m_watcher->unwanted = true;
    if (!m_watcher->id.isEmpty())
        m_client.removeWatcher(m_watcher->id).then(&m_client.lastingOwner(), [](const Result<void> &) {});
}

void PolledWatch::poll()
{
    m_call = m_client.watcherEvents(m_watcher->id);
    m_call.then(this, [this](const Result<QList<protocol::WatchEvent>> &events) {
        if (!events)
            return end(events.error());
        m_timer.start();
        const QPointer<PolledWatch> self(this);
        for (const protocol::WatchEvent &one : *events) {
            Q_EMIT event(one);
            if (!self || m_closed)
                return;
        }
    });
}

void PolledWatch::end(const Error &error)
{
    if (m_closed)
        return;
    net::StreamEnd end = endOf(error);
    // The watcher went away with its daemon; the folder may well be there.
    if (!m_watcher->id.isEmpty() && error.kind == ErrorKind::NotFound)
        end = {.kind = net::StreamEnd::Kind::BrokenOff,
               .error = {.kind = ErrorKind::Unavailable, .code = error.code, .message = error.message}};
    close();
    Q_EMIT ended(end);
}

ListedWatch::ListedWatch(EnvdFilesystemClient client, RemotePath folder, bool recursive,
                         std::chrono::milliseconds interval)
    : m_client(client)
    , m_folder(std::move(folder))
    , m_depth(recursive ? deepest : 1)
    , m_interval(interval)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ListedWatch::list);
    list();
}

void ListedWatch::close()
{
    m_closed = true;
    m_timer.stop();
    m_call.cancel();
}

void ListedWatch::list()
{
    m_took.start();
    m_call = m_client.list(m_folder, m_depth)
                 .chain([folder = m_folder, known = m_known](Result<QList<protocol::EntryInfo>> entries) {
                     if (!entries)
                         return Call<Seen>::settled(tl::unexpected(std::move(entries.error())));
                     // Elsewhere: comparing 100,000 entries would freeze the window.
                     return inBackground([folder, known, entries = std::move(*entries)]() -> Result<Seen> {
                         return compared(folder, known, entries);
                     });
                 });
    m_call.then(this, [this](const Result<Seen> &seen) {
        if (!seen) {
            close();
            Q_EMIT ended(endOf(seen.error()));
            return;
        }
        m_timer.start(std::max(m_interval, std::chrono::milliseconds(restPerListing * m_took.elapsed())));
        take(*seen);
    });
}

ListedWatch::Seen ListedWatch::compared(const RemotePath &folder, const Entries &before,
                                        const QList<protocol::EntryInfo> &entries)
{
    using Kind = protocol::WatchEvent::Kind;
    Seen seen;
    const qsizetype prefix = folder.isRoot() ? 1 : folder.bytes().size() + 1;
    for (const protocol::EntryInfo &entry : entries) {
        if (folder.contains(entry.path) && entry.path != folder)
            seen.entries.insert(entry.path.bytes().mid(prefix), entry);
    }
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        if (!seen.entries.contains(it.key()))
            seen.events.append({.kind = Kind::Remove, .name = it.key()});
    }
    for (auto it = seen.entries.cbegin(); it != seen.entries.cend(); ++it) {
        const auto old = before.constFind(it.key());
        if (old == before.cend())
            seen.events.append({.kind = Kind::Create, .name = it.key(), .entry = it.value()});
        else if (old->size != it->size || old->modified != it->modified)
            seen.events.append({.kind = Kind::Write, .name = it.key(), .entry = it.value()});
        else if (*old != it.value())
            seen.events.append({.kind = Kind::Chmod, .name = it.key(), .entry = it.value()});
    }
    return seen;
}

void ListedWatch::take(const Seen &seen)
{
    m_known = seen.entries;
    if (!std::exchange(m_started, true)) {
        Q_EMIT event(started());
        return;
    }
    const QPointer<ListedWatch> self(this);
    for (const protocol::WatchEvent &one : seen.events) {
        Q_EMIT event(one);
        if (!self || m_closed)
            return;
    }
}

FallbackWatch::FallbackWatch(std::vector<Way> ways)
    : m_ways(std::move(ways))
{
    tryNext();
}

void FallbackWatch::close()
{
    m_current->disconnect(this);
    m_current->close();
}

void FallbackWatch::tryNext()
{
    if (m_current)
        m_current.release()->deleteLater(); // it may be the sender
    m_current = m_ways[m_next++]();
    connect(m_current.get(), &WatchStream::event, this, &WatchStream::event);
    connect(m_current.get(), &WatchStream::ended, this, [this](const net::StreamEnd &end) {
        const bool unknownHere = end.kind == net::StreamEnd::Kind::Failed && end.error.kind == ErrorKind::Unsupported;
        if (!unknownHere || m_next == m_ways.size()) {
            Q_EMIT ended(end);
            return;
        }
        qCInfo(lcApi) << "a way to watch a folder is unknown to the server, the next is tried:" << m_next;
        m_current->disconnect(this);
        tryNext();
    });
}

} // namespace boxdeck::api
