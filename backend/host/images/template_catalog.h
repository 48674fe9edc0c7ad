// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "backend/host/images/stored_template.h"
#include "backend/host/images/template_name.h"

namespace boxdeck::host {

namespace asio = boost::asio;

/// What a sandbox is made from: one ready build of a template.
struct ResolvedTemplate
{
    std::string templateId;
    std::string buildId;
    std::string alias;   ///< the template's bare name, may be empty
    std::string layerId; ///< empty = the built-in layout
    bool isSnapshot = false;
    TemplateConfig config;
};

/// All templates and snapshots of this host, one durable file each, and the built-in `base`. Everything runs on one
/// thread; files are written on a second one, in order. Operations throw ApiError.
class TemplateCatalog
{
public:
    /// @p folder holds the files and must exist.
    explicit TemplateCatalog(std::string folder);
    ~TemplateCatalog();
    TemplateCatalog(const TemplateCatalog &) = delete;
    TemplateCatalog &operator=(const TemplateCatalog &) = delete;

    /// Reads what an earlier run left: builds that were waiting or under way have failed, and so have ready ones whose
    /// layer @p hasLayer does not know. Call once, before serving. Gives whether every template could be read: what the
    /// others need is not known otherwise.
    bool restore(const std::function<bool(const std::string &layerId)> &hasLayer);

    /// Id, or `[namespace/]name[:tag]`: the ready build under that tag. Throws 400 for text that is no name, 404 for an
    /// unknown template or a tag without a ready build (protocol/control-plane.md, section 8.3).
    ResolvedTemplate resolve(const std::string &text) const;
    /// The template of that id or name, its tag not looked at. Throws 400 and 404 as above.
    const StoredTemplate &find(const std::string &text) const;
    /// The same for a name already read; null if there is none.
    const StoredTemplate *find(const TemplateName &name) const;
    /// By id only. Throws 404.
    const StoredTemplate &byId(const std::string &id) const;
    /// By id only; null if there is none.
    const StoredTemplate *contains(const std::string &id) const;
    /// In the order of their ids.
    std::vector<const StoredTemplate *> all() const;
    /// Layers that some build needs.
    std::set<std::string> layers() const;

    /// Adds a template whose id and name are new (409), and returns when it is on the disk.
    asio::awaitable<void> add(StoredTemplate stored);
    /// Applies @p edit in memory at once, sets updatedAt, and returns when it is on the disk. Throws 404, also when the
    /// template went meanwhile, 403 for what is built in, 500 when it cannot be written, and whatever @p edit throws;
    /// nothing is changed then.
    asio::awaitable<void> change(std::string id, std::function<void(StoredTemplate &)> edit);
    /// Applies @p edit to a template, if it is still there, and writes it with its next change only: for what is so
    /// whether it can be written or not.
    void changeInMemory(const std::string &id, const std::function<void(StoredTemplate &)> &edit);
    /// Forgets it at once and returns when its file is gone. The layers are the caller's to remove. Throws 403, 404.
    asio::awaitable<void> remove(std::string id);
    /// Counts a sandbox made from a template. Written with the next change or at the end only: it is no more than a
    /// statistic, and a create should not wait for the disk because of it.
    void countSpawn(const std::string &id, TimePoint when);

private:
    std::string fileOf(const std::string &id) const;
    asio::awaitable<void> save(std::string id);
    void readOne(const std::string &file, const std::function<bool(const std::string &)> &hasLayer);

    std::string m_folder;
    std::map<std::string, StoredTemplate> m_templates; ///< by id
    std::set<std::string> m_uncounted;                 ///< ids with spawns that are not written yet
    asio::thread_pool m_files{1};
};

} // namespace boxdeck::host
