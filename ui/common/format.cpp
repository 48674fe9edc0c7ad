// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/format.h"

#include <QCoreApplication>
#include <QLocale>

namespace boxdeck::ui {

namespace {

const auto kUnknown = QStringLiteral("–");

struct Format
{
    Q_DECLARE_TR_FUNCTIONS(Format)
};

} // namespace

QString formatBytes(qint64 bytes)
{
    if (bytes < 0)
        return kUnknown;
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 1023.95 would print as "1024.0": go up before rounding can reach the next unit.
    while (value >= (unit == 0 ? 1024.0 : 1023.95) && unit + 1 < std::size(units)) {
        value /= 1024.0;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : 1;
    return QLocale().toString(value, 'f', decimals) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString formatRate(qint64 bytesPerSecond)
{
    return bytesPerSecond < 0 ? kUnknown : formatBytes(bytesPerSecond) + QLatin1String("/s");
}

QString formatDuration(std::chrono::seconds duration)
{
    const qint64 total = std::max<qint64>(0, duration.count());
    const qint64 days = total / 86400, hours = total / 3600 % 24, minutes = total / 60 % 60, seconds = total % 60;
    const auto two = [](qint64 number) { return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0')); };
    if (days > 0)
        return Format::tr("%1 d %2 h").arg(days).arg(hours);
    if (hours > 0)
        return Format::tr("%1 h %2 min").arg(hours).arg(two(minutes));
    if (minutes > 0)
        return Format::tr("%1 min %2 s").arg(minutes).arg(two(seconds));
    return Format::tr("%1 s").arg(seconds);
}

QString formatTime(const QDateTime &moment)
{
    if (!moment.isValid())
        return kUnknown;
    const QDateTime local = moment.toLocalTime();
    const QLocale locale;
    if (local.date() == QDate::currentDate())
        return locale.toString(local.time(), QLocale::ShortFormat);
    return locale.toString(local, QLocale::ShortFormat);
}

QString formatFullTime(const QDateTime &moment)
{
    if (!moment.isValid())
        return kUnknown;
    const QDateTime local = moment.toLocalTime();
    return QLocale().toString(local.date(), QLocale::ShortFormat) + QLatin1Char(' ') + formatClock(local);
}

QString formatUtc(const QDateTime &moment)
{
    return moment.isValid() ? moment.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) + QLatin1String(" UTC")
                            : QString();
}

QString formatClock(const QDateTime &moment)
{
    return moment.isValid() ? moment.toLocalTime().toString(QStringLiteral("HH:mm:ss")) : kUnknown;
}

QString middleElide(const QString &text, qsizetype maxLength)
{
    if (text.size() <= maxLength)
        return text;
    const qsizetype kept = std::max<qsizetype>(2, maxLength - 1);
    const qsizetype head = (kept + 1) / 2;
    return text.left(head) + QStringLiteral("…") + text.right(kept - head);
}

} // namespace boxdeck::ui
