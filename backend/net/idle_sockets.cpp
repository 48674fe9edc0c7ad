// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/idle_sockets.h"

#include <QTimer>

#include <memory>

namespace boxdeck::net {

namespace {

constexpr int maxPerKey = 6;
constexpr std::chrono::seconds keepFor{20};

} // namespace

IdleSockets::IdleSockets(QObject *parent)
    : QObject(parent)
{
}

IdleSockets::~IdleSockets()
{
    for (QAbstractSocket *socket : std::as_const(m_sockets)) {
        socket->disconnect(this);
        delete socket;
    }
}

std::unique_ptr<QAbstractSocket> IdleSockets::take(const QString &key)
{
    QAbstractSocket *socket = m_sockets.take(key);
    if (!socket)
        return nullptr;
    socket->disconnect(this);
    for (QTimer *timer : socket->findChildren<QTimer *>(QStringLiteral("idle"), Qt::FindDirectChildrenOnly))
        delete timer;
    return std::unique_ptr<QAbstractSocket>(socket);
}

void IdleSockets::give(const QString &key, std::unique_ptr<QAbstractSocket> socket)
{
    if (socket->state() != QAbstractSocket::ConnectedState || socket->bytesAvailable() > 0 ||
        m_sockets.count(key) >= maxPerKey) {
        socket.release()->deleteLater(); // maybe from inside one of its signals
        return;
    }
    QAbstractSocket *kept = socket.release();
    m_sockets.insert(key, kept);
    const auto forget = [this, key, kept] { drop(key, kept); };
    connect(kept, &QAbstractSocket::readyRead, this, forget);
    connect(kept, &QAbstractSocket::disconnected, this, forget);
    connect(kept, &QAbstractSocket::errorOccurred, this, forget);
    auto *timer = new QTimer(kept);
    timer->setObjectName(QStringLiteral("idle"));
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, forget);
    timer->start(keepFor);
}

void IdleSockets::drop(const QString &key, QAbstractSocket *socket)
{
    if (m_sockets.remove(key, socket) == 0)
        return;
    socket->disconnect(this);
    socket->abort();
    socket->deleteLater();
}

} // namespace boxdeck::net
