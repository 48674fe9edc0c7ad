// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSocket>
#include <QHash>
#include <QObject>

#include <memory>

namespace boxdeck::net {

/// Connections that served one request and may serve another, so that a folder of small files does not shake hands for
/// each. Closed after a while, when the peer closes, and when it says anything unasked.
class IdleSockets : public QObject
{
    Q_OBJECT

public:
    explicit IdleSockets(QObject *parent = nullptr);
    ~IdleSockets() override;

    /// A connection for `key` (where it goes and how), or null.
    std::unique_ptr<QAbstractSocket> take(const QString &key);
    void give(const QString &key, std::unique_ptr<QAbstractSocket> socket);

private:
    void drop(const QString &key, QAbstractSocket *socket);

    QMultiHash<QString, QAbstractSocket *> m_sockets;
};

} // namespace boxdeck::net
