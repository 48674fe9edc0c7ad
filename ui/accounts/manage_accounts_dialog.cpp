// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/manage_accounts_dialog.h"

#include "ui/accounts/account_text.h"
#include "ui/accounts/key_dialog.h"
#include "ui/common/confirm.h"
#include "ui/common/error_bar.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::Accounts;
using Kind = session::ConnectionProfile::Kind;

ManageAccountsDialog::ManageAccountsDialog(Accounts &accounts, QWidget *parent)
    : QDialog(parent)
    , m_accounts(accounts)
    , m_list(new QListWidget(this))
    , m_name(new QLineEdit(this))
    , m_address(new IdLabel(QStringLiteral("manageAccountAddress"), this))
    , m_keyPlace(new QLabel(this))
    , m_state(new StateLabel(QStringLiteral("manageAccountState"), this))
    , m_error(new ErrorBar(QStringLiteral("manageAccountError"), this))
    , m_key(new QPushButton(tr("Replace key…"), this))
    , m_remove(new QPushButton(tr("Remove account…"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("manageAccountsDialog"), tr("Accounts"));
    setWindowTitle(tr("Accounts"));
    nameWidget(m_list, QStringLiteral("manageAccountsList"), tr("Accounts"));
    styleView(m_list);
    m_list->setMinimumWidth(200);
    m_list->setMaximumWidth(240);

    auto *add = new QPushButton(icon("plus"), tr("Add account…"), this);
    nameWidget(add, QStringLiteral("manageAccountsAdd"), add->text());
    add->setAutoDefault(false);
    connect(add, &QPushButton::clicked, this, &ManageAccountsDialog::addRequested);
    auto *close = new QPushButton(tr("Close"), this);
    nameWidget(close, QStringLiteral("manageAccountsClose"), close->text());
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    buttons->addWidget(add);
    buttons->addStretch(1);
    buttons->addWidget(close);

    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_list);
    middle->addWidget(details(), 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_error);
    column->addLayout(middle, 1);
    column->addWidget(hairline(this));
    column->addLayout(buttons);
    resize(720, 440);

    connect(m_list, &QListWidget::currentItemChanged, this, [this] { show(selected()); });
    connect(&accounts, &Accounts::added, this, &ManageAccountsDialog::fill);
    connect(&accounts, &Accounts::removed, this, &ManageAccountsDialog::fill);
    connect(&accounts, &Accounts::changed, this, &ManageAccountsDialog::fill);
    fill();
}

QWidget *ManageAccountsDialog::details()
{
    auto *page = new QWidget(this);
    nameWidget(m_name, QStringLiteral("manageAccountName"), tr("Account name"));
    connect(m_name, &QLineEdit::editingFinished, this, &ManageAccountsDialog::rename);
    m_keyPlace->setObjectName(QStringLiteral("manageAccountKeyPlace"));
    m_keyPlace->setTextFormat(Qt::PlainText);
    auto *rows = new QFormLayout;
    rows->setHorizontalSpacing(2 * kGrid);
    rows->setVerticalSpacing(kGrid + kGrid / 2);
    rows->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    rows->addRow(tr("&Name"), m_name);
    rows->addRow(tr("Server"), m_address);
    rows->addRow(tr("State"), m_state);
    rows->addRow(tr("Key"), m_keyPlace);
    for (QPushButton *button : {m_key, m_remove})
        button->setAutoDefault(false);
    nameWidget(m_key, QStringLiteral("manageAccountReplaceKey"), m_key->text());
    nameWidget(m_remove, QStringLiteral("manageAccountRemove"), m_remove->text());
    connect(m_key, &QPushButton::clicked, this, [this] { (new KeyDialog(m_accounts, selected(), this))->open(); });
    connect(m_remove, &QPushButton::clicked, this, &ManageAccountsDialog::remove);
    auto *actions = new QHBoxLayout;
    actions->setSpacing(kGrid);
    actions->addWidget(m_key);
    actions->addWidget(m_remove);
    actions->addStretch(1);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addLayout(rows);
    column->addLayout(actions);
    column->addStretch(1);
    return page;
}

QUuid ManageAccountsDialog::selected() const
{
    const QListWidgetItem *item = m_list->currentItem();
    return item ? item->data(Qt::UserRole).toUuid() : QUuid();
}

void ManageAccountsDialog::fill()
{
    const QUuid before = selected().isNull() ? m_accounts.current() : selected();
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    const auto ids = m_accounts.ids();
    for (const QUuid &id : ids) {
        const auto profile = m_accounts.profile(id);
        if (!profile)
            continue;
        auto *item = new QListWidgetItem(icon(accountIcon(profile->kind)), accountName(m_accounts, id), m_list);
        item->setData(Qt::UserRole, id);
        if (id == before)
            m_list->setCurrentItem(item);
    }
    if (!m_list->currentItem() && m_list->count() > 0)
        m_list->setCurrentRow(0);
    show(selected());
}

void ManageAccountsDialog::show(const QUuid &id)
{
    const auto profile = m_accounts.profile(id);
    const bool local = profile && profile->kind == Kind::ThisComputer;
    m_name->setEnabled(profile.has_value());
    m_key->setEnabled(profile && !local);
    m_remove->setEnabled(profile && !local);
    if (!profile)
        return;
    m_name->setText(profile->name);
    m_address->setFullText(local ? tr("boxdeck-host on this computer") : profile->apiUrl.toDisplayString());
    m_keyPlace->setText(local                              ? tr("made by the server itself")
                        : m_accounts.keyIsInMemoryOnly(id) ? tr("in memory, for this session only")
                                                           : tr("in the desktop's keychain"));
    const AccountLook look = accountLook(m_accounts, id);
    m_state->setState(look.icon, look.word, look.token);
}

void ManageAccountsDialog::rename()
{
    const auto profile = m_accounts.profile(selected());
    const QString name = m_name->text().trimmed();
    if (!profile || name == profile->name)
        return;
    if (name.isEmpty()) {
        m_name->setText(profile->name);
        return;
    }
    const auto result = m_accounts.rename(profile->id, name);
    if (!result)
        m_error->showError(result.error(), tr("The account %1 was not renamed.").arg(quoted(profile->name)));
}

void ManageAccountsDialog::remove()
{
    const QUuid id = selected();
    const QString name = quoted(accountName(m_accounts, id));
    confirm(this,
            {.name = QStringLiteral("removeAccountQuestion"),
             .title = tr("Remove account"),
             .text = tr("Remove the account %1?").arg(name),
             .consequence = tr("Its key is deleted from the keychain. Its sandboxes stay on the server."),
             .acceptVerb = tr("Remove %1").arg(name),
             .cancelVerb = tr("Keep it"),
             .danger = true},
            this, [this, id, name] {
                m_accounts.remove(id).then(this, [this, name](const Result<void> &result) {
                    if (!result)
                        m_error->showError(result.error(), tr("The account %1 was not removed.").arg(name));
                });
            });
}

} // namespace boxdeck::ui
