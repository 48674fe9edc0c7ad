// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/manage_accounts_dialog.h"

#include "backend/session/json_file.h"
#include "backend/session/profile_import.h"
#include "ui/accounts/account_text.h"
#include "ui/accounts/capabilities_view.h"
#include "ui/accounts/edit_account_dialog.h"
#include "ui/accounts/key_dialog.h"
#include "ui/common/confirm.h"
#include "ui/common/error_bar.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
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
    , m_capabilities(new CapabilitiesView(accounts, this))
    , m_edit(new QPushButton(tr("Edit…"), this))
    , m_key(new QPushButton(tr("Replace key…"), this))
    , m_export(new QPushButton(tr("Export profile…"), this))
    , m_remove(new QPushButton(tr("Remove account…"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("manageAccountsDialog"), tr("Accounts"));
    setWindowTitle(tr("Accounts"));
    nameWidget(m_list, QStringLiteral("manageAccountsList"), tr("Accounts"));
    styleView(m_list);
    m_list->setMinimumWidth(200);
    m_list->setMaximumWidth(240);

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
    column->addWidget(buttons());
    resize(940, 560);

    connect(m_list, &QListWidget::currentItemChanged, this, [this] { show(selected()); });
    connect(&accounts, &Accounts::added, this, &ManageAccountsDialog::fill);
    connect(&accounts, &Accounts::removed, this, &ManageAccountsDialog::fill);
    connect(&accounts, &Accounts::changed, this, &ManageAccountsDialog::fill);
    fill();
}

QWidget *ManageAccountsDialog::buttons()
{
    auto *add = new QPushButton(icon("plus"), tr("Add account…"), this);
    nameWidget(add, QStringLiteral("manageAccountsAdd"), add->text());
    auto *import = new QPushButton(tr("Import profile…"), this);
    nameWidget(import, QStringLiteral("manageAccountsImport"), import->text());
    for (QPushButton *button : {add, import})
        button->setAutoDefault(false);
    connect(add, &QPushButton::clicked, this, &ManageAccountsDialog::addRequested);
    connect(import, &QPushButton::clicked, this, &ManageAccountsDialog::importRequested);
    auto *close = new QPushButton(tr("Close"), this);
    nameWidget(close, QStringLiteral("manageAccountsClose"), close->text());
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    row->setSpacing(kGrid);
    row->addWidget(add);
    row->addWidget(import);
    row->addStretch(1);
    row->addWidget(close);
    return bar;
}

QWidget *ManageAccountsDialog::details()
{
    auto *tabs = new QTabWidget(this);
    nameWidget(tabs, QStringLiteral("manageAccountTabs"), tr("Details of the account"));
    tabs->setDocumentMode(true);
    tabs->addTab(accountPage(), tr("Account"));
    tabs->addTab(m_capabilities, tr("What this server can do"));
    return tabs;
}

QWidget *ManageAccountsDialog::accountPage()
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
    for (QPushButton *button : {m_edit, m_key, m_export, m_remove})
        button->setAutoDefault(false);
    nameWidget(m_edit, QStringLiteral("manageAccountEdit"), tr("Edit the account"));
    nameWidget(m_export, QStringLiteral("manageAccountExport"), m_export->text());
    m_export->setToolTip(tr("Writes how to reach the server to a file, without the key."));
    nameWidget(m_key, QStringLiteral("manageAccountReplaceKey"), m_key->text());
    nameWidget(m_remove, QStringLiteral("manageAccountRemove"), m_remove->text());
    connect(m_edit, &QPushButton::clicked, this,
            [this] { (new EditAccountDialog(m_accounts, selected(), this))->open(); });
    connect(m_export, &QPushButton::clicked, this, &ManageAccountsDialog::exportProfile);
    connect(m_key, &QPushButton::clicked, this, [this] { (new KeyDialog(m_accounts, selected(), this))->open(); });
    connect(m_remove, &QPushButton::clicked, this, &ManageAccountsDialog::remove);
    auto *actions = new QHBoxLayout;
    actions->setSpacing(kGrid);
    actions->addWidget(m_edit);
    actions->addWidget(m_key);
    actions->addWidget(m_export);
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
    m_edit->setEnabled(profile.has_value());
    m_key->setEnabled(profile && !local);
    m_export->setEnabled(profile && !local);
    m_capabilities->setAccount(id);
    m_remove->setEnabled(profile && !local);
    if (!profile)
        return;
    if (!m_name->hasFocus() || m_shown != id)
        m_name->setText(accountName(*profile));
    m_shown = id;
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
    if (!profile || name == accountName(*profile))
        return;
    if (name.isEmpty()) {
        m_name->setText(accountName(*profile));
        return;
    }
    const auto result = m_accounts.rename(profile->id, name);
    if (!result)
        m_error->showError(result.error(), tr("The account %1 was not renamed.").arg(quoted(profile->name)));
}

void ManageAccountsDialog::exportProfile()
{
    const QUuid id = selected();
    const auto profile = m_accounts.profile(id);
    if (!profile)
        return;
    QString fileName = profile->name;
    fileName.replace(QRegularExpression(QStringLiteral("[^\\w.-]+"), QRegularExpression::UseUnicodePropertiesOption),
                     QStringLiteral("-"));
    auto *dialog = new QFileDialog(this, tr("Export the profile of %1").arg(quoted(accountName(*profile))));
    dialog->setObjectName(QStringLiteral("manageAccountExportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->setNameFilters({tr("Connection profiles (*.json)"), tr("All files (*)")});
    dialog->selectFile(fileName + QStringLiteral(".json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, id](const QString &path) { writeProfile(id, path); });
    dialog->open();
}

void ManageAccountsDialog::writeProfile(const QUuid &id, const QString &path)
{
    const auto profile = m_accounts.profile(id);
    if (!profile)
        return;
    const auto written = session::writeJsonFile(path, session::exportProfile(*profile));
    if (!written)
        m_error->showError(written.error(),
                           tr("The profile of %1 was not exported.").arg(quoted(accountName(*profile))));
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
