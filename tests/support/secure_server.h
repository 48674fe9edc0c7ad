// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTcpSocket>

#include <utility>

namespace boxdeck::test {

/// Answers every request over TLS with the Host it was sent and `body`.
class SecureServer
{
public:
    SecureServer(const QByteArray &certificate, const QByteArray &key)
    {
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificate(QSslCertificate(certificate));
        configuration.setPrivateKey(QSslKey(key, QSsl::Rsa));
        configuration.setAllowedNextProtocols({"h2", "http/1.1"}); // whichever the client knows
        m_server.setSslConfiguration(configuration);
        QObject::connect(&m_server, &QTcpServer::pendingConnectionAvailable, &m_server, [this] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            QObject::connect(socket, &QIODevice::readyRead, socket, [this, socket] { answer(socket); });
        });
        m_server.listen(QHostAddress::LocalHost);
    }

    quint16 port() const { return m_server.serverPort(); }
    QList<QByteArray> requests;
    QByteArray body = "hello";
    bool cut = false;
    QByteArray location;         ///< set: redirects there
    QList<QByteArray> protocols; ///< what was agreed on, of each connection that asked something

private:
    void answer(QTcpSocket *socket)
    {
        if (m_seen.isEmpty())
            protocols << static_cast<QSslSocket *>(socket)->sslConfiguration().nextNegotiatedProtocol();
        m_seen += socket->readAll();
        if (m_needed == 0) {
            const qsizetype end = m_seen.indexOf("\r\n\r\n");
            if (end < 0)
                return;
            const qsizetype at = m_seen.left(end + 2).toLower().indexOf("content-length: ");
            m_needed = end + 4;
            if (at >= 0)
                m_needed += m_seen.mid(at + 16, m_seen.indexOf('\r', at) - at - 16).toLongLong();
        }
        if (m_seen.size() < m_needed)
            return;
        requests << std::exchange(m_seen, {});
        m_needed = 0;
        if (!location.isEmpty()) {
            socket->write("HTTP/1.1 307 Elsewhere\r\nContent-Length: 0\r\nLocation: " + location + "\r\n\r\n");
            return;
        }
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" +
                      (cut ? body.left(body.size() / 2) : body));
        if (cut)
            socket->disconnectFromHost();
    }

    QSslServer m_server;
    QByteArray m_seen;
    qsizetype m_needed = 0;
};

} // namespace boxdeck::test
