// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/images/template_catalog.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/data_folder.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

constexpr const char *interrupted = "The host was restarted while this build was under way; start it again.";
constexpr const char *layerLost = "The files of this build are missing from the host's data folder; build it again.";

// Older than anything made here.
constexpr TimePoint builtInTime{std::chrono::sys_days{std::chrono::year(2026) / 1 / 1}};

StoredTemplate builtInBase()
{
    const std::string build = "5b0c8c1e-52f4-4c86-9d0b-0b0de0000001";
    return {.id = "boxdecklocalbase0001",
            .name = "base",
            .builtIn = true,
            .isPublic = true,
            .createdAt = builtInTime,
            .updatedAt = builtInTime,
            .builds = {{.id = build,
                        .status = BuildStatus::Ready,
                        .createdAt = builtInTime,
                        .updatedAt = builtInTime,
                        .startedAt = builtInTime,
                        .finishedAt = builtInTime}},
            .tags = {{"default", build, builtInTime}}};
}

ApiError notFound(const std::string &name)
{
    return {404, "template '" + name + "' not found"};
}

void fail(TemplateBuild &build, const char *why)
{
    build.status = BuildStatus::Error;
    build.reason = BuildReason{.message = why, .step = "base"};
    build.finishedAt = build.updatedAt = now();
}

} // namespace

TemplateCatalog::TemplateCatalog(std::string folder)
    : m_folder(std::move(folder))
{
    StoredTemplate base = builtInBase();
    m_templates.emplace(base.id, std::move(base));
}

TemplateCatalog::~TemplateCatalog()
{
    m_files.join();
    for (const std::string &id : m_uncounted) {
        try {
            writeDurably(fileOf(id), boost::json::serialize(toJson(m_templates.at(id))) + '\n');
        } catch (const std::exception &error) {
            std::fprintf(stderr, "boxdeck-host: the use of template %s was not written: %s\n", id.c_str(),
                         error.what());
        }
    }
}

std::string TemplateCatalog::fileOf(const std::string &id) const
{
    return m_folder + '/' + id + ".json";
}

void TemplateCatalog::readOne(const std::string &file, const std::function<bool(const std::string &)> &hasLayer)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    StoredTemplate stored = templateFromJson(boost::json::parse(text.str()).as_object());
    if (file != fileOf(stored.id) || m_templates.contains(stored.id))
        throw std::runtime_error("it is the file of another template");
    const StoredTemplate before = stored;
    for (TemplateBuild &build : stored.builds) {
        if (build.status == BuildStatus::Waiting || build.status == BuildStatus::Building)
            fail(build, interrupted);
        else if (build.status == BuildStatus::Ready && !build.layerId.empty() && !hasLayer(build.layerId))
            fail(build, layerLost);
    }
    try {
        if (stored != before)
            writeDurably(file, boost::json::serialize(toJson(stored)) + '\n');
    } catch (const std::exception &error) {
        // It is found out again at every start, and written with the next change.
        std::fprintf(stderr, "boxdeck-host: template %s could not be written: %s\n", stored.id.c_str(), error.what());
    }
    m_templates.emplace(stored.id, std::move(stored));
}

bool TemplateCatalog::restore(const std::function<bool(const std::string &)> &hasLayer)
{
    bool all = true;
    std::vector<std::string> files;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(m_folder, error)) {
        if (entry.path().extension() == ".json")
            files.push_back(entry.path().string());
    }
    for (const std::string &file : files) {
        try {
            readOne(file, hasLayer);
        } catch (const std::exception &failure) {
            // Somebody's work hangs on it: leave it where it is.
            std::fprintf(stderr, "boxdeck-host: %s is not readable (%s); the template is left out\n", file.c_str(),
                         failure.what());
            all = false;
        }
    }
    return all;
}

const StoredTemplate *TemplateCatalog::contains(const std::string &id) const
{
    const auto found = m_templates.find(id);
    return found == m_templates.end() ? nullptr : &found->second;
}

const StoredTemplate &TemplateCatalog::byId(const std::string &id) const
{
    const StoredTemplate *found = contains(id);
    if (found == nullptr)
        throw notFound(id);
    return *found;
}

const StoredTemplate *TemplateCatalog::find(const TemplateName &name) const
{
    if (name.space.empty()) {
        if (const StoredTemplate *byItsId = contains(name.name))
            return byItsId;
    } else if (name.space != teamSlug) {
        return nullptr;
    }
    for (const auto &[id, stored] : m_templates) {
        if (stored.name == name.name && (name.space.empty() || !stored.builtIn))
            return &stored;
    }
    return nullptr;
}

const StoredTemplate &TemplateCatalog::find(const std::string &text) const
{
    const TemplateName name = readTemplateName(text);
    const StoredTemplate *found = find(name);
    if (found == nullptr)
        throw notFound(name.space.empty() ? name.name : name.space + '/' + name.name);
    return *found;
}

ResolvedTemplate TemplateCatalog::resolve(const std::string &text) const
{
    const StoredTemplate &stored = find(text);
    const TemplateName name = readTemplateName(text);
    const TemplateBuild *build = stored.readyBuild(name.tagOrDefault());
    if (build == nullptr)
        throw ApiError(404, "tag '" + name.tagOrDefault() + "' does not exist for template '" +
                                (name.space.empty() ? name.name : name.space + '/' + name.name) + "'");
    return {.templateId = stored.id,
            .buildId = build->id,
            .alias = stored.name,
            .layerId = build->layerId,
            .isSnapshot = stored.kind == StoredTemplate::Kind::Snapshot,
            .config = build->config};
}

std::vector<const StoredTemplate *> TemplateCatalog::all() const
{
    std::vector<const StoredTemplate *> list;
    for (const auto &[id, stored] : m_templates)
        list.push_back(&stored);
    return list;
}

std::set<std::string> TemplateCatalog::layers() const
{
    std::set<std::string> used;
    for (const auto &[id, stored] : m_templates) {
        for (const TemplateBuild &build : stored.builds) {
            if (!build.layerId.empty())
                used.insert(build.layerId);
        }
    }
    return used;
}

asio::awaitable<void> TemplateCatalog::save(std::string id)
{
    const std::string content = boost::json::serialize(toJson(byId(id))) + '\n';
    m_uncounted.erase(id);
    std::string failure;
    const auto write = [path = fileOf(id), content]() -> asio::awaitable<void> {
        writeDurably(path, content);
        co_return;
    };
    try {
        // One thread writes everything, so a later state can never be overtaken by an earlier one.
        co_await asio::co_spawn(m_files, write, asio::use_awaitable);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!failure.empty())
        throw ApiError(500, "the template could not be written: " + failure, "internal_server_error");
}

asio::awaitable<void> TemplateCatalog::add(StoredTemplate stored)
{
    if (contains(stored.id) != nullptr)
        throw ApiError(409, "there is a template with the id '" + stored.id + "' already");
    if (!stored.name.empty() && find(TemplateName{.name = stored.name}) != nullptr)
        throw ApiError(409, "the name '" + stored.name + "' is taken");
    const std::string id = stored.id;
    m_templates.emplace(id, std::move(stored));
    std::string failure;
    try {
        co_await save(id);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!failure.empty()) {
        m_templates.erase(id);
        throw ApiError(500, failure, "internal_server_error");
    }
}

asio::awaitable<void> TemplateCatalog::change(std::string id, std::function<void(StoredTemplate &)> edit)
{
    const StoredTemplate before = byId(id);
    if (before.builtIn)
        throw ApiError(403, "template '" + before.name + "' is built in and cannot be changed");
    StoredTemplate changed = before;
    edit(changed);
    changed.updatedAt = now();
    m_templates.at(id) = changed;
    std::string failure;
    try {
        co_await save(id);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (failure.empty())
        co_return;
    // What is refused must not have happened. Unless somebody changed more meanwhile, whose own writing tells them.
    const auto found = m_templates.find(id);
    if (found != m_templates.end() && found->second == changed)
        found->second = before;
    throw ApiError(500, failure, "internal_server_error");
}

void TemplateCatalog::changeInMemory(const std::string &id, const std::function<void(StoredTemplate &)> &edit)
{
    if (const auto found = m_templates.find(id); found != m_templates.end())
        edit(found->second);
}

asio::awaitable<void> TemplateCatalog::remove(std::string id)
{
    const StoredTemplate &stored = byId(id);
    if (stored.builtIn)
        throw ApiError(403, "template '" + stored.name + "' is built in and cannot be deleted");
    m_templates.erase(id);
    m_uncounted.erase(id);
    std::string failure;
    const auto erase = [path = fileOf(id)]() -> asio::awaitable<void> {
        fs::remove(path);
        co_return;
    };
    try {
        co_await asio::co_spawn(m_files, erase, asio::use_awaitable);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!failure.empty())
        throw ApiError(500, "the template's file could not be deleted: " + failure, "internal_server_error");
}

void TemplateCatalog::countSpawn(const std::string &id, TimePoint when)
{
    const auto found = m_templates.find(id);
    if (found == m_templates.end())
        return;
    ++found->second.spawnCount;
    found->second.lastSpawnedAt = when;
    if (!found->second.builtIn)
        m_uncounted.insert(id);
}

} // namespace boxdeck::host
