// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/witness.h"

#include "tests/support/waiting.h"

namespace boxdeck::test {

QString Witness::start()
{
    return m_host.start() ? QString() : QStringLiteral("boxdeck-host: ") + m_host.failure();
}

QByteArray Witness::run(const protocol::SandboxId &sandbox, const QString &commandLine)
{
    const auto detail = outcome(control().sandbox(sandbox));
    if (!detail)
        return {};
    api::Envd envd(m_transport, api::targetOf(m_host.endpoint(), *detail));
    protocol::ProcessStart order;
    order.config.cmd = QStringLiteral("/bin/bash");
    order.config.args = {QStringLiteral("-c"), commandLine};
    const auto stream = envd.processes().start(order);
    QByteArray said;
    bool ended = false;
    QObject::connect(stream.get(), &api::ProcessStream::event, stream.get(), [&](const protocol::ProcessEvent &event) {
        if (const auto *output = std::get_if<protocol::ProcessOutput>(&event))
            said += output->data;
    });
    QObject::connect(stream.get(), &api::ProcessStream::ended, stream.get(),
                     [&](const net::StreamEnd &) { ended = true; });
    if (!QTest::qWaitFor([&] { return ended; }, 30000) || !stream->exit() || stream->exit()->exitCode != 0)
        return {};
    return said;
}

} // namespace boxdeck::test
