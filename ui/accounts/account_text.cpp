// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/account_text.h"

#include "backend/core/display_text.h"
#include "ui/common/error_sentence.h"

#include <QCoreApplication>

namespace boxdeck::ui {

using Kind = session::ConnectionProfile::Kind;
using State = session::Accounts::State;

namespace {

struct AccountText
{
    Q_DECLARE_TR_FUNCTIONS(AccountText)
};

} // namespace

const char *accountIcon(Kind kind)
{
    switch (kind) {
    case Kind::ThisComputer:
        return "computer";
    case Kind::E2bCloud:
        return "cloud";
    case Kind::SelfHosted:
        break;
    }
    return "server";
}

QString accountName(const session::ConnectionProfile &profile)
{
    // Named on the first run, in the language of that time; unless it was renamed, it is called so in today's.
    static const QStringList given = {QStringLiteral("This computer"), QStringLiteral("本机")};
    if (profile.kind == Kind::ThisComputer && given.contains(profile.name))
        return AccountText::tr("This computer");
    return displayText(profile.name, 80);
}

QString accountName(const session::Accounts &accounts, const QUuid &id)
{
    const auto profile = accounts.profile(id);
    return profile ? accountName(*profile) : QString();
}

AccountLook accountLook(const session::Accounts &accounts, const QUuid &id)
{
    switch (accounts.state(id)) {
    case State::Idle:
        return {"ended", Token::Muted, AccountText::tr("not in use")};
    case State::Connecting:
        return {"waiting", Token::Warning, AccountText::tr("connecting")};
    case State::NeedsKey:
        return {"key", Token::Warning, AccountText::tr("needs its key")};
    case State::Failed:
        return {"failed", Token::Danger, AccountText::tr("not started")};
    case State::Ready:
        break;
    }
    if (session::Session *session = accounts.session(id); session && session->sandboxes().lastError())
        return session->sandboxes().lastError()->kind == ErrorKind::Authentication
                   ? AccountLook{"key", Token::Danger, AccountText::tr("key refused")}
                   : AccountLook{"warning", Token::Warning, AccountText::tr("no answer")};
    return {"running", Token::Running, AccountText::tr("connected")};
}

QString keychainSentence(const Error &error)
{
    if (error.code == QLatin1String("no_service"))
        return AccountText::tr("This desktop has no keychain service, so the key can't be stored. Start one (such as "
                               "gnome-keyring or KWallet), or keep the key in memory for this session only.");
    if (error.code == QLatin1String("locked"))
        return AccountText::tr("The keychain is locked, so the key was not stored. Unlock it and try again, or keep "
                               "the key in memory for this session only.");
    if (error.code == QLatin1String("denied"))
        return AccountText::tr("The keychain refused to store the key. Allow it there and try again, or keep the key "
                               "in memory for this session only.");
    if (error.code == QLatin1String("timeout"))
        return AccountText::tr("The keychain did not answer within 5 seconds. Look for a question it asks, or keep "
                               "the key in memory for this session only.");
    if (error.code == QLatin1String("exists"))
        return AccountText::tr("The keychain already holds another key for this account. Nothing was changed.");
    return AccountText::tr("The keychain could not store the key.") + QLatin1Char(' ') + errorReason(error);
}

QString addressProblem(const Error &error)
{
    if (error.code == QLatin1String("empty"))
        return AccountText::tr("Enter the server's address.");
    if (error.code == QLatin1String("scheme"))
        return AccountText::tr("The address must begin with https:// or http://.");
    if (error.code == QLatin1String("credentials"))
        return AccountText::tr("Leave user name and password out of the address: it is saved in the clear. The key "
                               "belongs in its own field.");
    if (error.code == QLatin1String("query"))
        return AccountText::tr("The address must end before any ? or #.");
    return AccountText::tr("This is not the address of a server. It looks like https://api.example.com.");
}

} // namespace boxdeck::ui
