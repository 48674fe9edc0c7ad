// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"
#include "backend/protocol/logs.h"
#include "backend/protocol/template.h"

#include <QJsonValue>
#include <QMap>
#include <QUrl>

#include <variant>

namespace boxdeck::protocol {

/// One entry of a template's history.
struct TemplateBuild
{
    BuildId id;
    BuildStatus status = BuildStatus::Other;
    QString rawStatus;
    QDateTime createdAt;  ///< UTC
    QDateTime updatedAt;  ///< UTC
    QDateTime finishedAt; ///< UTC, invalid while it runs
    int cpuCount = 0;
    int memoryMB = 0;
    int diskSizeMB = 0; ///< 0 until built
    QString envdVersion;

    bool operator==(const TemplateBuild &) const = default;
};

/// A template with one page of its builds, newest first.
struct TemplateDetail
{
    TemplateId id;
    bool isPublic = false;
    QStringList names;
    QStringList aliases;
    QDateTime createdAt;     ///< UTC
    QDateTime updatedAt;     ///< UTC
    QDateTime lastSpawnedAt; ///< UTC, invalid = never
    qint64 spawnCount = 0;
    QList<TemplateBuild> builds;
    QString nextToken; ///< for the page of builds after this; empty on the last

    bool operator==(const TemplateDetail &) const = default;
};

/// A template to build. Members that are not set are left to the server.
struct NewTemplate
{
    QString name; ///< may carry one :tag, and then no tag "default" is given
    QStringList tags;
    std::optional<int> cpuCount; ///< 1, or even up to 32
    std::optional<int> memoryMB; ///< MiB, even, at least 128
    std::optional<int> minFreeDiskMB;

    bool operator==(const NewTemplate &) const = default;
};

/// What was registered: a build that waits to be started.
struct TemplateRequested
{
    TemplateId templateId;
    BuildId buildId;
    bool isPublic = false;
    QStringList names;
    QStringList tags; ///< in any order

    bool operator==(const TemplateRequested &) const = default;
};

struct AwsRegistry
{
    Secret accessKeyId;
    Secret secretAccessKey;
    QString region;

    bool operator==(const AwsRegistry &) const = default;
};

struct GcpRegistry
{
    Secret serviceAccountJson;

    bool operator==(const GcpRegistry &) const = default;
};

struct GeneralRegistry
{
    QString username;
    Secret password;

    bool operator==(const GeneralRegistry &) const = default;
};

/// No credentials, or those of one kind of registry.
using ImageRegistry = std::variant<std::monostate, AwsRegistry, GcpRegistry, GeneralRegistry>;

/// One step of a build (protocol/lifecycle.md section 7). Made by the functions below, so that its arguments have the
/// form servers take.
struct BuildStep
{
    enum class Type { Run, Copy, Env, Workdir, User };
    Type type = Type::Run;
    QStringList args;
    QString filesHash; ///< of a Copy: 64 lower-case hex digits
    bool force = false;

    static BuildStep run(const QString &command, const QString &user = {});
    static BuildStep copy(const QString &source, const QString &destination, const QString &filesHash,
                          const QString &owner = {}, const QString &mode = {});
    static BuildStep env(const QList<std::pair<QString, QString>> &variables);
    static BuildStep workdir(const QString &path);
    static BuildStep user(const QString &name, bool passwordlessSudo = false);

    bool operator==(const BuildStep &) const = default;
};

/// How to build: exactly one of the two sources.
struct BuildStart
{
    QString fromImage;
    QString fromTemplate; ///< name or id, with or without a tag
    ImageRegistry registry;
    bool force = false; ///< use no cached layer
    QList<BuildStep> steps;
    QString startCmd;
    QString readyCmd;

    bool operator==(const BuildStart &) const = default;
};

/// Where the archive of a Copy step goes.
struct LayerUpload
{
    bool present = false;                             ///< the server has it: nothing to send
    QUrl url;                                         ///< pre-signed: as good as a credential, so never logged
    QList<std::pair<QByteArray, QByteArray>> headers; ///< to be sent with it

    bool operator==(const LayerUpload &) const = default;
};

/// Why a build failed.
struct BuildReason
{
    QString message;
    QString step; ///< "base", a number from 1, "finalize"; may be empty
    QList<LogEntry> logEntries;

    bool operator==(const BuildReason &) const = default;
};

/// The state of a build and a page of its log.
struct BuildInfo
{
    TemplateId templateId;
    BuildId buildId;
    BuildStatus status = BuildStatus::Other;
    QString rawStatus;
    QList<LogEntry> logEntries; ///< from the asked offset on
    BuildReason reason;

    bool operator==(const BuildInfo &) const = default;
};

struct TemplateTag
{
    QString tag;
    BuildId buildId;
    QDateTime createdAt; ///< UTC

    bool operator==(const TemplateTag &) const = default;
};

/// Whose a template name is.
enum class NameOwner { Nobody, Us, SomebodyElse };

struct TemplateAlias
{
    NameOwner owner = NameOwner::Nobody;
    TemplateId templateId; ///< only if it is ours
    bool isPublic = false;

    bool operator==(const TemplateAlias &) const = default;
};

} // namespace boxdeck::protocol
