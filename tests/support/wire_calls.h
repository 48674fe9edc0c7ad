// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/scripted_control.h"
#include "tests/support/waiting.h"

#include <functional>

namespace boxdeck::test {

/// One call of the control plane; true if its outcome is the right one.
using ControlCall = std::function<bool(api::ControlPlaneClient &)>;

/// The columns of a test of calls on the wire, and what adds a row: the call, the answer to it (none: a success without
/// a body), and the request line and body that it must send.
inline auto wireCalls()
{
    QTest::addColumn<ControlCall>("call");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("body");
    return [](const char *name, const ControlCall &call, const QByteArray &answer, const char *line,
              const char *body = "") { QTest::newRow(name) << call << answer << QByteArray(line) << QByteArray(body); };
}

} // namespace boxdeck::test
