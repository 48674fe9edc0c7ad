// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/metrics/metrics_page.h"

#include "backend/session/session.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/metrics/line_chart.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace boxdeck::ui {

using protocol::SandboxMetric;

namespace {

constexpr session::Poller::Pace watching{.visible = std::chrono::seconds(5), .hidden = std::chrono::minutes(1)};

QString percentText(double value)
{
    return QLocale().toString(value, 'f', value < 10 ? 1 : 0) + QStringLiteral(" %");
}

QString bytesText(double value)
{
    return formatBytes(qint64(value));
}

} // namespace

MetricsPage::MetricsPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent)
    : QWidget(parent)
    , m_session(&session)
    , m_id(id)
    , m_poller([this] { return ask(); }, watching)
    , m_window(new QComboBox(this))
    , m_asOf(mutedLabel({}, this))
    , m_error(new ErrorBar(QStringLiteral("metricsError"), this))
    , m_empty(new EmptyState(QStringLiteral("metricsEmpty"), "waiting", this))
    , m_stack(new QStackedWidget(this))
    , m_cpu(new LineChart(QStringLiteral("metricsCpu"), tr("Processor"), percentText, Token::Accent, this))
    , m_memory(new LineChart(QStringLiteral("metricsMemory"), tr("Memory"), bytesText, Token::Paused, this))
    , m_disk(new LineChart(QStringLiteral("metricsDisk"), tr("Disk"), bytesText, Token::Running, this))
{
    nameWidget(this, QStringLiteral("metricsPage"), tr("Metrics"));
    nameWidget(m_window, QStringLiteral("metricsWindow"), tr("How far back"));
    m_window->addItem(tr("Last 15 minutes"), 15 * 60);
    m_window->addItem(tr("Last hour"), 60 * 60);
    m_window->addItem(tr("Last day"), 24 * 60 * 60);
    m_window->addItem(tr("Everything kept"), 0);
    connect(m_window, &QComboBox::currentIndexChanged, this, [this] {
        if (m_poller.isRunning())
            m_poller.pollNow();
    });
    nameWidget(m_asOf, QStringLiteral("metricsAsOf"), tr("When it was measured"));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    bar->setSpacing(kGrid);
    bar->addWidget(m_window);
    bar->addStretch(1);
    bar->addWidget(m_asOf);
    auto *charts = new QWidget(m_stack);
    charts->setAutoFillBackground(true);
    charts->setBackgroundRole(QPalette::Base);
    auto *rows = new QVBoxLayout(charts);
    rows->setContentsMargins(0, kGrid, 0, kGrid);
    rows->setSpacing(kGrid);
    for (LineChart *chart : {m_cpu, m_memory, m_disk})
        rows->addWidget(chart, 1);
    m_stack->addWidget(m_empty);
    // Their height is no reason for the whole window to be tall: it would take the terminal's below them.
    auto *area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("metricsArea"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(charts);
    m_stack->addWidget(area);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_error);
    column->addWidget(m_stack, 1);
    connect(m_error, &ErrorBar::retryRequested, this, [this] { m_poller.pollNow(); });
    showState();
}

void MetricsPage::setEnded()
{
    m_ended = true;
    m_poller.stop();
    m_window->setEnabled(false);
    showState();
}

void MetricsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    pace();
}

void MetricsPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    pace();
}

void MetricsPage::pace()
{
    const bool wanted = isVisible() && !m_ended && !m_unsupported;
    if (wanted && !m_poller.isRunning())
        m_poller.start();
    else if (!wanted)
        m_poller.stop();
}

Call<void> MetricsPage::ask()
{
    if (!m_session)
        return Call<void>::settled({});
    protocol::TimeWindow window;
    if (const int seconds = m_window->currentData().toInt())
        window.start = m_session->sandboxes().serverNow().addSecs(-seconds);
    return m_session->control()
        .telemetry()
        .metrics(m_id, window)
        .map([this](const Result<QList<SandboxMetric>> &samples) {
            take(samples);
            return samples ? Result<void>() : Result<void>(tl::unexpected(samples.error()));
        });
}

void MetricsPage::take(const Result<QList<SandboxMetric>> &samples)
{
    if (samples) {
        m_samples = *samples;
        m_loaded = true;
        m_error->clear();
        draw();
    } else if (samples.error().kind == ErrorKind::Unsupported) {
        m_unsupported = true;
        QMetaObject::invokeMethod(this, &MetricsPage::pace, Qt::QueuedConnection); // not from inside its own answer
    } else {
        m_error->showError(samples.error(), tr("The metrics of %1 were not read.").arg(m_id.value), tr("Read again"));
    }
    showState();
}

void MetricsPage::draw()
{
    QList<LineChart::Sample> cpu, memory, disk;
    for (const SandboxMetric &one : m_samples) {
        cpu.append({one.at, one.cpuUsedPct});
        memory.append({one.at, double(one.memUsed)});
        disk.append({one.at, double(one.diskUsed)});
    }
    const SandboxMetric last = m_samples.isEmpty() ? SandboxMetric() : m_samples.last();
    m_cpu->setSamples(std::move(cpu), 100);
    // A scale up to the whole machine would press most lines onto its floor.
    const auto whole = [](qint64 bytes) { return bytes > 0 ? tr("of %1").arg(formatBytes(bytes)) : QString(); };
    m_memory->setSamples(std::move(memory), 0, whole(last.memTotal));
    m_disk->setSamples(std::move(disk), 0, whole(last.diskTotal));
    m_asOf->setText(m_samples.isEmpty() ? QString() : tr("as of %1").arg(formatClock(last.at)));
    m_asOf->setToolTip(formatUtc(last.at));
}

void MetricsPage::showState()
{
    m_stack->setCurrentIndex(m_samples.isEmpty() ? 0 : 1);
    m_empty->setBusy(!m_loaded && !m_unsupported && !m_ended);
    if (m_unsupported) {
        m_empty->setDrawing("server");
        m_empty->setText(tr("No metrics here"), tr("This server does not measure its sandboxes."));
    } else if (m_loaded || m_ended) {
        m_empty->setText({}, tr("Nothing was measured in this time. A sandbox is measured while it runs."));
    } else {
        m_empty->setText({}, tr("The metrics are being read."));
    }
}

} // namespace boxdeck::ui
