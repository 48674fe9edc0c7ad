// SPDX-License-Identifier: GPL-3.0-or-later
// One upload or download through the transfer engine, as the app does it: temporary name, check, move.
// Reports its seconds and how much memory it grew by.
#include "backend/core/clock.h"
#include "backend/transfer/transfer_engine.h"
#include "tests/bench/order.h"

#include <QCoreApplication>
#include <QElapsedTimer>

using namespace boxdeck;

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QJsonObject order = bench::readOrder(QCoreApplication::arguments());
    const bool upload = order[QLatin1String("direction")].toString() == QLatin1String("up");
    const QString local = order[QLatin1String("local")].toString();
    const auto remote = RemotePath::parse(order[QLatin1String("remote")].toString());
    if (!remote)
        qFatal("bad remote path");

    QObject owner;
    SystemClock clock;
    net::HttpTransport transport;
    transfer::TransferEngine engine(clock);
    QElapsedTimer timer;
    double before = 0;

    QObject::connect(&engine, &transfer::TransferEngine::ended, &owner, [&](transfer::TransferId id) {
        const auto info = engine.info(id);
        if (!info || info->state != transfer::JobState::Done || !info->problems.isEmpty())
            return bench::giveUp(info && info->error ? info->error->message : QStringLiteral("the transfer failed"));
        bench::finish({{QStringLiteral("seconds"), double(timer.nsecsElapsed()) / 1e9},
                       {QStringLiteral("bytes"), info->bytesDone},
                       {QStringLiteral("growth"), bench::peakMegabytes() - before},
                       {QStringLiteral("cpu"), bench::cpuSeconds()}});
    });
    const auto begin = [&] {
        bench::resetPeakMemory();
        before = bench::residentMegabytes();
        timer.start();
    };
    bench::openSandbox(&owner, transport, order, [&](std::shared_ptr<api::Envd> envd) {
        const auto source = [envd] { return Call<std::shared_ptr<api::Envd>>::settled(envd); };
        if (upload) {
            begin();
            engine.upload(source, {local}, *remote);
            return;
        }
        envd->filesystem().stat(*remote).then(&owner, [&, source](Result<protocol::EntryInfo> entry) {
            if (!entry)
                return bench::giveUp(entry.error().message);
            begin();
            engine.download(source, {*entry}, local);
        });
    });
    return QCoreApplication::exec();
}
