// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/local_names.h"

#include "backend/core/remote_path.h"
#include "backend/transfer/conflict_policy.h"

#include <QSet>
#include <QString>

namespace boxdeck::transfer {

namespace {

Failure badName(const QByteArray &name)
{
    return tl::unexpected(
        Error{.kind = ErrorKind::InvalidRequest,
              .code = QStringLiteral("bad_name"),
              .message = QStringLiteral("'%1' can't be the name of a file").arg(QString::fromUtf8(name))});
}

/// The devices that Windows opens instead of a file, whatever the extension.
bool isWindowsDevice(QStringView stem)
{
    static const QSet<QString> devices = {
        QStringLiteral("CON"),    QStringLiteral("PRN"),     QStringLiteral("AUX"),    QStringLiteral("NUL"),
        QStringLiteral("CONIN$"), QStringLiteral("CONOUT$"), QStringLiteral("CLOCK$"),
    };
    const QString upper = stem.trimmed().toString().toUpper();
    if (devices.contains(upper))
        return true;
    if (upper.size() != 4 || !(upper.startsWith(QLatin1String("COM")) || upper.startsWith(QLatin1String("LPT"))))
        return false;
    const char16_t digit = upper.at(3).unicode();
    // The superscripts one, two and three count as digits there.
    return (digit >= u'0' && digit <= u'9') || digit == 0xb9 || digit == 0xb2 || digit == 0xb3;
}

QString windowsName(const QByteArray &remote)
{
    QString name = QString::fromUtf8(remote);
    for (QChar &c : name) {
        if (c.unicode() < 0x20 || QStringLiteral("<>:\"/\\|?*").contains(c) || c == QChar::ReplacementCharacter)
            c = QLatin1Char('_');
    }
    if (name.endsWith(QLatin1Char('.')) || name.endsWith(QLatin1Char(' ')))
        name.back() = QLatin1Char('_');
    const qsizetype dot = name.indexOf(QLatin1Char('.'));
    const qsizetype stemEnd = dot < 0 ? name.size() : dot;
    if (isWindowsDevice(QStringView(name).left(stemEnd)))
        name.insert(stemEnd, QLatin1Char('_'));
    return name;
}

} // namespace

NameRules nativeNameRules()
{
#ifdef Q_OS_WIN
    return NameRules::Windows;
#else
    return NameRules::Linux;
#endif
}

QList<Result<QByteArray>> localNames(const QList<QByteArray> &remote, NameRules rules)
{
    QList<Result<QByteArray>> names;
    names.reserve(remote.size());
    for (const QByteArray &name : remote) {
        if (RemotePath::isEntryName(name))
            names.append(name);
        else
            names.append(badName(name));
    }
    if (rules == NameRules::Linux)
        return names;

    // Those that are right as they are come first, so that a changed name never takes the place of a good one.
    QSet<QString> taken;
    QList<qsizetype> changed;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (!names[i])
            continue;
        const QString wanted = windowsName(remote[i]);
        const QString folded = wanted.toCaseFolded();
        if (wanted.toUtf8() == remote[i] && !taken.contains(folded))
            taken.insert(folded);
        else
            changed.append(i);
    }
    for (const qsizetype i : changed) {
        const QByteArray base = windowsName(remote[i]).toUtf8();
        QByteArray name = base;
        for (int number = 2; taken.contains(QString::fromUtf8(name).toCaseFolded()); ++number)
            name = numberedName(base, number);
        taken.insert(QString::fromUtf8(name).toCaseFolded());
        names[i] = name;
    }
    return names;
}

} // namespace boxdeck::transfer
