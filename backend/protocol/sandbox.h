// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/core/secret.h"
#include "backend/protocol/ids.h"
#include "backend/protocol/network.h"

#include <QDateTime>
#include <QJsonObject>
#include <QList>
#include <QMap>

#include <chrono>
#include <optional>

namespace boxdeck::protocol {

/// The neutral states of protocol/lifecycle.md section 1. Unknown words are kept as Unknown, which callers treat like
/// Transitioning: the sandbox still exists and still belongs to the user.
enum class SandboxState { Running, Paused, Transitioning, Terminal, Unknown };

/// The neutral state behind a server's word; trimmed, in any case.
SandboxState sandboxState(const QString &word);

/// One row of a sandbox list (ListedSandbox in protocol/control-plane.md section 9).
struct SandboxSummary
{
    SandboxId id;
    TemplateId templateId;
    QString alias; ///< template name; often empty
    SandboxState state = SandboxState::Unknown;
    QString rawState;    ///< the server's word, for display only
    QDateTime startedAt; ///< UTC; start or last resume; invalid if not told
    QDateTime endAt;     ///< UTC; planned end, or when it was paused; invalid = none known
    int cpuCount = 0;
    int memoryMB = 0;   ///< MiB
    int diskSizeMB = 0; ///< MiB
    QMap<QString, QString> metadata;
    QString envdVersion;             ///< free text on some servers; compare through EnvdVersion
    QList<VolumeMount> volumeMounts; ///< none while paused

    bool operator==(const SandboxSummary &) const = default;
};

/// What GET /sandboxes/{id} tells. Reading it never wakes a paused sandbox.
struct SandboxDetail : SandboxSummary
{
    Secret envdAccessToken; ///< empty when the sandbox is not secure
    QString domain;         ///< empty: use the configured one
    std::optional<bool> allowInternetAccess;
    bool autoResume = false;
    QString onTimeout;                    ///< "kill" or "pause"; empty if not told
    std::optional<NetworkConfig> network; ///< not if the server does not tell, or in a shape of its own (see extras)
    QJsonObject extras;                   ///< members this version does not know, e.g. limits of boxdeck-host

    bool operator==(const SandboxDetail &) const = default;
};

/// The answer of create and connect: how to reach the data plane. The traffic token may come only at create
/// (protocol/compat.md 2.13, 2.14): keep it, and don't let an empty one replace it.
struct SandboxAccess
{
    SandboxId id;
    TemplateId templateId;
    QString alias;
    QString envdVersion;
    QString domain;            ///< empty: use the configured one
    Secret envdAccessToken;    ///< empty when the sandbox is not secure
    Secret trafficAccessToken; ///< empty when none is needed or none was told

    bool operator==(const SandboxAccess &) const = default;
};

/// What to create. Only fields that were set are sent, as strict servers refuse others (protocol/compat.md 2.41).
struct NewSandbox
{
    QString templateId = QStringLiteral("base"); ///< id or [namespace/]name[:tag]
    std::chrono::seconds timeout{300};           ///< life from now; at least 1 s
    bool autoPause = false;                      ///< pause instead of kill at the end; sent when true
    bool autoResume = false;                     ///< wake on traffic; sent when true
    bool secure = true;
    std::optional<bool> allowInternetAccess;
    QMap<QString, QString> metadata;
    QMap<QString, QString> envVars;
    std::optional<bool> autoPauseMemory; ///< false keeps only the disk
    std::optional<NetworkConfig> network;
    QList<VolumeMount> volumeMounts;
    Secret mcp; ///< JSON object for the MCP gateway; may hold credentials; empty: none
    QMap<QString, IamToken> iamTokens;

    bool operator==(const NewSandbox &) const = default;
};

/// How a server wants the create body where it differs from the reference (protocol/compat.md 2.41 and section 4).
struct CreateDialect
{
    bool plainFieldsOnly = false; ///< leave out network, autoResume and autoPauseMemory
    bool lifecycleObject = false; ///< lifecycle{onTimeout, autoResume} instead of autoPause and autoResume

    bool operator==(const CreateDialect &) const = default;
};

/// How many copies of a running sandbox to make.
struct ForkRequest
{
    int count = 1;                               ///< 1..100
    std::optional<std::chrono::seconds> timeout; ///< life of each; at least 1 s; not set: the server's default

    bool operator==(const ForkRequest &) const = default;
};

/// One fork: made, or the reason why not.
using ForkResult = Result<SandboxAccess>;

enum class ListOrder { NewestFirst, OldestFirst };

/// When a server is asked to filter by metadata. It decodes the filter once, twice or three times, depending on whose
/// it is: only plain pairs (letters, digits, . _ ~ -) survive them all (protocol/compat.md 2.8).
enum class MetadataSending { PlainPairs, All, None };

/// Which sandboxes to list. No states means all. What a server ignores of it is done here.
struct ListQuery
{
    QList<SandboxState> states;      ///< Running and Paused can be asked for, others match nothing
    int limit = 100;                 ///< 1..100
    QString nextToken;               ///< opaque, from the page before
    QMap<QString, QString> metadata; ///< all of these, exactly
    MetadataSending sending = MetadataSending::PlainPairs;
    ListOrder order = ListOrder::NewestFirst; ///< by start
    QDateTime startedAfter;                   ///< inclusive; invalid: any
    QString templateName;                     ///< id or alias, without a tag; empty: any

    bool operator==(const ListQuery &) const = default;
};

/// One page of a list.
template <class T> struct Page
{
    QList<T> items;
    QString nextToken;               ///< empty on the last page
    std::optional<int> totalRunning; ///< before paging, if the server says

    bool operator==(const Page &) const = default;
};

} // namespace boxdeck::protocol
