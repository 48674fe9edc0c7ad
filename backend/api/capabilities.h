// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/sandbox_target.h"
#include "backend/core/clock.h"
#include "backend/net/http_transport.h"

#include <QDateTime>
#include <QJsonObject>
#include <QMap>

namespace boxdeck::api {

/// What some E2B-compatible servers have and others lack (protocol/compat.md 2.35, 2.43, sections 1 and 13).
enum class Feature {
    SandboxPages,  ///< GET /v2/sandboxes: paused ones too, in pages
    SandboxListV1, ///< GET /sandboxes: running ones, all at once
    CreateV2,      ///< POST /v2/sandboxes
    Pause,         ///< pausing and resuming
    Fork,          ///< copies of a running sandbox
    NetworkUpdate, ///< rules changed while it runs
    Metrics,       ///< CPU, memory and disk of one sandbox
    BatchMetrics,  ///< the same of many with one call
    LogsV2,        ///< logs with level, direction and search
    LogsV1,        ///< the older logs
    Snapshots,
    Templates,      ///< the list of templates
    TemplatePages,  ///< GET /v2/templates
    TemplateBuilds, ///< POST /v3/templates
    TemplateTags,
    Volumes,
    Secrets,
    Teams,
    ApiKeys, ///< making and removing keys from here
    Nodes,   ///< the machines of a cluster
};

/// All of them, in the order shown to people.
const QList<Feature> &allFeatures();
/// A stable word for files and object names, e.g. "batchMetrics".
QString featureId(Feature feature);

enum class Support { Unknown, Yes, No };

/// Why a finding is what it is.
enum class Why {
    NotAsked,   ///< Unknown: nobody asked yet, or it is not needed where a newer call works
    SideEffect, ///< Unknown: there is no call that would change nothing
    NoAnswer,   ///< Unknown: no answer, or one about the server's own trouble
    KeyRefused, ///< Unknown: the server did not take the key, so nothing else was asked
    NoObject,   ///< Unknown: "not found" may be about the call or about the object it names
    Answered,   ///< Yes
    NoSuchCall, ///< No: 404, 405, 410 or 501
    Gated,      ///< No: the server has it and says why not for this account; see Finding::words
    OtherLogin, ///< No: an API key is not enough; a user's or an administrator's login is asked for
};

struct Finding
{
    Support support = Support::Unknown;
    Why why = Why::NotAsked;
    int httpStatus = 0; ///< of the answer it rests on
    QString words;      ///< the server's own, untrusted and cut; empty for most
    QDateTime at;       ///< UTC, our clock

    bool operator==(const Finding &) const = default;
};

/// What one server can do, as far as it is known. A plain value; remembers no secret.
class Capabilities
{
public:
    Finding of(Feature feature) const { return m_findings.value(feature); }
    /// True only if the server is known to lack it: what is not known is offered, and the first answer tells.
    bool lacks(Feature feature) const { return of(feature).support == Support::No; }
    void set(Feature feature, const Finding &finding) { m_findings.insert(feature, finding); }

    QString address;     ///< the API address it is about
    QString fingerprint; ///< what the server said of itself, see probeCapabilities()
    QDateTime probedAt;  ///< UTC, end of the last whole probe; invalid before the first

    /// Takes a lesson from an answer that came anyway; true if something is known now that was not, or is another
    /// thing. `path` begins behind the API address. What an object's 404 means can't be told here, so it teaches
    /// nothing.
    bool learn(const QByteArray &method, const QByteArray &path, const net::HttpResponse &response,
               const QDateTime &now);

    QJsonObject toJson() const;
    static Capabilities fromJson(const QJsonObject &object); ///< what can't be read is unknown

    bool operator==(const Capabilities &) const = default;

private:
    QMap<Feature, Finding> m_findings;
};

/// Asks a server what it has, one request after another, with calls that need no object and change nothing: lists of
/// one; posts whose body is cut JSON, which nothing can be made of; and calls about a made-up sandbox, compared with
/// what the server says to a call that surely does not exist. Stops at a refused key and at a rate limit. GET /teams is
/// never asked, as it makes a new key each time on the reference server. Never fails: what could not be found out is
/// Unknown. `known` is kept for features that give no better answer.
Call<Capabilities> probeCapabilities(net::HttpTransport &transport, Endpoint endpoint, const Clock &clock,
                                     Capabilities known = {});

/// One request, to see whether an address still leads to the same server: Server header, status and kind of GET
/// /health. Fails only without an answer.
Call<QString> serverFingerprint(net::HttpTransport &transport, const Endpoint &endpoint);

} // namespace boxdeck::api
