// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include "backend/core/display_text.h"
#include "backend/session/session.h"
#include "ui/accounts/account_text.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QLabel>

namespace boxdeck::ui {

using session::Accounts;
using session::SandboxStore;

namespace {
constexpr int kNoticeMs = 8000;
} // namespace

StatusLine::StatusLine(Accounts &accounts, QWidget *parent)
    : QStatusBar(parent)
    , m_accounts(accounts)
    , m_server(new StateLabel(QStringLiteral("statusServer"), this))
    , m_asOf(mutedLabel({}, this))
    , m_counts(mutedLabel({}, this))
    , m_tasks(mutedLabel({}, this))
    , m_notice(new QLabel(this))
{
    nameWidget(this, QStringLiteral("statusLine"), tr("Status"));
    setSizeGripEnabled(false);
    setContentsMargins(kGrid, 0, kGrid, 0);
    m_asOf->setObjectName(QStringLiteral("statusAsOf"));
    m_counts->setObjectName(QStringLiteral("statusCounts"));
    m_tasks->setObjectName(QStringLiteral("statusTasks"));
    m_notice->setObjectName(QStringLiteral("statusNotice"));
    m_notice->setTextFormat(Qt::PlainText);
    for (QLabel *label : {m_asOf, m_counts, m_tasks})
        label->setContentsMargins(kGrid, 0, 0, 0);
    addWidget(m_server);
    addWidget(m_asOf);
    addWidget(m_counts);
    addWidget(m_notice, 1);
    addPermanentWidget(m_tasks);
    m_noticeEnd.setSingleShot(true);
    connect(&m_noticeEnd, &QTimer::timeout, m_notice, &QLabel::clear);
    connect(&accounts, &Accounts::changed, this, &StatusLine::update);
    connect(&accounts, &Accounts::sessionReady, this, &StatusLine::update);
    connect(&accounts, &Accounts::removed, this, &StatusLine::update);
    update();
}

void StatusLine::setAccount(const QUuid &id)
{
    m_account = id;
    update();
}

void StatusLine::setTasks(const QString &text)
{
    m_tasks->setText(text);
}

void StatusLine::notice(const QString &text)
{
    m_notice->setText(text);
    m_notice->setToolTip(toolTipText(text));
    m_noticeEnd.start(kNoticeMs);
}

void StatusLine::update()
{
    const auto profile = m_accounts.profile(m_account);
    session::Session *session = m_accounts.session(m_account);
    if (session != m_watched) {
        if (m_watched)
            disconnect(&m_watched->sandboxes(), nullptr, this, nullptr);
        m_watched = session;
        if (session) {
            connect(&session->sandboxes(), &SandboxStore::updated, this, &StatusLine::update);
            connect(&session->sandboxes(), &SandboxStore::failed, this, &StatusLine::update);
            connect(&session->sandboxes(), &SandboxStore::changed, this, &StatusLine::update);
        }
    }
    if (!profile) {
        m_server->setState("account", tr("No account"), Token::Muted);
        m_asOf->clear();
        m_counts->clear();
        return;
    }
    const AccountLook look = accountLook(m_accounts, m_account);
    m_server->setState(look.icon, tr("%1: %2").arg(accountName(m_accounts, m_account), look.word), look.token);
    if (!session || !session->sandboxes().hasLoaded()) {
        m_asOf->clear();
        m_counts->clear();
        return;
    }
    const SandboxStore &store = session->sandboxes();
    m_asOf->setText(store.lastError() ? tr("old: as of %1").arg(formatClock(store.asOf()))
                                      : tr("as of %1").arg(formatClock(store.asOf())));
    m_asOf->setToolTip(formatUtc(store.asOf()));
    qsizetype running = 0, paused = 0;
    for (const auto &sandbox : store.items()) {
        running += sandbox.state == protocol::SandboxState::Running;
        paused += sandbox.state == protocol::SandboxState::Paused;
    }
    m_counts->setText(tr("%1 running, %2 paused").arg(running).arg(paused));
}

} // namespace boxdeck::ui
