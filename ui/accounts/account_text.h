// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"
#include "ui/common/theme.h"

namespace boxdeck::ui {

/// The icon of a kind of account: this computer, E2B's cloud, another server.
const char *accountIcon(session::ConnectionProfile::Kind kind);
/// An account's name, safe to show.
QString accountName(const session::ConnectionProfile &profile);
QString accountName(const session::Accounts &accounts, const QUuid &id);

/// How an account is doing, as an icon and a word.
struct AccountLook
{
    const char *icon;
    Token token;
    QString word;
};
AccountLook accountLook(const session::Accounts &accounts, const QUuid &id);

/// Why a key could not be stored, and what can be done instead. `error` comes from SecretVault.
QString keychainSentence(const Error &error);
/// Why what belongs to an account's sandboxes is not kept, and what that means; one place for the account's name.
QString notKeptSentence(const Error &error);
/// What is wrong with a typed server address; `error` comes from parseServerUrl().
QString addressProblem(const Error &error);
/// What is wrong with a connection profile, naming the option; `error` comes from importProfile().
QString importProblem(const Error &error);
/// Why this computer could not add or change an account: its CA file, or the disk.
QString localProblem(const Error &error);

} // namespace boxdeck::ui
