// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/edit_account_dialog.h"

#include "ui/accounts/account_form.h"
#include "ui/accounts/account_text.h"
#include "ui/accounts/test_report_view.h"
#include "ui/common/dialog_layout.h"
#include "ui/common/error_bar.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::ConnectionProfile;

EditAccountDialog::EditAccountDialog(session::Accounts &accounts, const QUuid &id, QWidget *parent)
    : QDialog(parent)
    , m_accounts(accounts)
    , m_id(id)
    , m_form(new AccountForm(this))
    , m_report(new TestReportView(QStringLiteral("editAccountReport"), this))
    , m_problem(new QLabel(this))
    , m_error(new ErrorBar(QStringLiteral("editAccountError"), this))
    , m_test(new QPushButton(tr("Test"), this))
    , m_save(new QPushButton(tr("Save changes"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("editAccountDialog"), tr("Edit account"));
    setWindowTitle(tr("Edit account – %1").arg(accountName(accounts, id)));
    m_problem->setObjectName(QStringLiteral("editAccountProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    layOutDialog(this, m_error, page(), buttons());
    resize(600, 640);

    if (const auto profile = accounts.profile(id)) {
        ConnectionProfile shown = *profile;
        shown.name = accountName(*profile);
        m_form->setProfile(shown);
        m_form->setAdvancedShown(true);
        const bool local = profile->kind == ConnectionProfile::Kind::ThisComputer;
        m_test->setVisible(!local);
    }
    connect(m_form, &AccountForm::changed, this, &EditAccountDialog::validate);
    connect(&accounts, &session::Accounts::removed, this, [this](const QUuid &gone) {
        if (gone == m_id)
            reject();
    });
    validate();
    m_form->nameField()->setFocus();
}

QWidget *EditAccountDialog::page()
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addWidget(m_form);
    column->addWidget(m_report);
    column->addWidget(m_problem);
    column->addStretch(1);
    return scrolledPage(page, QStringLiteral("editAccountForm"), this);
}

QWidget *EditAccountDialog::buttons()
{
    auto *cancel = new QPushButton(tr("Cancel"), this);
    nameWidget(m_test, QStringLiteral("editAccountTest"), tr("Test the connection"));
    nameWidget(cancel, QStringLiteral("editAccountCancel"), cancel->text());
    nameWidget(m_save, QStringLiteral("editAccountSave"), m_save->text());
    m_test->setAutoDefault(false);
    cancel->setAutoDefault(false);
    m_save->setDefault(true);
    connect(m_test, &QPushButton::clicked, this, &EditAccountDialog::test);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &EditAccountDialog::save);
    return buttonBar(m_test, {cancel, m_save}, this);
}

void EditAccountDialog::validate()
{
    m_running.cancel();
    m_report->clear();
    QString problem;
    const bool good = m_form->profile(&problem).has_value();
    m_problem->setText(problem);
    setTextColor(m_problem, Token::Danger);
    m_problem->setVisible(!problem.isEmpty());
    m_save->setEnabled(good);
    m_test->setEnabled(good);
}

void EditAccountDialog::test()
{
    const auto wanted = m_form->profile(nullptr);
    if (!wanted)
        return;
    m_report->setRunning();
    m_running = m_accounts.testWithKeptKey(*wanted);
    m_running.then(this, [this](const Result<session::TestReport> &report) {
        if (report) {
            m_report->setReport(*report);
            return;
        }
        m_report->clear();
        m_error->showError(report.error(), tr("The server was not tested."));
    });
}

void EditAccountDialog::save()
{
    auto wanted = m_form->profile(nullptr);
    const auto known = m_accounts.profile(m_id);
    if (!wanted || !known)
        return;
    // Whoever did not touch the name keeps it; "This computer" is another word in another language.
    if (wanted->name == accountName(*known))
        wanted->name = known->name;
    const auto saved = m_accounts.update(*wanted);
    if (saved)
        accept();
    else
        m_error->showText(localProblem(saved.error()));
}

} // namespace boxdeck::ui
