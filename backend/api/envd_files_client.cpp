// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd_files_client.h"

#include "backend/api/multipart_body.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonDocument>

namespace boxdeck::api {

namespace {

net::HttpRequest filesRequest(const SandboxTarget &target, const QByteArray &method, const RemotePath &path)
{
    // The Basic header does not choose the account on /files, the query does.
    QByteArray query = "path=" + encodeSegment(path.bytes());
    if (!target.user.isEmpty())
        query += "&username=" + encodeSegment(target.user);
    net::HttpRequest request{.method = method,
                             .url = target.url("/files", query),
                             .headers = target.headers(),
                             .mayRepeat = true,
                             .lane = net::Lane::Bulk,
                             .gateway = target.gateway};
    return request;
}

net::HttpRequest downloadRequest(const SandboxTarget &target, const RemotePath &path)
{
    net::HttpRequest request = filesRequest(target, "GET", path);
    request.headers.emplace_back("Accept", "application/octet-stream, application/json;q=0.9");
    return request;
}

net::HttpRequest uploadRequest(const SandboxTarget &target, const RemotePath &path)
{
    net::HttpRequest request = filesRequest(target, "POST", path);
    request.timeouts.firstByte = std::chrono::minutes(2); // flushing a large file takes its time
    return request;
}

Result<void> uploaded(Result<net::HttpResponse> response)
{
    if (!response)
        return tl::unexpected(std::move(response.error()));
    if (!response->isSuccess())
        return tl::unexpected(filesError(*response));
    // Read by content: the content type may say text. An object or nothing is fine (protocol/compat.md 3.8).
    const QJsonDocument document = QJsonDocument::fromJson(response->body);
    if (document.isArray() && document.array().isEmpty())
        return tl::unexpected(Error{.kind = ErrorKind::Internal,
                                    .delivery = Delivery::Answered,
                                    .httpStatus = response->status,
                                    .code = QStringLiteral("bad_answer"),
                                    .message = QStringLiteral("the server wrote no file")});
    return {};
}

} // namespace

EnvdFilesClient::EnvdFilesClient(net::HttpTransport &transport, std::shared_ptr<const SandboxTarget> target)
    : m_transport(transport)
    , m_target(std::move(target))
{
}

std::unique_ptr<net::ByteStream> EnvdFilesClient::download(const RemotePath &path, qint64 offset)
{
    net::HttpRequest request = downloadRequest(*m_target, path);
    if (offset > 0)
        request.headers.emplace_back("Range", "bytes=" + QByteArray::number(offset) + '-');
    request.statusError = [](const net::HttpResponse &response) { return filesError(response); };
    return m_transport.open(std::move(request));
}

Call<void> EnvdFilesClient::upload(const RemotePath &path, net::UploadSource source,
                                   std::function<void(qint64, qint64)> progress)
{
    const auto sendMultipart = [transport = &m_transport, target = m_target, path, source, progress] {
        MultipartUpload form = multipartUpload(source, path);
        net::HttpRequest request = uploadRequest(*target, path);
        request.headers.emplace_back("Content-Type", form.contentType);
        request.upload = std::move(form.source);
        request.progress = progress;
        return transport->send(std::move(request)).map(uploaded);
    };
    // Older and foreign servers answer a raw body with 500, 415 or 400 (protocol/compat.md 3.7).
    if (m_target->forceMultipart || !m_target->envdVersion.surelyHas(0, 5, 7))
        return sendMultipart();
    net::HttpRequest request = uploadRequest(*m_target, path);
    request.headers.emplace_back("Content-Type", "application/octet-stream");
    request.upload = std::move(source);
    request.progress = std::move(progress);
    return m_transport.send(std::move(request)).chain([sendMultipart](Result<net::HttpResponse> response) {
        if (response && (response->status == 415 || response->status == 500))
            return sendMultipart();
        return Call<void>::settled(uploaded(std::move(response)));
    });
}

Call<QByteArray> EnvdFilesClient::readSmall(const RemotePath &path, qint64 maxBytes)
{
    constexpr qint64 errorBody = 64 * 1024;
    net::HttpRequest request = downloadRequest(*m_target, path);
    request.maxBody = qMax(errorBody, maxBytes);
    return m_transport.send(std::move(request))
        .map([maxBytes](Result<net::HttpResponse> response) -> Result<QByteArray> {
            const auto tooLarge = [] {
                return tl::unexpected(Error{.kind = ErrorKind::Capacity,
                                            .delivery = Delivery::Answered,
                                            .code = QStringLiteral("too_large"),
                                            .message = QStringLiteral("the file is longer than asked for")});
            };
            if (!response && response.error().code == QLatin1String("too_large"))
                return tooLarge();
            if (!response)
                return tl::unexpected(std::move(response.error()));
            if (!response->isSuccess())
                return tl::unexpected(filesError(*response));
            if (response->body.size() > maxBytes)
                return tooLarge();
            return std::move(response->body);
        });
}

Call<void> EnvdFilesClient::writeSmall(const RemotePath &path, const QByteArray &content)
{
    net::UploadSource source{.open = [content]() -> std::unique_ptr<QIODevice> {
                                 auto buffer = std::make_unique<QBuffer>();
                                 buffer->setData(content);
                                 buffer->open(QIODevice::ReadOnly);
                                 return buffer;
                             },
                             .size = content.size()};
    return upload(path, std::move(source));
}

} // namespace boxdeck::api
