// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QLocalServer>
#include <QLockFile>
#include <QObject>

namespace boxdeck::app {

/// One running app per data folder: the first holds a lock there and listens, a later one hands over what it was asked
/// to do and ends.
class SingleInstance : public QObject
{
    Q_OBJECT

public:
    /// `dataDir` exists.
    explicit SingleInstance(const QString &dataDir, QObject *parent = nullptr);
    ~SingleInstance() override;

    /// True if this is the first; it then listens for later ones.
    bool claim();

    /// For a later one: gives `request` to the first. Answers by handedOver() or failed().
    void handOver(const QJsonObject &request);

Q_SIGNALS:
    void requested(const QJsonObject &request); ///< in the first: a later one was started
    void handedOver();
    void failed(); ///< the first does not answer

private:
    void accept();

    QString m_address;
    QLockFile m_lock;
    QLocalServer m_server;
};

} // namespace boxdeck::app
