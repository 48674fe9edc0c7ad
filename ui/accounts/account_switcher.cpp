// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/account_switcher.h"

#include "backend/core/display_text.h"
#include "ui/accounts/account_text.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QActionGroup>
#include <QMenu>

namespace boxdeck::ui {

using session::Accounts;

AccountSwitcher::AccountSwitcher(Accounts &accounts, QWidget *parent)
    : QToolButton(parent)
    , m_accounts(accounts)
    , m_menu(new QMenu(this))
{
    nameWidget(this, QStringLiteral("accountSwitcher"), tr("Account"));
    m_menu->setObjectName(QStringLiteral("accountMenu"));
    setMenu(m_menu);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setMinimumWidth(160);
    connect(m_menu, &QMenu::aboutToShow, this, &AccountSwitcher::fillMenu);
    for (const auto signal : {&Accounts::added, &Accounts::removed, &Accounts::changed, &Accounts::currentChanged})
        connect(&accounts, signal, this, &AccountSwitcher::update);
    update();
    fillMenu();
}

void AccountSwitcher::update()
{
    const auto profile = m_accounts.profile(m_accounts.current());
    const QString name = profile ? accountName(m_accounts, profile->id) : tr("Choose an account");
    setText(name);
    setIcon(ui::icon(profile ? accountIcon(profile->kind) : "account"));
    setAccessibleDescription(name);
    setToolTip(profile ? toolTipText(tr("Account: %1, %2").arg(name, accountLook(m_accounts, profile->id).word))
                       : tr("Choose or add an account"));
}

void AccountSwitcher::fillMenu()
{
    m_menu->clear();
    auto *group = new QActionGroup(m_menu);
    const auto ids = m_accounts.ids();
    for (const QUuid &id : ids) {
        const auto profile = m_accounts.profile(id);
        if (!profile)
            continue;
        auto *action = m_menu->addAction(ui::icon(accountIcon(profile->kind)),
                                         accountName(m_accounts, id).replace(QLatin1Char('&'), QLatin1String("&&")) +
                                             QLatin1Char('\t') + accountLook(m_accounts, id).word);
        action->setObjectName(QStringLiteral("account-") + id.toString(QUuid::WithoutBraces));
        action->setCheckable(true);
        action->setChecked(id == m_accounts.current());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, id] { m_accounts.setCurrent(id); });
    }
    m_menu->addSeparator();
    auto *add = m_menu->addAction(ui::icon("plus"), tr("Add account…"));
    add->setObjectName(QStringLiteral("accountMenuAdd"));
    connect(add, &QAction::triggered, this, &AccountSwitcher::addRequested);
    auto *manage = m_menu->addAction(ui::icon("settings"), tr("Manage accounts…"));
    manage->setObjectName(QStringLiteral("accountMenuManage"));
    connect(manage, &QAction::triggered, this, &AccountSwitcher::manageRequested);
}

} // namespace boxdeck::ui
