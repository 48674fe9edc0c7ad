// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"
#include "backend/session/connection_profile.h"
#include "backend/session/create_defaults.h"

#include <QList>

#include <functional>

namespace boxdeck::session {

/// The value of an environment variable; empty if it is not set.
using EnvironmentReader = std::function<QByteArray(const char *name)>;
EnvironmentReader processEnvironment();

/// A connection profile read from JSON, to be looked at before anything is done with it.
struct ImportedProfile
{
    enum class Source {
        File,        ///< the option was given
        Environment, ///< `detail` names the variable
        Default,     ///< neither
        NotUsed,     ///< given, understood, and without a meaning here
    };
    /// One option, for the preview.
    struct Line
    {
        QString option; ///< its first spelling, e.g. "api_base"
        QString value;  ///< safe to show; untrusted
        Source source = Source::Default;
        QString detail;

        bool operator==(const Line &) const = default;
    };

    ConnectionProfile profile; ///< with an id of its own; the name may be empty
    CreateDefaults defaults;
    Secret key;          ///< empty if neither the file nor the variable has one: ask for it
    QString keyVariable; ///< the variable that holds, or should hold, the key
    QList<Line> lines;   ///< all options, in a fixed order
};

/// Reads the options of protocol/adapters.md 1.1 to 1.22 and 1.30 and a few of our own, each from the file, else from
/// the environment, else its default. `null` is a file without options. Nothing is written anywhere.
///
/// InvalidRequest, with the option's name as the message (never a value, which may be a secret), and the code
/// "not_json", "not_object", "unknown" (an option nobody knows), "twice" (two spellings of one option, both named),
/// "type", "url", "domain", "path", "scheme", "number" (out of range) or "upload".
Result<ImportedProfile> importProfile(const QByteArray &json, const EnvironmentReader &environment);

/// The profile in the form importProfile() reads. Without the key and without CreateDefaults, which may hold secrets:
/// the key is named by its variable only.
QJsonObject exportProfile(const ConnectionProfile &profile);

/// What the E2B CLI keeps in ~/.e2b/config.json (versions 1 and 2 of its format): the key of a project, or team as it
/// was called, and its name.
struct CliAccount
{
    QString project; ///< untrusted
    Secret key;
};
/// InvalidRequest: "not_json", or "cli_format" for what is neither version or has no key.
Result<CliAccount> readCliConfig(const QByteArray &json);
QString cliConfigPath(); ///< of this user; it need not exist

} // namespace boxdeck::session
