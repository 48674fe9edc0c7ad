// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/secrets/secret_store.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/data_folder.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr std::size_t longestName = 128;
constexpr std::size_t longestValue = 64 * 1024;
constexpr std::size_t mostSecrets = 1000;
constexpr std::size_t mostMetadata = 32;
constexpr std::size_t longestKey = 128;
constexpr std::size_t longestMetadataValue = 1024;
constexpr std::size_t metadataBytes = 8192;

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return text;
}

std::string checkedName(const std::string &given)
{
    std::string name = lower(given);
    if (name.empty() || name.size() > longestName ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
        throw ApiError(400, "Invalid secret name: 1 to 128 letters, digits, _ and -");
    if (name.starts_with("sec_"))
        throw ApiError(400, "Invalid secret name: sec_ begins the ids of secrets");
    return name;
}

void checkValue(const std::string &value)
{
    if (value.size() > longestValue)
        throw ApiError(400, "The value of a secret may have at most 64 KiB");
}

void checkMetadata(const std::map<std::string, std::string> &metadata)
{
    std::size_t total = 0;
    for (const auto &[key, value] : metadata) {
        if (key.empty() || key.size() > longestKey || value.size() > longestMetadataValue)
            throw ApiError(400, "metadata: a key may have 1 to 128 bytes, a value at most 1024");
        total += key.size() + value.size();
    }
    if (metadata.size() > mostMetadata || total > metadataBytes)
        throw ApiError(400, "metadata: at most 32 entries and 8192 bytes in all");
}

TimePoint timeOf(const json::object &object, const char *name)
{
    return timeFromText(std::string(object.at(name).as_string())).value();
}

} // namespace

SecretStore::SecretStore(std::string file)
    : m_file(std::move(file))
{
    std::ifstream stream(m_file, std::ios::binary);
    if (!stream)
        return; // none were kept yet
    if (chmod(m_file.c_str(), 0600) != 0)
        throw StartError("cannot protect " + m_file);
    std::ostringstream text;
    text << stream.rdbuf();
    try {
        const json::value whole = json::parse(text.str());
        for (const json::value &one : whole.as_object().at("secrets").as_array()) {
            const json::object &object = one.as_object();
            Kept kept{.info = {.id = std::string(object.at("id").as_string()),
                               .name = std::string(object.at("name").as_string()),
                               .version = object.at("version").to_number<std::int64_t>(),
                               .createdAt = timeOf(object, "createdAt"),
                               .updatedAt = timeOf(object, "updatedAt")},
                      .value = std::string(object.at("value").as_string())};
            for (const auto &[key, value] : object.at("metadata").as_object())
                kept.info.metadata.emplace(key, value.as_string());
            m_secrets.emplace(kept.info.id, std::move(kept));
        }
    } catch (const std::exception &) {
        // Not what it said: a parser's complaint may quote a value.
        throw StartError("the secrets in " + m_file + " are not readable; move the file away to start without them");
    }
}

std::vector<SecretInfo> SecretStore::list() const
{
    std::vector<SecretInfo> infos;
    for (const auto &[id, kept] : m_secrets)
        infos.push_back(kept.info);
    return infos;
}

SecretStore::Secrets::const_iterator SecretStore::find(const std::string &idOrName) const
{
    const auto byId = m_secrets.find(idOrName);
    if (byId != m_secrets.end())
        return byId;
    const std::string name = lower(idOrName);
    const auto found = std::find_if(m_secrets.begin(), m_secrets.end(),
                                    [&name](const auto &pair) { return pair.second.info.name == name; });
    if (found == m_secrets.end())
        throw ApiError(404, "secret '" + idOrName + "' not found");
    return found;
}

SecretInfo SecretStore::get(const std::string &idOrName) const
{
    return find(idOrName)->second.info;
}

void SecretStore::save(Secrets changed)
{
    json::array secrets;
    for (const auto &[id, kept] : changed) {
        json::object metadata;
        for (const auto &[key, value] : kept.info.metadata)
            metadata[key] = value;
        secrets.push_back(json::object{{"id", id},
                                       {"name", kept.info.name},
                                       {"version", kept.info.version},
                                       {"createdAt", toText(kept.info.createdAt)},
                                       {"updatedAt", toText(kept.info.updatedAt)},
                                       {"metadata", std::move(metadata)},
                                       {"value", kept.value}});
    }
    try {
        writeDurably(m_file, json::serialize(json::object{{"version", 1}, {"secrets", std::move(secrets)}}) + '\n');
    } catch (const std::exception &) {
        throw ApiError(500, "The secrets could not be written", "internal_server_error");
    }
    m_secrets = std::move(changed); // only what is on the disk is true
}

SecretInfo SecretStore::create(const std::string &givenName, std::string value,
                               std::map<std::string, std::string> metadata)
{
    const std::string name = checkedName(givenName);
    checkValue(value);
    checkMetadata(metadata);
    for (const auto &[id, kept] : m_secrets) {
        if (kept.info.name == name)
            throw ApiError(409, "there is a secret named '" + name + "' already");
    }
    if (m_secrets.size() >= mostSecrets)
        throw ApiError(400, "this host keeps at most 1000 secrets");
    const TimePoint created = now();
    const SecretInfo info{.id = "sec_" + randomId(20),
                          .name = name,
                          .metadata = std::move(metadata),
                          .createdAt = created,
                          .updatedAt = created};
    Secrets changed = m_secrets;
    changed.emplace(info.id, Kept{.info = info, .value = std::move(value)});
    save(std::move(changed));
    return info;
}

SecretInfo SecretStore::update(const std::string &idOrName, std::string value,
                               const std::map<std::string, std::string> *metadata)
{
    const std::string id = find(idOrName)->first;
    checkValue(value);
    if (metadata != nullptr)
        checkMetadata(*metadata);
    Secrets changed = m_secrets;
    Kept &kept = changed.at(id);
    kept.value = std::move(value);
    ++kept.info.version;
    kept.info.updatedAt = now();
    if (metadata != nullptr)
        kept.info.metadata = *metadata;
    save(std::move(changed));
    return m_secrets.at(id).info;
}

void SecretStore::remove(const std::string &idOrName)
{
    const std::string id = find(idOrName)->first;
    Secrets changed = m_secrets;
    changed.erase(id);
    save(std::move(changed));
}

} // namespace boxdeck::host
