// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/folder_feed.h"

#include "backend/core/logging.h"
#include "backend/transfer/retry_policy.h"

#include <algorithm>

namespace boxdeck::models {

using namespace std::chrono_literals;
using protocol::EntryInfo;
using protocol::WatchEvent;

namespace {
constexpr qsizetype fewNames = 16; // looked at one by one; more are cheaper as a list
constexpr auto longestRetry = 30000ms;
} // namespace

FolderFeed::FolderFeed(transfer::EnvdSource source, Pace pace, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_pace(pace)
{
    m_gather.setSingleShot(true);
    connect(&m_gather, &QTimer::timeout, this, &FolderFeed::lookAtChanges);
    connect(&m_poll, &QTimer::timeout, this, &FolderFeed::list);
    m_poll.setInterval(m_pace.poll);
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &FolderFeed::connectAnew);
    m_watchStart.setSingleShot(true);
    m_watchStart.setInterval(m_pace.watchStart);
    connect(&m_watchStart, &QTimer::timeout, this, &FolderFeed::list);
}

FolderFeed::~FolderFeed() = default;

void FolderFeed::open(const RemotePath &folder)
{
    m_folder = folder;
    reload();
}

void FolderFeed::reload()
{
    stop();
    m_stopped = false;
    m_failures = 0;
    connectAnew();
}

void FolderFeed::stop()
{
    ++m_run;
    m_stopped = true;
    m_envdCall.cancel();
    m_listCall.cancel();
    if (m_watch) {
        m_watch->close();
        m_watch.release()->deleteLater(); // it may be the sender
    }
    m_envd.reset();
    m_changed.clear();
    m_statsUnderWay = 0;
    m_listAgain = false;
    for (QTimer *timer : {&m_gather, &m_poll, &m_retry, &m_watchStart})
        timer->stop();
    setLoading(false);
}

void FolderFeed::setLoading(bool loading)
{
    if (std::exchange(m_loading, loading) != loading)
        Q_EMIT loadingChanged(loading);
}

void FolderFeed::connectAnew()
{
    const int failures = m_failures;
    stop();
    m_failures = failures;
    m_stopped = false;
    setLoading(true);
    m_envdCall = m_source();
    m_envdCall.then(this, [this](Result<std::shared_ptr<api::Envd>> envd) {
        if (!envd)
            return fail(envd.error());
        m_envd = std::move(*envd);
        startWatch();
    });
}

void FolderFeed::startWatch()
{
    m_watch = m_envd->filesystem().watch(m_folder, false);
    connect(m_watch.get(), &api::WatchStream::event, this, &FolderFeed::onWatchEvent);
    connect(m_watch.get(), &api::WatchStream::ended, this, &FolderFeed::onWatchEnded);
    m_watchStart.start();
}

void FolderFeed::onWatchEvent(const WatchEvent &event)
{
    switch (event.kind) {
    case WatchEvent::Kind::Started:
        m_watchStart.stop();
        m_poll.stop();
        m_watchTime.start();
        list(); // again, if one was asked for without waiting: a change may have fallen between
        return;
    case WatchEvent::Kind::KeepAlive:
        return;
    default:
        // "a/b" may come from a server that watches deeper than asked; what counts here is "a".
        m_changed.insert(event.name.split('/').first());
        if (!m_gather.isActive()) {
            // A folder that takes long to list and changes all the time must not keep both sides busy.
            m_gather.start(
                std::max<std::chrono::milliseconds>(m_pace.gather, 3 * std::chrono::milliseconds(m_lastListMs)));
        }
    }
}

void FolderFeed::onWatchEnded(const net::StreamEnd &end)
{
    m_watch.release()->deleteLater();
    // Only a watch that held for a while ends the back-off: one that breaks at once would be opened in a circle.
    if (m_watchTime.isValid() && m_watchTime.hasExpired(10000))
        m_failures = 0;
    m_watchTime.invalidate();
    const bool listWaits = m_watchStart.isActive();
    m_watchStart.stop();
    const ErrorKind kind = end.error.kind;
    if (end.kind == net::StreamEnd::Kind::Failed &&
        (kind == ErrorKind::Unsupported || kind == ErrorKind::InvalidRequest || kind == ErrorKind::Capacity)) {
        // No watch here: an old server, a network mount, or too many watches. The list tells if it was about the
        // folder.
        qCInfo(lcApi) << "a folder can't be watched, it is listed from time to time:" << kindName(kind);
        m_poll.start();
        if (listWaits)
            list();
        return;
    }
    if (end.kind == net::StreamEnd::Kind::Failed && !transfer::mayPass(end.error))
        return fail(end.error);
    if (listWaits)
        list(); // its error says more than the watch's
    retryLater();
}

void FolderFeed::list()
{
    if (m_stopped || !m_envd)
        return;
    if (m_listCall.isValid()) {
        m_listAgain = true;
        return;
    }
    m_changed.clear();
    m_listTime.start();
    m_listCall = m_envd->filesystem().list(m_folder);
    m_listCall.then(this, [this](Result<QList<EntryInfo>> entries) {
        m_listCall = {};
        m_lastListMs = m_listTime.elapsed();
        if (!entries)
            return fail(entries.error());
        setLoading(false);
        Q_EMIT listed(*entries);
        if (std::exchange(m_listAgain, false))
            list();
    });
}

void FolderFeed::lookAtChanges()
{
    if (m_changed.size() > fewNames || m_listCall.isValid() || m_statsUnderWay > 0)
        return list();
    for (const QByteArray &name : std::exchange(m_changed, {})) {
        const auto path = m_folder.child(name);
        if (!path)
            continue;
        ++m_statsUnderWay;
        m_envd->filesystem().stat(*path).then(this, [this, name, run = m_run](Result<EntryInfo> entry) {
            if (run != m_run)
                return;
            --m_statsUnderWay;
            if (entry) {
                entry->name = name;
                Q_EMIT entryChanged(*entry);
            } else if (entry.error().kind == ErrorKind::NotFound) {
                Q_EMIT entryRemoved(name);
            } else {
                list(); // its error is the one to tell
            }
        });
    }
}

void FolderFeed::retryLater()
{
    if (m_retry.isActive())
        return;
    const int doublings = std::min(m_failures++, 10);
    m_retry.start(std::min<std::chrono::milliseconds>(m_pace.firstRetry * (1 << doublings), longestRetry));
}

void FolderFeed::fail(const Error &error)
{
    const bool passing = transfer::mayPass(error);
    const int failures = m_failures;
    stop();
    m_failures = failures;
    if (passing) {
        m_stopped = false;
        retryLater();
    }
    Q_EMIT failed(error, passing);
}

} // namespace boxdeck::models
