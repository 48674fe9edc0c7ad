// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/sandbox.h"
#include "backend/protocol/stored_secret.h"

namespace boxdeck::api {

/// Secrets kept on the server for its sandboxes (protocol/control-plane.md 8.13). Values go in and never come back.
/// Errors as in ControlPlaneClient.
class SecretsClient
{
public:
    explicit SecretsClient(LinkPtr link);

    Call<protocol::Page<protocol::StoredSecret>> list(const QString &nextToken = {}, int limit = 100);
    Call<QList<protocol::StoredSecret>> listAll();
    /// Sent once. Conflict if the name is taken; InvalidRequest, without a call, for one that can't be.
    Call<protocol::StoredSecret> create(const protocol::NewStoredSecret &secret);
    Call<protocol::StoredSecret> secret(const protocol::StoredSecretId &idOrName);
    /// Makes a new version. Sent once.
    Call<protocol::StoredSecret> update(const protocol::StoredSecretId &idOrName,
                                        const protocol::StoredSecretUpdate &update);
    /// One that is gone already is success.
    Call<void> remove(const protocol::StoredSecretId &idOrName);

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
