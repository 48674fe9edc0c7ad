// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/request_body.h"

#include <QBuffer>

#include <cstring>

namespace boxdeck::net {

UploadSource sourceOf(const QByteArray &content)
{
    return {.open = [content]() -> std::unique_ptr<QIODevice> {
                auto buffer = std::make_unique<QBuffer>();
                buffer->setData(content);
                buffer->open(QIODevice::ReadOnly);
                return buffer;
            },
            .size = content.size()};
}

OneShotBody::OneShotBody(QByteArray bytes, QObject *parent)
    : QIODevice(parent)
    , m_bytes(std::move(bytes))
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

qint64 OneShotBody::readData(char *data, qint64 maxSize)
{
    const qint64 count = qMin<qint64>(maxSize, m_bytes.size() - m_offset);
    if (count <= 0)
        return -1;
    std::memcpy(data, m_bytes.constData() + m_offset, static_cast<size_t>(count));
    m_offset += count;
    return count;
}

UploadBody::UploadBody(UploadSource source, bool mayRewind, QObject *parent)
    : QIODevice(parent)
    , m_source(std::move(source))
    , m_mayRewind(mayRewind)
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    openSource();
}

bool UploadBody::openSource()
{
    m_device = m_source.open ? m_source.open() : nullptr;
    if (!m_device || !m_device->isReadable()) {
        giveUp(QStringLiteral("the source can't be opened"));
        return false;
    }
    connect(m_device.get(), &QIODevice::readyRead, this, &QIODevice::readyRead);
    return true;
}

bool UploadBody::seek(qint64 position)
{
    if (!m_mayRewind || position != 0 || !QIODevice::seek(0))
        return false;
    if (m_given == 0)
        return m_device != nullptr;
    m_given = 0;
    return openSource();
}

qint64 UploadBody::readData(char *data, qint64 maxSize)
{
    if (m_error || !m_device)
        return -1;
    const qint64 wanted = qMin(maxSize, m_source.size - m_given);
    if (wanted <= 0)
        return -1;
    const qint64 count = m_device->read(data, wanted);
    if (count < 0 || (count == 0 && m_device->atEnd() && !m_device->isSequential()))
        return giveUp(QStringLiteral("the source ended after %1 of %2 bytes").arg(m_given).arg(m_source.size));
    m_given += count;
    return count;
}

qint64 UploadBody::giveUp(const QString &message)
{
    if (!m_error) {
        m_error = localError(message);
        m_error->code = QStringLiteral("source_changed");
        Q_EMIT broken();
    }
    return -1;
}

} // namespace boxdeck::net
