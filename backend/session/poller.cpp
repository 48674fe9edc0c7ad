// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/poller.h"

#include <QRandomGenerator>

#include <algorithm>

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace boxdeck::session {

namespace {

milliseconds scaled(milliseconds pause, double from, double to)
{
    const double factor = from + (to - from) * QRandomGenerator::global()->generateDouble();
    return milliseconds(qint64(double(pause.count()) * factor));
}

} // namespace

Poller::Poller(Ask ask, QObject *parent)
    : Poller(std::move(ask), Pace{}, parent)
{
}

Poller::Poller(Ask ask, Pace pace, QObject *parent)
    : QObject(parent)
    , m_ask(std::move(ask))
    , m_pace(pace)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Poller::ask);
}

void Poller::start()
{
    if (m_running)
        return;
    m_running = true;
    ask();
}

void Poller::stop()
{
    m_running = false;
    m_again = false;
    m_timer.stop();
    m_call.cancel();
    if (std::exchange(m_inFlight, false))
        Q_EMIT inFlightChanged(false);
}

void Poller::pollNow()
{
    if (!m_running)
        return;
    if (m_inFlight)
        m_again = true;
    else
        schedule(0ms);
}

void Poller::setVisible(bool visible)
{
    if (m_visible == visible)
        return;
    m_visible = visible;
    if (!m_running || m_inFlight)
        return;
    // Who comes back wants to see how things are; who goes away leaves the question that is already due.
    if (visible)
        schedule(0ms);
}

void Poller::ask()
{
    m_timer.stop();
    m_again = false;
    m_inFlight = true;
    m_call = m_ask();
    m_call.then(this, [this](const Result<void> &result) { answered(result); });
    Q_EMIT inFlightChanged(true);
}

void Poller::answered(const Result<void> &result)
{
    m_inFlight = false;
    Q_EMIT inFlightChanged(false);
    if (!m_running || m_inFlight)
        return;
    if (result) {
        m_failures = 0;
        schedule(m_again ? 0ms : pauseAfterSuccess());
        return;
    }
    const Error &error = result.error();
    if (error.retryAfter)
        m_notBefore = QDeadlineTimer(scaled(*error.retryAfter, 1.0, 1.0 + m_pace.jitter));
    const bool unreachable = error.kind == ErrorKind::Unavailable && error.delivery != Delivery::Answered;
    const milliseconds limit = unreachable ? std::min(m_pace.maxUnreachable, m_pace.maxBackoff) : m_pace.maxBackoff;
    const milliseconds backoff = std::min(limit, m_pace.firstBackoff * (1 << std::min(m_failures, 16)));
    ++m_failures;
    schedule(m_again ? 0ms : scaled(backoff, 1.0, 1.0 + m_pace.jitter));
}

void Poller::schedule(milliseconds pause)
{
    m_again = false;
    m_timer.start(std::max(pause, milliseconds(m_notBefore.remainingTime())));
}

milliseconds Poller::pauseAfterSuccess() const
{
    return scaled(m_visible ? m_pace.visible : m_pace.hidden, 1.0 - m_pace.jitter, 1.0 + m_pace.jitter);
}

} // namespace boxdeck::session
