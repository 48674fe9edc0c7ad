// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/secrets_client.h"

#include "backend/api/control_answers.h"
#include "backend/protocol/stored_secret_codec.h"

namespace boxdeck::api {

using protocol::Page;
using protocol::StoredSecret;
using protocol::StoredSecretId;

namespace {

QByteArray secretPath(const StoredSecretId &idOrName)
{
    return "/secrets/" + encodeSegment(idOrName.value);
}

template <typename T> Call<T> noSecret()
{
    return refused<T>(QStringLiteral("no secret named"));
}

Call<Page<StoredSecret>> pageOf(const LinkPtr &link, const QString &nextToken, int limit)
{
    return askPage<StoredSecret>(link, link->request("GET", "/secrets", pageQuery(limit, nextToken)),
                                 &protocol::decodeStoredSecrets);
}

} // namespace

SecretsClient::SecretsClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<Page<StoredSecret>> SecretsClient::list(const QString &nextToken, int limit)
{
    return pageOf(m_link, nextToken, limit);
}

Call<QList<StoredSecret>> SecretsClient::listAll()
{
    return allPages<StoredSecret>([link = m_link](const QString &token) { return pageOf(link, token, 100); });
}

Call<StoredSecret> SecretsClient::create(const protocol::NewStoredSecret &secret)
{
    for (auto wrong : {protocol::checkSecretName(secret.name), protocol::checkSecretMetadata(secret.metadata)}) {
        if (wrong)
            return Call<StoredSecret>::settled(tl::unexpected(std::move(*wrong)));
    }
    return ask<StoredSecret>(m_link, m_link->jsonRequest("POST", "/secrets", protocol::encodeNewStoredSecret(secret)),
                             Operation::Other,
                             [](const QByteArray &json) { return asLost(protocol::decodeStoredSecret(json)); });
}

Call<StoredSecret> SecretsClient::secret(const StoredSecretId &idOrName)
{
    if (isBlank(idOrName))
        return noSecret<StoredSecret>();
    return ask<StoredSecret>(m_link, m_link->request("GET", secretPath(idOrName)), Operation::Other,
                             &protocol::decodeStoredSecret);
}

Call<StoredSecret> SecretsClient::update(const StoredSecretId &idOrName, const protocol::StoredSecretUpdate &update)
{
    if (isBlank(idOrName))
        return noSecret<StoredSecret>();
    if (update.metadata) {
        if (auto wrong = protocol::checkSecretMetadata(*update.metadata))
            return Call<StoredSecret>::settled(tl::unexpected(std::move(*wrong)));
    }
    return ask<StoredSecret>(
        m_link, m_link->jsonRequest("POST", secretPath(idOrName), protocol::encodeStoredSecretUpdate(update)),
        Operation::Other, [](const QByteArray &json) { return asLost(protocol::decodeStoredSecret(json)); });
}

Call<void> SecretsClient::remove(const StoredSecretId &idOrName)
{
    if (isBlank(idOrName))
        return noSecret<void>();
    return removeWith(m_link, m_link->request("DELETE", secretPath(idOrName)));
}

} // namespace boxdeck::api
