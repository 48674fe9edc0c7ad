// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/add_account_dialog.h"

#include "backend/core/display_text.h"
#include "backend/session/json_file.h"
#include "backend/session/profile_import.h"
#include "ui/accounts/account_form.h"
#include "ui/accounts/account_text.h"
#include "ui/accounts/import_preview_dialog.h"
#include "ui/accounts/key_edit.h"
#include "ui/accounts/test_report_view.h"
#include "ui/common/dialog_layout.h"
#include "ui/common/error_bar.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::ConnectionProfile;
using session::KeyPlace;
using Kind = ConnectionProfile::Kind;

AddAccountDialog::AddAccountDialog(session::Accounts &accounts, QWidget *parent)
    : QDialog(parent)
    , m_accounts(accounts)
    , m_cloud(new QRadioButton(tr("E2B Cloud"), this))
    , m_server(new QRadioButton(tr("Own server"), this))
    , m_form(new AccountForm(this))
    , m_key(new KeyEdit(QStringLiteral("accountKey"), this))
    , m_report(new TestReportView(QStringLiteral("accountTestReport"), this))
    , m_problem(new QLabel(this))
    , m_error(new ErrorBar(QStringLiteral("accountError"), this))
    , m_import(new QPushButton(tr("Import profile…"), this))
    , m_cli(new QPushButton(tr("Use the E2B CLI's key"), this))
    , m_test(new QPushButton(tr("Test"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_add(new QPushButton(tr("Add account"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("addAccountDialog"), tr("Add account"));
    setWindowTitle(tr("Add account"));
    nameWidget(m_cloud, QStringLiteral("accountKindCloud"), m_cloud->text());
    nameWidget(m_server, QStringLiteral("accountKindServer"), m_server->text());
    m_problem->setObjectName(QStringLiteral("accountProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);

    layOutDialog(this, m_error, page(), buttons());
    resize(600, 576); // room for the server's fields and what a test says of them

    connect(m_cloud, &QRadioButton::toggled, this, &AddAccountDialog::kindChanged);
    connect(m_form, &AccountForm::changed, this, &AddAccountDialog::validate);
    connect(m_key, &QLineEdit::textChanged, this, &AddAccountDialog::validate);
    connect(m_error, &ErrorBar::retryRequested, this, [this] {
        if (m_canKeep)
            add(KeyPlace::ThisSession);
    });
    m_cloud->setChecked(true);
    m_form->nameField()->setText(tr("E2B Cloud"));
    m_key->setFocus();
}

QWidget *AddAccountDialog::page()
{
    auto *page = new QWidget;
    auto *kinds = new QHBoxLayout;
    kinds->setSpacing(3 * kGrid);
    kinds->addWidget(m_cloud);
    kinds->addWidget(m_server);
    kinds->addStretch(1);
    kinds->addWidget(m_cli);
    kinds->addWidget(m_import);
    m_form->insertRow(tr("API &key"), m_key);
    QLabel *promise = mutedLabel(tr("The key is kept in the desktop's keychain, and never in a file."), page);
    promise->setWordWrap(true);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addLayout(kinds);
    column->addWidget(m_form);
    column->addWidget(promise);
    column->addWidget(m_report);
    column->addWidget(m_problem);
    column->addStretch(1);
    QScrollArea *area = scrolledPage(page, QStringLiteral("accountForm"), this);
    // What a test says comes last, and its failed step last of all.
    connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, m_report, [this, bar = area->verticalScrollBar()] {
        if (m_report->isVisible())
            bar->setValue(bar->maximum());
    });
    return area;
}

QWidget *AddAccountDialog::buttons()
{
    nameWidget(m_import, QStringLiteral("accountImport"), m_import->text());
    m_import->setToolTip(tr("Read a connection profile: a JSON file that says how to reach a server."));
    nameWidget(m_cli, QStringLiteral("accountCli"), m_cli->text());
    m_cli->setToolTip(
        toolTipText(tr("Read the key from %1. Nothing is read before you press this.").arg(session::cliConfigPath())));
    m_cli->setVisible(QFileInfo::exists(session::cliConfigPath()));
    nameWidget(m_test, QStringLiteral("accountTest"), tr("Test the connection"));
    nameWidget(m_cancel, QStringLiteral("accountCancel"), m_cancel->text());
    nameWidget(m_add, QStringLiteral("accountAdd"), m_add->text());
    for (QPushButton *button : {m_import, m_cli, m_test, m_cancel})
        button->setAutoDefault(false);
    m_add->setDefault(true);
    connect(m_import, &QPushButton::clicked, this, &AddAccountDialog::chooseProfile);
    connect(m_cli, &QPushButton::clicked, this, &AddAccountDialog::readCliAccount);
    connect(m_test, &QPushButton::clicked, this, &AddAccountDialog::test);
    connect(m_add, &QPushButton::clicked, this, [this] { add(KeyPlace::Keychain); });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);

    return buttonBar(m_test, {m_cancel, m_add}, this);
}

void AddAccountDialog::offerKey(const Secret &key)
{
    m_key->setKey(key);
}

void AddAccountDialog::chooseProfile()
{
    auto *dialog = new QFileDialog(this, tr("Import a connection profile"));
    dialog->setObjectName(QStringLiteral("accountImportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Connection profiles (*.json)"), tr("All files (*)")});
    dialog->setLabelText(QFileDialog::Accept, tr("Look at it"));
    connect(dialog, &QFileDialog::fileSelected, this, &AddAccountDialog::readProfile);
    dialog->open();
}

void AddAccountDialog::readProfile(const QString &path)
{
    m_canKeep = false;
    const QString name = quoted(displayText(QFileInfo(path).fileName(), 80));
    const auto bytes = session::readSmallFile(path);
    if (!bytes) {
        m_error->showError(bytes.error(), tr("The profile %1 was not read.").arg(name));
        return;
    }
    const auto imported = session::importProfile(*bytes, session::processEnvironment());
    if (!imported) {
        m_error->showText(tr("Nothing was imported from %1. %2").arg(name, importProblem(imported.error())));
        return;
    }
    m_error->clear();
    auto *preview = new ImportPreviewDialog(*imported, QFileInfo(path).fileName(), this);
    connect(preview, &QDialog::accepted, this, [this, imported = *imported] { take(imported); });
    preview->open();
}

void AddAccountDialog::take(const session::ImportedProfile &imported)
{
    {
        const QSignalBlocker quiet(m_cloud);
        (imported.profile.kind == Kind::E2bCloud ? m_cloud : m_server)->setChecked(true);
    }
    m_form->setProfile(imported.profile);
    if (imported.profile.name.isEmpty())
        m_form->nameField()->setText(imported.profile.apiUrl.host());
    m_defaults = imported.defaults;
    m_key->setKey(imported.key);
    validate();
    (m_key->key().isEmpty() ? static_cast<QWidget *>(m_key) : m_add)->setFocus();
}

void AddAccountDialog::readCliAccount()
{
    m_canKeep = false;
    const auto bytes = session::readSmallFile(session::cliConfigPath());
    if (!bytes) {
        m_error->showError(bytes.error(), tr("The E2B CLI's settings were not read."));
        return;
    }
    const auto account = session::readCliConfig(*bytes);
    if (!account) {
        m_error->showText(tr("The E2B CLI's settings hold no key that Boxdeck understands. Sign in there again with "
                             "e2b auth login, or enter the key here."));
        return;
    }
    m_error->clear();
    m_cloud->setChecked(true);
    if (!account->project.trimmed().isEmpty())
        m_form->nameField()->setText(displayText(account->project.trimmed(), 80));
    m_key->setKey(account->key);
}

void AddAccountDialog::kindChanged()
{
    const bool server = m_server->isChecked();
    m_form->setKind(server ? Kind::SelfHosted : Kind::E2bCloud);
    QLineEdit *name = m_form->nameField();
    if (server && name->text() == tr("E2B Cloud"))
        name->clear();
    else if (!server && name->text().isEmpty())
        name->setText(tr("E2B Cloud"));
    (server ? m_form->urlField() : static_cast<QLineEdit *>(m_key))->setFocus();
    validate();
}

std::optional<ConnectionProfile> AddAccountDialog::profile(bool tell)
{
    QString problem;
    const auto result = m_form->profile(&problem);
    if (problem.isEmpty() && m_key->key().isEmpty())
        problem = tr("Enter the API key. It begins with e2b_.");
    if (tell)
        m_problem->setText(problem);
    return problem.isEmpty() ? result : std::nullopt;
}

void AddAccountDialog::validate()
{
    m_running.cancel();
    m_report->clear();
    m_problem->clear();
    const bool good =
        profile(!m_key->key().isEmpty() && (m_cloud->isChecked() || !m_form->urlField()->text().isEmpty())).has_value();
    m_add->setEnabled(good && !m_busy);
    m_test->setEnabled(good && !m_busy);
    setTextColor(m_problem, Token::Danger);
    m_problem->setVisible(!m_problem->text().isEmpty());
}

void AddAccountDialog::test()
{
    const auto wanted = profile(true);
    if (!wanted)
        return;
    m_report->setRunning();
    // Disabled it hands the focus on to "Cancel", where Enter would add the account all the same.
    const bool hadFocus = m_test->hasFocus();
    m_test->setEnabled(false);
    m_running = m_accounts.test(*wanted, m_key->key());
    m_running.then(this, [this, hadFocus](const Result<session::TestReport> &report) {
        m_test->setEnabled(true);
        if (hadFocus && (!focusWidget() || focusWidget() == m_cancel))
            m_test->setFocus(Qt::OtherFocusReason);
        if (report)
            m_report->setReport(*report);
        else
            m_error->showError(report.error(), tr("The server was not tested."));
    });
}

void AddAccountDialog::setBusy(bool busy)
{
    m_busy = busy;
    m_add->setText(busy ? tr("Adding…") : tr("Add account"));
    m_add->setEnabled(!busy);
    m_test->setEnabled(!busy);
}

void AddAccountDialog::add(KeyPlace place)
{
    const auto wanted = profile(true);
    if (!wanted || m_busy)
        return;
    m_error->clear();
    setBusy(true);
    m_accounts.add(*wanted, m_key->key(), place, m_defaults).then(this, [this](const Result<QUuid> &added) {
        setBusy(false);
        if (added) {
            accept();
            return;
        }
        const Error &error = added.error();
        m_canKeep = error.kind != ErrorKind::Local && error.code != QLatin1String("exists");
        if (error.kind == ErrorKind::Local)
            m_error->showText(localProblem(error));
        else
            m_error->showText(keychainSentence(error), m_canKeep ? tr("Keep it for this session") : QString());
    });
}

} // namespace boxdeck::ui
