// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd_files_client.h"

#include "backend/api/multipart_body.h"
#include "backend/net/request_body.h"
#include "backend/protocol/filesystem_codec.h"

#include <QCryptographicHash>
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

/// The headers of some metadata, or why it can't be sent: a line break in a value would be a header of its own.
Result<net::HeaderList> metadataHeaders(const FileMetadata &metadata)
{
    constexpr qsizetype maxKey = 246;
    constexpr qsizetype maxTotal = 4096;
    const auto refuse = [](const QString &why) {
        return tl::unexpected(
            Error{.kind = ErrorKind::InvalidRequest, .code = QStringLiteral("bad_metadata"), .message = why});
    };
    net::HeaderList headers;
    QSet<QByteArray> names;
    qsizetype total = 0;
    for (auto it = metadata.begin(); it != metadata.end(); ++it) {
        const QByteArray key = it.key().toUtf8();
        const QByteArray value = it.value().toUtf8();
        const bool isWord = std::all_of(key.begin(), key.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                   QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
        });
        if (key.isEmpty() || key.size() > maxKey || !isWord)
            return refuse(QStringLiteral("the key '%1' can't be sent").arg(it.key().left(80)));
        if (std::any_of(value.begin(), value.end(), [](char c) { return c < 0x20 || c > 0x7e; }))
            return refuse(QStringLiteral("the value of '%1' holds more than printable ASCII").arg(it.key()));
        if (names.contains(key.toLower()))
            return refuse(QStringLiteral("the key '%1' is there twice").arg(it.key()));
        names.insert(key.toLower());
        total += key.size() + value.size();
        headers.append({"X-Metadata-" + key, value});
    }
    if (total > maxTotal)
        return refuse(QStringLiteral("%1 bytes are more than the 4096 a file can hold").arg(total));
    return headers;
}

/// A daemon without the call answers with a text; one that misses a part, with an object.
Error composeError(const net::HttpResponse &response)
{
    Error error = filesError(response);
    if (response.status == 404 && !QJsonDocument::fromJson(response.body).isObject())
        error.kind = ErrorKind::Unsupported;
    return error;
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
                                   std::function<void(qint64, qint64)> progress, const FileMetadata &metadata)
{
    constexpr auto feature = protocol::EnvdFeature::FileMetadata;
    if (!metadata.isEmpty() && !m_target->envdVersion.mayHave(feature))
        return Call<void>::settled(tl::unexpected(m_target->envdVersion.lacks(feature)));
    const auto noted = metadataHeaders(metadata);
    if (!noted)
        return Call<void>::settled(tl::unexpected(noted.error()));
    const auto sendMultipart = [transport = &m_transport, target = m_target, path, source, progress, noted = *noted] {
        MultipartUpload form = multipartUpload(source, path);
        net::HttpRequest request = uploadRequest(*target, path);
        request.headers += noted;
        request.headers.emplace_back("Content-Type", form.contentType);
        request.upload = std::move(form.source);
        request.progress = progress;
        return transport->send(std::move(request)).map(uploaded);
    };
    // Older and foreign servers answer a raw body with 500, 415 or 400 (protocol/compat.md 3.7).
    if (m_target->forceMultipart || !m_target->envdVersion.surelyHas(protocol::EnvdFeature::RawUpload))
        return sendMultipart();
    net::HttpRequest request = uploadRequest(*m_target, path);
    request.headers += *noted;
    request.headers.emplace_back("Content-Type", "application/octet-stream");
    request.upload = std::move(source);
    request.progress = std::move(progress);
    return m_transport.send(std::move(request)).chain([sendMultipart](Result<net::HttpResponse> response) {
        if (response && (response->status == 415 || response->status == 500))
            return sendMultipart();
        return Call<void>::settled(uploaded(std::move(response)));
    });
}

Call<void> EnvdFilesClient::compose(const QList<RemotePath> &parts, const RemotePath &destination)
{
    constexpr auto feature = protocol::EnvdFeature::Compose;
    if (!m_target->envdVersion.mayHave(feature))
        return Call<void>::settled(tl::unexpected(m_target->envdVersion.lacks(feature)));
    if (parts.isEmpty() || parts.contains(destination)) {
        return Call<void>::settled(
            tl::unexpected(Error{.kind = ErrorKind::InvalidRequest,
                                 .code = QStringLiteral("bad_request"),
                                 .message = QStringLiteral("parts are joined to another file than themselves")}));
    }
    net::HttpRequest request{.method = "POST",
                             .url = m_target->url("/files/compose"),
                             .headers = m_target->headers(),
                             .body = protocol::encodeCompose(parts, destination, m_target->user),
                             .gateway = m_target->gateway};
    request.headers.emplace_back("Content-Type", "application/json");
    request.timeouts.firstByte = std::chrono::minutes(10); // the disk of the sandbox copies all of it
    return m_transport.send(std::move(request)).map([](Result<net::HttpResponse> response) -> Result<void> {
        if (!response)
            return tl::unexpected(std::move(response.error()));
        if (!response->isSuccess())
            return tl::unexpected(composeError(*response));
        return {};
    });
}

Result<QUrl> EnvdFilesClient::signedUrl(const RemotePath &path, LinkUse use, const QString &user,
                                        const std::optional<QDateTime> &expiry) const
{
    if (m_target->envdAccessToken.isEmpty()) {
        return tl::unexpected(Error{.kind = ErrorKind::Unsupported,
                                    .code = QStringLiteral("not_secure"),
                                    .message = QStringLiteral("a sandbox without a token has nothing to sign with")});
    }
    // Exactly the decoded values of the query, with the token in the middle (protocol/envd.md section 4).
    QByteArray raw = path.bytes() + (use == LinkUse::Read ? ":read:" : ":write:") + user.toUtf8() + ':' +
                     m_target->envdAccessToken.reveal();
    const QByteArray until = expiry ? QByteArray::number(expiry->toSecsSinceEpoch()) : QByteArray();
    if (expiry)
        raw += ':' + until;
    const QByteArray digest = QCryptographicHash::hash(raw, QCryptographicHash::Sha256);
    raw.fill('\0');
    const QByteArray signature = "v1_" + digest.toBase64(QByteArray::OmitTrailingEquals);
    QByteArray query = "path=" + encodeSegment(path.bytes());
    if (!user.isEmpty())
        query += "&username=" + encodeSegment(user);
    query += "&signature=" + encodeSegment(signature);
    if (expiry)
        query += "&signature_expiration=" + until;
    return m_target->url("/files", query);
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
    return upload(path, net::sourceOf(content));
}

} // namespace boxdeck::api
