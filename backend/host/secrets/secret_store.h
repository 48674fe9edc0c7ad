// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/host/control_plane/record.h"

namespace boxdeck::host {

/// A secret as it is shown: never with its value.
struct SecretInfo
{
    std::string id;   ///< `sec_…`
    std::string name; ///< lower case
    std::int64_t version = 1;
    std::map<std::string, std::string> metadata;
    TimePoint createdAt;
    TimePoint updatedAt;
};

/// The secrets of this host, in one file of mode 0600. They can be made, changed, listed and deleted, so that what an
/// account keeps can be carried over and the official SDK's calls do what they say. They are *used* nowhere: the only
/// use the protocol has for them is the rewriting of requests that leave a sandbox (`network.rules`), sandboxes of this
/// host have no network, and rules are refused with 400. Throws ApiError.
class SecretStore
{
public:
    /// Reads @p file, if it is there. Throws StartError when it is not readable.
    explicit SecretStore(std::string file);

    std::vector<SecretInfo> list() const;
    /// By id or name. Throws 404.
    SecretInfo get(const std::string &idOrName) const;
    /// 409 for a name there is already, 400 for a bad one.
    SecretInfo create(const std::string &name, std::string value, std::map<std::string, std::string> metadata);
    /// A new version; the metadata is kept when @p metadata is null.
    SecretInfo update(const std::string &idOrName, std::string value,
                      const std::map<std::string, std::string> *metadata);
    void remove(const std::string &idOrName);

private:
    struct Kept
    {
        SecretInfo info;
        std::string value;
    };
    using Secrets = std::map<std::string, Kept>;

    Secrets::const_iterator find(const std::string &idOrName) const;
    void save(Secrets changed);

    std::string m_file;
    Secrets m_secrets; ///< by id
};

} // namespace boxdeck::host
