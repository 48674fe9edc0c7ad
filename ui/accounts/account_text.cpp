// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/account_text.h"

#include "backend/core/display_text.h"
#include "ui/common/error_sentence.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QCoreApplication>

namespace boxdeck::ui {

using Kind = session::ConnectionProfile::Kind;
using State = session::Accounts::State;

namespace {

struct AccountText
{
    Q_DECLARE_TR_FUNCTIONS(AccountText)
};

/// What is the matter with a server whose list failed. One that answers is never said to give no answer.
AccountLook troubleLook(const Error &error)
{
    if (error.kind == ErrorKind::Authentication)
        return {"key", Token::Danger, AccountText::tr("key refused")};
    if (error.kind == ErrorKind::Capacity)
        return {"warning", Token::Warning, AccountText::tr("asks to wait")};
    if (error.kind == ErrorKind::Unsupported || error.kind == ErrorKind::NotFound ||
        (error.kind == ErrorKind::Internal && error.httpStatus != 0))
        return {"warning", Token::Danger, AccountText::tr("lists no sandboxes")};
    if (error.httpStatus != 0)
        return {"warning", Token::Warning, AccountText::tr("in trouble (HTTP %1)").arg(error.httpStatus)};
    return {"warning", Token::Warning, AccountText::tr("no answer")};
}

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
        if (accounts.error(id) && accounts.error(id)->code.startsWith(QLatin1String("ca_")))
            return {"failed", Token::Danger, AccountText::tr("CA file not usable")};
        return {"failed", Token::Danger, AccountText::tr("not started")};
    case State::Ready:
        break;
    }
    if (session::Session *session = accounts.session(id); session && session->sandboxes().lastError())
        return troubleLook(*session->sandboxes().lastError());
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

QString notKeptSentence(const Error &error)
{
    return AccountText::tr(
               "The keychain does not keep the access tokens and settings of new sandboxes of %1. They work "
               "until Boxdeck ends; sandboxes with private ports can't be reached through them after that.") +
           QLatin1Char(' ') + errorReason(error);
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

QString importProblem(const Error &error)
{
    const QString option = quoted(displayText(error.message, 120));
    if (error.code == QLatin1String("not_json"))
        return AccountText::tr("It is no JSON: %1.").arg(displayText(error.message, 120));
    if (error.code == QLatin1String("not_object"))
        return AccountText::tr("It holds no settings: a profile is a JSON object, such as {\"api_base\": …}.");
    if (error.code == QLatin1String("unknown"))
        return AccountText::tr("There is no option %1. Correct its name, or take it out.").arg(option);
    if (error.code == QLatin1String("twice"))
        return AccountText::tr("The same option is there twice, as %1. Leave one of them.").arg(option);
    if (error.code == QLatin1String("type"))
        return AccountText::tr("The value of %1 is of the wrong kind.").arg(option);
    if (error.code == QLatin1String("url"))
        return AccountText::tr("The value of %1 is no address of a server. It looks like https://api.example.com, "
                               "without a user name or password.")
            .arg(option);
    if (error.code == QLatin1String("domain"))
        return AccountText::tr("The value of %1 must be a host name, without https:// or a path.").arg(option);
    if (error.code == QLatin1String("path"))
        return AccountText::tr("The value of %1 must be a path that begins with / and stays below it.").arg(option);
    if (error.code == QLatin1String("scheme"))
        return AccountText::tr("The value of %1 must be https or http.").arg(option);
    if (error.code == QLatin1String("number"))
        return AccountText::tr("The value of %1 is not a whole number in its range.").arg(option);
    if (error.code == QLatin1String("upload"))
        return AccountText::tr("The value of %1 must be multipart or raw.").arg(option);
    return errorReason(error);
}

QString localProblem(const Error &error)
{
    const QString file = quoted(displayText(error.message, 120));
    if (error.code == QLatin1String("ca_unreadable"))
        return AccountText::tr(
                   "The CA file %1 can't be read, so nothing is trusted. Choose another, or leave the field "
                   "empty to trust the system's authorities.")
            .arg(file);
    if (error.code == QLatin1String("ca_empty"))
        return AccountText::tr(
                   "The CA file %1 holds no certificate in PEM form, so nothing is trusted. Choose another, "
                   "or leave the field empty to trust the system's authorities.")
            .arg(file);
    return errorSentence(error, AccountText::tr("The account was not saved."));
}

} // namespace boxdeck::ui
