// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/layer_cache.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <boost/json.hpp>
#include <openssl/evp.h>

#include "backend/host/control_plane/data_folder.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

} // namespace

std::string stepKey(const std::string &before, const std::vector<std::string> &parts)
{
    std::string text = before;
    for (const std::string &part : parts)
        text += '\n' + std::to_string(part.size()) + ':' + part;
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not available");
    std::string key;
    for (unsigned i = 0; i < length; ++i) {
        key += "0123456789abcdef"[digest[i] >> 4];
        key += "0123456789abcdef"[digest[i] & 15];
    }
    return key;
}

LayerCache::LayerCache(std::string folder)
    : m_folder(std::move(folder))
{
    fs::create_directories(m_folder);
}

void LayerCache::restore(const std::function<bool(const std::string &)> &hasLayer)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(m_folder, error))
        files.push_back(entry.path());
    for (const fs::path &file : files) {
        try {
            std::ostringstream text;
            text << std::ifstream(file, std::ios::binary).rdbuf();
            const json::value value = json::parse(text.str());
            const json::object &object = value.as_object();
            const auto used = timeFromText(std::string(object.at("usedAt").as_string()));
            Entry entry{.state = {.layerId = std::string(object.at("layerId").as_string()),
                                  .config = configFromJson(object.at("config").as_object())},
                        .usedAt = used.value_or(TimePoint())};
            if (!entry.state.layerId.empty() && !hasLayer(entry.state.layerId))
                throw std::runtime_error("its layer is gone");
            m_entries.emplace(file.stem().string(), std::move(entry));
        } catch (const std::exception &) {
            fs::remove(file, error); // a cache may forget
        }
    }
}

std::optional<BuildState> LayerCache::find(const std::string &key)
{
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
        return {};
    const BuildState state = found->second.state;
    store(key, state);
    return state;
}

void LayerCache::store(const std::string &key, const BuildState &state)
{
    const Entry entry{.state = state, .usedAt = now()};
    m_entries.insert_or_assign(key, entry);
    const json::object object{
        {"layerId", state.layerId}, {"config", toJson(state.config)}, {"usedAt", toText(entry.usedAt)}};
    // Not worth waiting for the disk: what a crash leaves unreadable is dropped at the next start.
    std::ofstream(m_folder + '/' + key + ".json", std::ios::binary | std::ios::trunc) << json::serialize(object);
}

void LayerCache::drop(const std::string &key)
{
    m_entries.erase(key);
    std::error_code ignored;
    fs::remove(m_folder + '/' + key + ".json", ignored);
}

std::set<std::string> LayerCache::layers() const
{
    std::set<std::string> used;
    for (const auto &[key, entry] : m_entries) {
        if (!entry.state.layerId.empty())
            used.insert(entry.state.layerId);
    }
    return used;
}

std::vector<std::string> LayerCache::oldestFirst() const
{
    std::vector<std::string> keys;
    for (const auto &[key, entry] : m_entries)
        keys.push_back(key);
    std::sort(keys.begin(), keys.end(), [this](const std::string &left, const std::string &right) {
        return m_entries.at(left).usedAt < m_entries.at(right).usedAt;
    });
    return keys;
}

} // namespace boxdeck::host
