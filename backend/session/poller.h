// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace boxdeck::session {

/// Asks again and again: one question in flight, a pause with jitter, back-off after failures, Retry-After obeyed,
/// slower while nobody looks.
class Poller : public QObject
{
    Q_OBJECT

public:
    struct Pace
    {
        std::chrono::milliseconds visible{3000};
        std::chrono::milliseconds hidden{30000};
        std::chrono::milliseconds firstBackoff{1000}; ///< doubled after each failure in a row …
        std::chrono::milliseconds maxBackoff{60000};  ///< … up to this
        /// Back-off limit while nothing can be reached: such a try costs nobody anything, and a server that comes back
        /// should be seen within seconds.
        std::chrono::milliseconds maxUnreachable{3000};
        double jitter = 0.1; ///< part of the pause by which it may be longer or shorter
    };
    using Ask = std::function<Call<void>()>;

    /// `ask` is called once per poll; it does nothing before start().
    explicit Poller(Ask ask, QObject *parent = nullptr);
    Poller(Ask ask, Pace pace, QObject *parent = nullptr);

    void setPace(const Pace &pace) { m_pace = pace; }

    void start(); ///< first question at once
    void stop();  ///< aborts a question in flight
    bool isRunning() const { return m_running; }
    bool inFlight() const { return m_inFlight; }

    /// Asks at once, or, while a question is in flight, again as soon as it is answered; a Retry-After is waited for.
    void pollNow();

    void setVisible(bool visible);

Q_SIGNALS:
    void inFlightChanged(bool inFlight);

private:
    void ask();
    void answered(const Result<void> &result);
    void schedule(std::chrono::milliseconds pause);
    std::chrono::milliseconds pauseAfterSuccess() const;

    Ask m_ask;
    Pace m_pace;
    QTimer m_timer;
    Call<void> m_call;
    QDeadlineTimer m_notBefore; // from Retry-After
    int m_failures = 0;
    bool m_running = false;
    bool m_inFlight = false;
    bool m_again = false;
    bool m_visible = true;
};

} // namespace boxdeck::session
