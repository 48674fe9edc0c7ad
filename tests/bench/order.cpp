// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/order.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

#include <cstdio>
#include <sys/resource.h>

namespace bench {

QJsonObject readOrder(const QStringList &arguments)
{
    const QJsonObject order = QJsonDocument::fromJson(arguments.value(1).toUtf8()).object();
    if (order.isEmpty())
        qFatal("usage: %s JSON", qPrintable(arguments.value(0)));
    return order;
}

boxdeck::api::Endpoint endpointOf(const QJsonObject &order)
{
    boxdeck::api::Endpoint endpoint;
    endpoint.apiUrl = QUrl(order[QLatin1String("apiUrl")].toString());
    endpoint.sandboxUrl = QUrl(order[QLatin1String("sandboxUrl")].toString());
    endpoint.apiKey = boxdeck::Secret(qgetenv("BOXDECK_BENCH_KEY"));
    return endpoint;
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static double statusMegabytes(const QByteArray &field)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArrayList lines = status.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith(field + ':'))
            return line.mid(field.size() + 1).simplified().split(' ').value(0).toDouble() * 1024 / 1e6;
    }
    return 0;
}

double residentMegabytes()
{
    return statusMegabytes("VmRSS");
}

double peakMegabytes()
{
    return statusMegabytes("VmHWM");
}

void resetPeakMemory()
{
    QFile refs(QStringLiteral("/proc/self/clear_refs"));
    if (refs.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        refs.write("5"); // proc(5): sets the peak to what is resident now
}

void finish(const QJsonObject &report)
{
    std::puts(QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
    QCoreApplication::exit(0);
}

void giveUp(const QString &why)
{
    std::fprintf(stderr, "%s\n", qPrintable(why));
    QCoreApplication::exit(1);
}

void openSandbox(QObject *owner, boxdeck::net::HttpTransport &transport, const QJsonObject &order,
                 std::function<void(std::shared_ptr<boxdeck::api::Envd>)> ready)
{
    const boxdeck::api::Endpoint endpoint = endpointOf(order);
    const boxdeck::protocol::SandboxId id{order[QLatin1String("sandboxId")].toString()};
    auto control = std::make_shared<boxdeck::api::ControlPlaneClient>(transport, endpoint);
    control->sandbox(id).then(owner, [&transport, control, endpoint, ready = std::move(ready)](auto detail) {
        if (!detail)
            return giveUp(detail.error().message);
        ready(std::make_shared<boxdeck::api::Envd>(transport, boxdeck::api::targetOf(endpoint, *detail)));
    });
}

} // namespace bench
