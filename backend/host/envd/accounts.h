// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace boxdeck::host::envd {

/// An account of the sandbox.
struct Account
{
    std::string name;
    uid_t uid = 0;
    gid_t gid = 0;
    std::string home;
    std::vector<gid_t> groups; ///< Primary and supplementary groups.
};

/// What /etc/passwd and /etc/group say. Read by hand: getpwnam loads plug-ins, which a static program cannot, and the
/// image inside may not even have the same C library. A snapshot; read again for every request, because a program in
/// the sandbox may add accounts at any time.
class Accounts
{
public:
    /// From the texts of both files. Lines that are no entries are skipped.
    static Accounts parse(std::string_view passwd, std::string_view group);
    /// From the two files under /etc; a missing file is empty.
    static Accounts load();

    std::optional<Account> find(std::string_view name) const;
    /// The account's name, or the number as text.
    std::string userName(uid_t uid) const;
    std::string groupName(gid_t gid) const;
    /// The number of the group with that name.
    std::optional<gid_t> group(std::string_view name) const;

private:
    std::vector<Account> m_accounts;
    std::map<uid_t, std::string> m_userNames;
    std::map<gid_t, std::string> m_groupNames;
};

} // namespace boxdeck::host::envd
