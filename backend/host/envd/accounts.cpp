// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/accounts.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace boxdeck::host::envd {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<unsigned> number(std::string_view text)
{
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string contents(const char *path)
{
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file)
        text << file.rdbuf();
    return std::move(text).str();
}

} // namespace

Accounts Accounts::parse(std::string_view passwd, std::string_view group)
{
    Accounts result;
    for (const std::string_view line : split(passwd, '\n')) {
        const auto fields = split(line, ':');
        if (fields.size() < 6 || fields[0].empty() || fields[0].front() == '#')
            continue;
        const auto uid = number(fields[2]);
        const auto gid = number(fields[3]);
        if (!uid || !gid)
            continue;
        result.m_accounts.push_back({.name = std::string(fields[0]),
                                     .uid = *uid,
                                     .gid = *gid,
                                     .home = fields[5].empty() ? "/" : std::string(fields[5]),
                                     .groups = {*gid}});
        result.m_userNames.try_emplace(*uid, fields[0]);
    }
    for (const std::string_view line : split(group, '\n')) {
        const auto fields = split(line, ':');
        if (fields.size() < 4 || fields[0].empty() || fields[0].front() == '#')
            continue;
        const auto gid = number(fields[2]);
        if (!gid)
            continue;
        result.m_groupNames.try_emplace(*gid, fields[0]);
        for (const std::string_view member : split(fields[3], ',')) {
            for (Account &account : result.m_accounts) {
                const bool known =
                    std::find(account.groups.begin(), account.groups.end(), *gid) != account.groups.end();
                if (account.name == member && !known)
                    account.groups.push_back(*gid);
            }
        }
    }
    return result;
}

Accounts Accounts::load()
{
    return parse(contents("/etc/passwd"), contents("/etc/group"));
}

std::optional<Account> Accounts::find(std::string_view name) const
{
    const auto found = std::find_if(m_accounts.begin(), m_accounts.end(),
                                    [name](const Account &account) { return account.name == name; });
    return found == m_accounts.end() ? std::nullopt : std::optional(*found);
}

std::string Accounts::userName(uid_t uid) const
{
    const auto found = m_userNames.find(uid);
    return found == m_userNames.end() ? std::to_string(uid) : found->second;
}

std::string Accounts::groupName(gid_t gid) const
{
    const auto found = m_groupNames.find(gid);
    return found == m_groupNames.end() ? std::to_string(gid) : found->second;
}

std::optional<gid_t> Accounts::group(std::string_view name) const
{
    for (const auto &[gid, known] : m_groupNames) {
        if (known == name)
            return gid;
    }
    return std::nullopt;
}

} // namespace boxdeck::host::envd
