// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"

#include <QJsonObject>
#include <QObject>

#include <functional>
#include <memory>

/// What the contestants of tests/bench share: their order, their way to the sandbox, and their report.
namespace bench {

/// The order of tests/bench/local_host.py: one JSON object as the only argument. The key comes in the environment.
QJsonObject readOrder(const QStringList &arguments);
boxdeck::api::Endpoint endpointOf(const QJsonObject &order);

/// User and system seconds of this process so far.
double cpuSeconds();
/// Resident megabytes (10^6) of this process now, and the most since resetPeakMemory().
double residentMegabytes();
double peakMegabytes();
void resetPeakMemory();

/// Prints the report on one line and ends the program well.
void finish(const QJsonObject &report);
/// Says why on stderr and ends the program with 1.
void giveUp(const QString &why);

/// Opens the data plane of the order's sandbox, then calls `ready` once.
void openSandbox(QObject *owner, boxdeck::net::HttpTransport &transport, const QJsonObject &order,
                 std::function<void(std::shared_ptr<boxdeck::api::Envd>)> ready);

} // namespace bench
