// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/accounts.h"
#include "backend/host/http/json_text.h"

#include <map>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace boxdeck::host::envd {

/// A file's own metadata: the extended attributes "user.e2b.*", prefix left out. Empty where there are none.
std::map<std::string, std::string> readMetadata(const std::string &path);

/// Permissions as Go writes them: "-rw-r--r--", "drwxr-xr-x", "Lrwxrwxrwx", "dtrwxrwxrwx".
std::string permissionText(mode_t mode);

/// Writes EntryInfo objects (protocol/envd.md 10.1 and 10.2). Names of owners are looked up once per number.
class EntryWriter
{
public:
    explicit EntryWriter(const Accounts &accounts)
        : m_accounts(accounts)
    {
    }

    /// Appends the entry of `realPath`, whose lstat() is `info`, as it is to be called `path` and `name`.
    void write(http::JsonWriter &out, const std::string &realPath, const std::string &path, std::string_view name,
               const struct stat &info);

private:
    const Accounts &m_accounts;
    std::map<uid_t, std::string> m_owners;
    std::map<gid_t, std::string> m_groups;
};

/// {"entry":{…}} of one path. Throws RpcError: not_found, else internal.
std::string entryJson(const std::string &path, const Accounts &accounts);

/// The absolute path with every link followed; nothing, with errno set, when that is not possible.
std::optional<std::string> resolvedPath(const std::string &path);

} // namespace boxdeck::host::envd
