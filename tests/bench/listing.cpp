// SPDX-License-Identifier: GPL-3.0-or-later
// Lists every sandbox of a server, as the app does it: all pages, read into values and ordered.
#include "tests/bench/order.h"

#include <QCoreApplication>
#include <QElapsedTimer>

using namespace boxdeck;

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QJsonObject order = bench::readOrder(QCoreApplication::arguments());
    QObject owner;
    net::HttpTransport transport;
    api::ControlPlaneClient control(transport, bench::endpointOf(order));
    QElapsedTimer timer;
    timer.start();
    control.listAllSandboxes().then(&owner, [&](const auto &all) {
        if (!all)
            return bench::giveUp(all.error().message);
        bench::finish({{QStringLiteral("seconds"), double(timer.nsecsElapsed()) / 1e9},
                       {QStringLiteral("count"), all->size()},
                       {QStringLiteral("cpu"), bench::cpuSeconds()}});
    });
    return QCoreApplication::exec();
}
