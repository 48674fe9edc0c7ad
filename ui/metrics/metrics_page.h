// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/metrics.h"
#include "backend/session/poller.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

class EmptyState;
class ErrorBar;
class LineChart;

/// Processor, memory and disk of one sandbox over the last minutes or hours. Asks the control plane only, so nothing is
/// woken, and only while it is shown.
class MetricsPage : public QWidget
{
    Q_OBJECT

public:
    MetricsPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent = nullptr);

    /// The sandbox is gone: what was measured stays, and nothing is asked for any more.
    void setEnded();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    Call<void> ask();
    void take(const Result<QList<protocol::SandboxMetric>> &samples);
    void pace();
    void draw();
    void showState();

    QPointer<session::Session> m_session;
    protocol::SandboxId m_id;
    session::Poller m_poller;
    QList<protocol::SandboxMetric> m_samples;
    bool m_loaded = false;
    bool m_ended = false;
    bool m_unsupported = false;

    QComboBox *m_window;
    QLabel *m_asOf;
    ErrorBar *m_error;
    EmptyState *m_empty;
    QStackedWidget *m_stack;
    LineChart *m_cpu;
    LineChart *m_memory;
    LineChart *m_disk;
};

} // namespace boxdeck::ui
