// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/sandbox.h"
#include "backend/protocol/template.h"
#include "backend/protocol/template_build.h"

#include <functional>

namespace boxdeck::api {

/// Templates, their builds and tags (protocol/control-plane.md 8.7 to 8.10). Errors as in ControlPlaneClient.
class TemplatesClient
{
public:
    explicit TemplatesClient(LinkPtr link);

    /// Those of the key's team: the old list, which every known server has and is whole; else all pages of the new.
    Call<QList<protocol::TemplateSummary>> list();
    /// One page of the new list, newest first.
    Call<protocol::Page<protocol::TemplateSummary>> page(const QString &nextToken = {}, int limit = 100);
    /// With the page of its builds that `buildsToken` names. By id, not by name.
    Call<protocol::TemplateDetail> detail(const protocol::TemplateId &id, const QString &buildsToken = {},
                                          int limit = 100);
    /// With all its builds.
    Call<protocol::TemplateDetail> wholeDetail(const protocol::TemplateId &id);

    /// What became of a template whose list entry says it is building or waiting (protocol/lifecycle.md section 8): at
    /// most one more call each, and none for others. An entry whose call fails stays as it was.
    Call<protocol::TemplateSummary> reconcile(const protocol::TemplateSummary &entry);
    /// The same for a list, one after the other, with at most `maxCalls` calls in all.
    Call<QList<protocol::TemplateSummary>> reconcileAll(QList<protocol::TemplateSummary> entries, int maxCalls = 10);

    /// Registers a build, which starts nothing yet. Sent once. Falls back to the v2 form, which knows no tags.
    Call<protocol::TemplateRequested> create(const protocol::NewTemplate &wanted);
    /// Whether the archive of a Copy step is there, else where it goes. `hash`: 64 lower-case hex digits.
    Call<protocol::LayerUpload> layer(const protocol::TemplateId &id, const QString &hash);
    /// Puts the archive (tar, gzip) where layer() said: its exact length, no credential of ours, no redirect.
    Call<void> uploadLayer(const protocol::LayerUpload &target, net::UploadSource archive,
                           std::function<void(qint64 sent, qint64 total)> progress = {});
    /// Starts a registered build, and cancels one that runs for the same template. Sent once. Success does not mean
    /// that the recipe is good: watch the build. InvalidRequest, without a call, unless exactly one source is named.
    Call<void> startBuild(const protocol::TemplateId &id, const protocol::BuildId &build,
                          const protocol::BuildStart &start);
    /// The state and at most 100 log lines from index `logsOffset`. NotFound for a build nobody knows, whether the
    /// server says 404 or 400 (protocol/compat.md 2.29); other 400s are InvalidRequest.
    Call<protocol::BuildInfo> buildInfo(const protocol::TemplateId &id, const protocol::BuildId &build,
                                        int logsOffset = 0, int limit = 100,
                                        std::optional<protocol::LogLevel> level = {});
    /// At most 100 lines, in time's order whichever direction they were asked in.
    Call<QList<protocol::LogEntry>> buildLogs(const protocol::TemplateId &id, const protocol::BuildId &build,
                                              const protocol::LogQuery &query = {});

    /// All builds and tags go. One that is gone already is success; Conflict while sandboxes depend on it.
    Call<void> remove(const protocol::TemplateId &idOrName);
    /// The names afterwards, if the server tells.
    Call<QStringList> setPublic(const protocol::TemplateId &id, bool isPublic);

    /// Points tags at the build behind `target` ("name:tag"), moving those in use. The build they point at now.
    Call<protocol::BuildId> assignTags(const QString &target, const QStringList &tags);
    /// `name` without a tag. "default" can't be removed. Tags that are gone already are success.
    Call<void> removeTags(const QString &name, const QStringList &tags);
    Call<QList<protocol::TemplateTag>> tags(const QString &idOrName);
    /// Whose a name is: to tell before a build whether it can have it.
    Call<protocol::TemplateAlias> lookUpName(const QString &name);

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
