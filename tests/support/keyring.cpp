// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/keyring.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusReply>
#include <QMap>

using Attributes = QMap<QString, QString>;
Q_DECLARE_METATYPE(Attributes)

namespace boxdeck::test {

namespace {

QDBusMessage secretCall(const char *method)
{
    return QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.secrets"),
                                          QStringLiteral("/org/freedesktop/secrets"),
                                          QStringLiteral("org.freedesktop.Secret.Service"), QLatin1String(method));
}

} // namespace

qsizetype entriesFor(const QUuid &profile)
{
    qDBusRegisterMetaType<Attributes>();
    auto search = secretCall("SearchItems");
    search << QVariant::fromValue(Attributes{{QStringLiteral("server"), QStringLiteral("Boxdeck")},
                                             {QStringLiteral("user"), profile.toString(QUuid::WithoutBraces)}});
    const QDBusMessage reply = QDBusConnection::sessionBus().call(search);
    qsizetype count = 0;
    for (const QVariant &paths : reply.arguments()) // unlocked ones, then locked ones
        count += qdbus_cast<QList<QDBusObjectPath>>(paths).size();
    return reply.type() == QDBusMessage::ReplyMessage ? count : -1;
}

bool lockKeyring()
{
    qDBusRegisterMetaType<QList<QDBusObjectPath>>();
    auto alias = secretCall("ReadAlias");
    alias << QStringLiteral("default");
    const QDBusReply<QDBusObjectPath> collection = QDBusConnection::sessionBus().call(alias);
    if (!collection.isValid())
        return false;
    auto lock = secretCall("Lock");
    lock << QVariant::fromValue(QList<QDBusObjectPath>{collection.value()});
    return QDBusConnection::sessionBus().call(lock).type() == QDBusMessage::ReplyMessage;
}

} // namespace boxdeck::test
