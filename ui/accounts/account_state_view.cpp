// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/account_state_view.h"

#include "backend/core/display_text.h"
#include "backend/session/accounts.h"
#include "ui/accounts/account_text.h"
#include "ui/common/error_sentence.h"
#include "ui/sandboxes/sandbox_text.h"

namespace boxdeck::ui {

using session::Accounts;
using Kind = session::ConnectionProfile::Kind;

AccountStateView::AccountStateView(const QString &name, Accounts &accounts, QWidget *parent)
    : EmptyState(name, "waiting", parent)
    , m_accounts(accounts)
{
    connect(&accounts, &Accounts::changed, this, [this](const QUuid &id) {
        if (id == m_id)
            update();
    });
    connect(this, &EmptyState::actionTriggered, this, [this] { run(m_first); });
    connect(this, &EmptyState::otherActionTriggered, this, [this] { run(m_second); });
    update();
}

void AccountStateView::setAccount(const QUuid &id)
{
    m_id = id;
    update();
}

void AccountStateView::run(Act act)
{
    switch (act) {
    case Act::None:
        break;
    case Act::Activate:
        m_accounts.activate(m_id);
        break;
    case Act::EnterKey:
        Q_EMIT keyWanted(m_id);
        break;
    case Act::AddAccount:
        Q_EMIT accountWanted();
        break;
    }
}

void AccountStateView::update()
{
    m_first = m_second = Act::None;
    setAction({});
    setOtherAction({});
    setBusy(false);
    const auto profile = m_accounts.profile(m_id);
    if (!profile) {
        setDrawing("computer");
        setText(tr("No account"), tr("Sandboxes live on a server or on this computer. Choose where to begin."));
        setAction(tr("Add account…"), "plus");
        m_first = Act::AddAccount;
        return;
    }
    const QString name = quoted(accountName(m_accounts, m_id));
    const std::optional<Error> error = m_accounts.error(m_id);
    switch (m_accounts.state(m_id)) {
    case Accounts::State::Idle:
        setDrawing("computer");
        setText(tr("Not connected"), tr("The account %1 is not in use yet.").arg(name));
        setAction(tr("Connect"), "play");
        m_first = Act::Activate;
        break;
    case Accounts::State::Connecting:
        setDrawing("waiting");
        setBusy(true);
        if (profile->kind == Kind::ThisComputer)
            setText(tr("Starting"), tr("The server for sandboxes on this computer is being started."));
        else
            setText(tr("Waiting for the keychain"), tr("The key of %1 is read from the keychain.").arg(name));
        break;
    case Accounts::State::NeedsKey: {
        setDrawing("locked");
        const QString code = error ? error->code : QString();
        if (code == QLatin1String("not_found")) {
            setText(tr("No key"), tr("No key is kept for %1. Enter it to go on.").arg(name));
            setAction(tr("Enter key…"), "key");
            m_first = Act::EnterKey;
            break;
        }
        setText(tr("The key can't be read"),
                error ? errorSentence(*error, tr("The key of %1 could not be read.").arg(name)) : QString());
        setAction(tr("Try again"), "retry");
        setOtherAction(tr("Enter the key for this session…"));
        m_first = Act::Activate;
        m_second = Act::EnterKey;
        break;
    }
    case Accounts::State::Failed: {
        setDrawing("offline");
        if (error && error->code.startsWith(QLatin1String("ca_"))) {
            setText(tr("Not connected"), localProblem(*error));
            setAction(tr("Try again"), "retry");
            m_first = Act::Activate;
            break;
        }
        QString sentence;
        if (error && error->code == QLatin1String("missing"))
            sentence = tr("The program boxdeck-host was not found beside Boxdeck. Install it, then try again.");
        else if (error && error->code == QLatin1String("refused"))
            sentence = tr("The server for sandboxes on this computer did not start. It says:");
        else if (error && error->code == QLatin1String("silent"))
            sentence = tr("The server for sandboxes on this computer did not get ready in time.");
        else if (error)
            sentence = errorReason(*error);
        if (error && !error->message.isEmpty())
            sentence += QStringLiteral("\n\n") + displayText(error->message, 2000);
        setText(tr("Could not be started"), sentence);
        setAction(tr("Try again"), "retry");
        m_first = Act::Activate;
        break;
    }
    case Accounts::State::Ready:
        setDrawing("waiting");
        setText({}, {});
        break;
    }
}

} // namespace boxdeck::ui
