// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace boxdeck::app {

/// What was asked for on the command line.
struct CommandLine
{
    QString dataDir;             ///< everything the app writes; made absolute; empty: the desktop's usual place
    QString account;             ///< the account to begin with, by name
    std::optional<QUrl> connect; ///< a server for this run only; its key comes from E2B_API_KEY
    std::optional<QUrl> sandboxUrl;
    QString domain;
    QString open; ///< id of the sandbox to open
    QString language;

    /// Text to print instead of starting, for --help and --version.
    std::optional<QString> answer;
};

/// Reads the arguments (the first is the program). InvalidRequest with a sentence for the terminal otherwise.
Result<CommandLine> parseCommandLine(const QStringList &arguments);

} // namespace boxdeck::app
