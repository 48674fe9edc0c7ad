// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/host_process.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>

namespace boxdeck::test {

namespace {

constexpr int patience = 30'000; // ms; a loaded machine starts a host slowly

} // namespace

HostProcess::HostProcess() = default;

HostProcess::~HostProcess()
{
    stop();
}

bool HostProcess::start()
{
    const QString program = qEnvironmentVariable("BOXDECK_HOST");
    const int port = m_endpoint.apiUrl.port(0); // 0 the first time: any free one
    m_process = std::make_unique<QProcess>();
    m_process->setProgram(program);
    m_process->setArguments({QStringLiteral("--listen"), QStringLiteral("127.0.0.1:%1").arg(port),
                             QStringLiteral("--data"), m_data.path()});
    m_process->start();
    if (program.isEmpty() || !m_process->waitForStarted(patience)) {
        m_failure = QStringLiteral("BOXDECK_HOST must name the real host: %1").arg(m_process->errorString());
        return false;
    }
    return readLine();
}

bool HostProcess::readLine()
{
    QElapsedTimer timer;
    timer.start();
    while (!m_process->canReadLine() && timer.elapsed() < patience) {
        if (!m_process->waitForReadyRead(200) && m_process->state() != QProcess::Running)
            break;
    }
    const QJsonObject line = QJsonDocument::fromJson(m_process->readLine()).object();
    m_endpoint.apiUrl = QUrl(line.value(QLatin1String("apiUrl")).toString());
    m_endpoint.sandboxUrl = QUrl(line.value(QLatin1String("sandboxUrl")).toString());
    m_endpoint.apiKey = Secret(line.value(QLatin1String("apiKey")).toString().toUtf8());
    if (m_endpoint.apiUrl.isEmpty() || m_endpoint.apiKey.isEmpty()) {
        m_failure = QStringLiteral("the host did not become ready: %1").arg(QString::fromUtf8(log()));
        return false;
    }
    return true;
}

QByteArray HostProcess::log()
{
    if (m_process)
        m_log += m_process->readAllStandardError();
    return m_log;
}

void HostProcess::stop()
{
    if (!isRunning())
        return;
    m_process->terminate();
    if (!m_process->waitForFinished(patience))
        kill();
    log();
}

void HostProcess::kill()
{
    if (!isRunning())
        return;
    m_process->kill();
    m_process->waitForFinished(patience);
    log();
}

} // namespace boxdeck::test
