// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/real_host.h"

#include "tests/support/waiting.h"

namespace boxdeck::test {

namespace {
constexpr int runLimitMs = 60000;
}

RealHost::RealHost()
{
    if (m_process.start())
        m_control = std::make_unique<api::ControlPlaneClient>(m_transport, m_process.endpoint());
    else
        m_failure = m_process.failure();
}

RealHost::~RealHost()
{
    if (!m_control || (!m_process.isRunning() && !m_process.start()))
        return;
    // Their files belong to other users: only the host can remove them.
    if (const auto sandboxes = outcome(m_control->listAllSandboxes())) {
        for (const protocol::SandboxSummary &sandbox : *sandboxes)
            outcome(m_control->kill(sandbox.id));
    }
}

std::shared_ptr<api::Envd> RealHost::newSandbox(protocol::NewSandbox wanted)
{
    const auto access = outcome(m_control->create(wanted));
    if (!access) {
        m_failure = access.error().message;
        return nullptr;
    }
    return std::make_shared<api::Envd>(m_transport, api::targetOf(m_process.endpoint(), *access));
}

std::optional<QByteArray> RealHost::run(api::Envd &envd, const QString &commandLine)
{
    protocol::ProcessStart start;
    start.config.cmd = QStringLiteral("/bin/bash");
    start.config.args = {QStringLiteral("-c"), commandLine};
    auto stream = envd.processes().start(start);
    QByteArray printed;
    QEventLoop loop;
    QObject::connect(stream.get(), &api::ProcessStream::event, &loop, [&](const protocol::ProcessEvent &event) {
        if (const auto *output = std::get_if<protocol::ProcessOutput>(&event))
            printed += output->data;
    });
    QObject::connect(stream.get(), &api::ProcessStream::ended, &loop, &QEventLoop::quit);
    QTimer::singleShot(runLimitMs, &loop, &QEventLoop::quit);
    loop.exec();
    const auto exit = stream->exit();
    if (!exit || exit->exitCode != 0)
        return std::nullopt;
    return printed;
}

} // namespace boxdeck::test
