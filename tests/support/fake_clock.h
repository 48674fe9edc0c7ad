// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"

namespace boxdeck::test {

/// A clock that stands still until the test moves it.
class FakeClock final : public Clock
{
public:
    QDateTime time = QDateTime::fromString(QStringLiteral("2030-01-02T03:04:05Z"), Qt::ISODate);

    QDateTime now() const override { return time; }
    qint64 monotonicMs() const override { return time.toMSecsSinceEpoch(); }
};

} // namespace boxdeck::test
