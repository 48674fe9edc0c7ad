// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/build_watch.h"

#include <algorithm>

namespace boxdeck::api {

using protocol::BuildStatus;

namespace {

constexpr int linesPerPoll = 100;
constexpr int maxLastPages = 100; // of the log, once the build is over

} // namespace

BuildWatch::BuildWatch(TemplatesClient client, protocol::TemplateId id, protocol::BuildId build, QObject *parent)
    : BuildWatch(std::move(client), std::move(id), std::move(build), Pace(), parent)
{
}

BuildWatch::BuildWatch(TemplatesClient client, protocol::TemplateId id, protocol::BuildId build, const Pace &pace,
                       QObject *parent)
    : QObject(parent)
    , m_client(std::move(client))
    , m_id(std::move(id))
    , m_build(std::move(build))
    , m_pace(pace)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &BuildWatch::poll);
    m_silence.start();
    schedule(std::chrono::milliseconds(0));
}

void BuildWatch::poll()
{
    m_client.buildInfo(m_id, m_build, m_offset, linesPerPoll)
        .then(this, [this](const Result<protocol::BuildInfo> &answer) { take(answer); });
}

void BuildWatch::take(const Result<protocol::BuildInfo> &answer)
{
    const bool over = m_status == BuildStatus::Ready || m_status == BuildStatus::Error;
    if (!answer) {
        if (over) // how it ended is known: only last lines are missing
            finish(m_status == BuildStatus::Ready ? End::Ready : End::Failed);
        else
            tolerate(answer.error());
        return;
    }
    m_failures = 0;
    m_error.reset();
    m_silence.restart();
    // The offset counts what the server gave, not what was new here: it is an index into its log.
    m_offset += int(answer->logEntries.size());
    const qsizetype first = m_log.add(answer->logEntries);
    const bool grown = first < m_log.entries().size();
    if (grown)
        Q_EMIT logGrown(first);
    if (!over && answer->status != m_status) {
        m_status = answer->status;
        m_reason = answer->reason;
        Q_EMIT statusChanged(m_status);
    }
    if (m_status == BuildStatus::Ready || m_status == BuildStatus::Error) {
        // Nothing new, rather than nothing: some servers give the same page for ever.
        if (!grown || ++m_lastPages >= maxLastPages)
            finish(m_status == BuildStatus::Ready ? End::Ready : End::Failed);
        else
            schedule(std::chrono::milliseconds(0));
        return;
    }
    const bool more = grown && answer->logEntries.size() >= linesPerPoll;
    schedule(more ? std::chrono::milliseconds(0) : m_pace.interval);
}

void BuildWatch::tolerate(const Error &error)
{
    m_error = error;
    switch (error.kind) {
    case ErrorKind::NotFound:
    case ErrorKind::Terminal:
        finish(End::NoSuchBuild);
        return;
    case ErrorKind::Authentication:
    case ErrorKind::InvalidRequest:
    case ErrorKind::Unsupported:
    case ErrorKind::Local:
        finish(End::Refused);
        return;
    case ErrorKind::Conflict:
    case ErrorKind::Capacity:
    case ErrorKind::Timeout:
    case ErrorKind::Unavailable:
    case ErrorKind::Internal: // a page of a proxy, say
        break;
    }
    if (m_silence.hasExpired(m_pace.patience.count())) {
        finish(End::LostContact);
        return;
    }
    auto pause = m_pace.interval;
    for (int i = 0; i < m_failures && pause < m_pace.maxBackoff; ++i)
        pause *= 2;
    ++m_failures;
    pause = std::min(pause, m_pace.maxBackoff);
    if (error.retryAfter)
        pause = std::max<std::chrono::milliseconds>(pause, *error.retryAfter);
    schedule(pause);
    Q_EMIT interrupted(error);
}

void BuildWatch::schedule(std::chrono::milliseconds pause)
{
    m_timer.start(pause);
}

void BuildWatch::finish(End end)
{
    m_timer.stop();
    m_end = end;
    Q_EMIT ended(end);
}

} // namespace boxdeck::api
