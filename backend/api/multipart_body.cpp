// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/multipart_body.h"

#include <QUuid>

#include <cstring>

namespace boxdeck::api {

namespace {

class MultipartBody final : public QIODevice
{
public:
    MultipartBody(QByteArray head, std::unique_ptr<QIODevice> content, qint64 contentSize, QByteArray tail)
        : m_head(std::move(head))
        , m_content(std::move(content))
        , m_contentSize(contentSize)
        , m_tail(std::move(tail))
    {
        connect(m_content.get(), &QIODevice::readyRead, this, &QIODevice::readyRead);
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }

    bool isSequential() const override { return true; }
    bool atEnd() const override { return m_ended || m_tailGiven == m_tail.size(); }

protected:
    qint64 readData(char *data, qint64 maxSize) override
    {
        if (m_headGiven < m_head.size())
            return copy(m_head, m_headGiven, data, maxSize);
        if (m_contentGiven == m_contentSize)
            return m_tailGiven < m_tail.size() ? copy(m_tail, m_tailGiven, data, maxSize) : -1;
        const qint64 count = m_content->read(data, qMin(maxSize, m_contentSize - m_contentGiven));
        m_ended = count < 0 || (count == 0 && m_content->atEnd() && !m_content->isSequential());
        if (m_ended)
            return -1;
        m_contentGiven += count;
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    static qint64 copy(const QByteArray &from, qsizetype &given, char *data, qint64 maxSize)
    {
        const qint64 count = qMin<qint64>(maxSize, from.size() - given);
        std::memcpy(data, from.constData() + given, static_cast<size_t>(count));
        given += count;
        return count;
    }

    QByteArray m_head;
    std::unique_ptr<QIODevice> m_content;
    qint64 m_contentSize;
    QByteArray m_tail;
    qsizetype m_headGiven = 0;
    qint64 m_contentGiven = 0;
    qsizetype m_tailGiven = 0;
    bool m_ended = false;
};

/// Safe inside quotes: quote and backslash escaped, control characters replaced, as no escape for them is understood.
QByteArray quoted(const QByteArray &text)
{
    QByteArray safe;
    for (const char c : text) {
        if (c == '"' || c == '\\')
            safe += '\\';
        safe += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '_' : c;
    }
    return safe;
}

} // namespace

MultipartUpload multipartUpload(net::UploadSource content, const RemotePath &path)
{
    const QByteArray boundary = "boxdeck-" + QUuid::createUuid().toByteArray(QUuid::Id128);
    const QByteArray head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" +
                            quoted(path.bytes()) + "\"\r\nContent-Type: application/octet-stream\r\n\r\n";
    const QByteArray tail = "\r\n--" + boundary + "--\r\n";
    const qint64 size = content.size;
    auto open = [content = std::move(content), head, tail]() -> std::unique_ptr<QIODevice> {
        auto device = content.open ? content.open() : nullptr;
        if (!device || !device->isReadable())
            return nullptr;
        return std::make_unique<MultipartBody>(head, std::move(device), content.size, tail);
    };
    return {.contentType = "multipart/form-data; boundary=" + boundary,
            .source = {.open = std::move(open), .size = head.size() + size + tail.size()}};
}

} // namespace boxdeck::api
