// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

#include <chrono>

namespace boxdeck::ui {

/// A size in bytes with IEC units: "0 B", "1023 B", "1.5 KiB", "23 MiB". Negative is "–" (unknown).
QString formatBytes(qint64 bytes);
/// Bytes per second: "1.5 MiB/s".
QString formatRate(qint64 bytesPerSecond);

/// A length of time in at most two units: "42 s", "4 min 05 s", "3 h 20 min", "2 d 4 h". Negative counts as zero.
QString formatDuration(std::chrono::seconds duration);

/// A moment in local time: the time alone for today, otherwise with the date. "–" if invalid.
QString formatTime(const QDateTime &moment);
/// A moment in local time, date and seconds always there.
QString formatFullTime(const QDateTime &moment);
/// The same moment in UTC, ISO 8601, for tool tips. Empty if invalid.
QString formatUtc(const QDateTime &moment);
/// The time of day alone, with seconds: "12:04:10".
QString formatClock(const QDateTime &moment);

/// `text` cut in the middle to `maxLength` characters, the same amount kept on both sides.
QString middleElide(const QString &text, qsizetype maxLength = 24);

} // namespace boxdeck::ui
