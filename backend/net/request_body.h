// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_request.h"

#include <QIODevice>

namespace boxdeck::net {

/// An upload from memory.
UploadSource sourceOf(const QByteArray &content);

/// A small body that can be read once. It is sequential on purpose: QNetworkAccessManager sends a request again by
/// itself when the peer closes before it answers, unless it can't rewind the body. A create must not run twice.
class OneShotBody final : public QIODevice
{
    Q_OBJECT

public:
    explicit OneShotBody(QByteArray bytes, QObject *parent = nullptr);

    bool isSequential() const override { return true; }
    bool reset() override { return false; }
    bool atEnd() const override { return m_offset >= m_bytes.size(); }
    qint64 bytesAvailable() const override { return m_bytes.size() - m_offset + QIODevice::bytesAvailable(); }

protected:
    qint64 readData(char *data, qint64 maxSize) override;
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_bytes;
    qsizetype m_offset = 0;
};

/// A body of an announced size, streamed from a source that is opened again to rewind.
class UploadBody final : public QIODevice
{
    Q_OBJECT

public:
    UploadBody(UploadSource source, bool mayRewind, QObject *parent = nullptr);

    bool isSequential() const override { return !m_mayRewind; }
    qint64 size() const override { return m_source.size; }
    bool atEnd() const override { return m_given >= m_source.size; }
    bool seek(qint64 position) override;
    qint64 bytesAvailable() const override { return m_source.size - m_given; }

    /// Why the source could not give what it announced.
    const std::optional<Error> &sourceError() const { return m_error; }

Q_SIGNALS:
    void broken();

protected:
    qint64 readData(char *data, qint64 maxSize) override;
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    bool openSource();
    qint64 giveUp(const QString &message);

    UploadSource m_source;
    std::unique_ptr<QIODevice> m_device;
    std::optional<Error> m_error;
    qint64 m_given = 0;
    bool m_mayRewind;
};

} // namespace boxdeck::net
