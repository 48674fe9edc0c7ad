// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/boxdeck/single_instance.h"

#include "backend/core/logging.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonDocument>
#include <QLocalSocket>
#include <QTimer>

namespace boxdeck::app {

namespace {

// sun_path holds 108 bytes with the final zero.
constexpr int kLongestAddress = 100;
constexpr int kLongestRequest = 4096;
constexpr int kPatienceMs = 5000;

QString addressIn(const QString &dataDir)
{
    const QString inside = dataDir + QLatin1String("/instance.socket");
    if (inside.toLocal8Bit().size() <= kLongestAddress)
        return inside;
    const QByteArray digest = QCryptographicHash::hash(dataDir.toUtf8(), QCryptographicHash::Sha256).toHex().left(24);
    return QStringLiteral("boxdeck-") + QLatin1String(digest);
}

} // namespace

SingleInstance::SingleInstance(const QString &dataDir, QObject *parent)
    : QObject(parent)
    , m_address(addressIn(QDir(dataDir).canonicalPath()))
    , m_lock(dataDir + QLatin1String("/instance.lock"))
{
    m_lock.setStaleLockTime(0); // it is held for days; only a dead holder makes it stale
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::accept);
}

SingleInstance::~SingleInstance() = default;

bool SingleInstance::claim()
{
    if (!m_lock.tryLock(0))
        return false;
    QLocalServer::removeServer(m_address);
    if (!m_server.listen(m_address))
        qCWarning(lcUi) << "later instances can't reach this one:" << m_server.errorString();
    return true;
}

void SingleInstance::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket] {
            if (!socket->canReadLine()) {
                if (socket->bytesAvailable() > kLongestRequest)
                    socket->abort();
                return;
            }
            const QJsonObject request = QJsonDocument::fromJson(socket->readLine(kLongestRequest)).object();
            socket->write("ok\n");
            socket->flush();
            socket->disconnectFromServer();
            Q_EMIT requested(request);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read();
    }
}

void SingleInstance::handOver(const QJsonObject &request)
{
    auto *socket = new QLocalSocket(this);
    auto *patience = new QTimer(socket);
    patience->setSingleShot(true);
    const auto end = [this, socket](bool good) {
        socket->disconnect(this);
        socket->deleteLater();
        if (good)
            Q_EMIT handedOver();
        else
            Q_EMIT failed();
    };
    connect(socket, &QLocalSocket::connected, this,
            [socket, request] { socket->write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n'); });
    connect(socket, &QLocalSocket::readyRead, this, [socket, end] {
        if (socket->canReadLine())
            end(socket->readLine() == "ok\n");
    });
    connect(socket, &QLocalSocket::errorOccurred, this, [end] { end(false); });
    connect(patience, &QTimer::timeout, this, [end] { end(false); });
    patience->start(kPatienceMs);
    socket->connectToServer(m_address);
}

} // namespace boxdeck::app
