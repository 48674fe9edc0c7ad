// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/add_account_dialog.h"

#include "ui/accounts/account_text.h"
#include "ui/accounts/key_edit.h"
#include "ui/accounts/test_report_view.h"
#include "ui/common/error_bar.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::ConnectionProfile;
using session::KeyPlace;

AddAccountDialog::AddAccountDialog(session::Accounts &accounts, QWidget *parent)
    : QDialog(parent)
    , m_accounts(accounts)
    , m_cloud(new QRadioButton(tr("E2B Cloud"), this))
    , m_server(new QRadioButton(tr("Own server"), this))
    , m_name(new QLineEdit(this))
    , m_url(new QLineEdit(this))
    , m_sandboxUrl(new QLineEdit(this))
    , m_domain(new QLineEdit(this))
    , m_key(new KeyEdit(QStringLiteral("accountKey"), this))
    , m_report(new TestReportView(QStringLiteral("accountTestReport"), this))
    , m_problem(new QLabel(this))
    , m_error(new ErrorBar(QStringLiteral("accountError"), this))
    , m_test(new QPushButton(tr("Test"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_add(new QPushButton(tr("Add account"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("addAccountDialog"), tr("Add account"));
    setWindowTitle(tr("Add account"));
    nameWidget(m_cloud, QStringLiteral("accountKindCloud"), m_cloud->text());
    nameWidget(m_server, QStringLiteral("accountKindServer"), m_server->text());
    nameWidget(m_name, QStringLiteral("accountName"), tr("Account name"));
    nameWidget(m_url, QStringLiteral("accountUrl"), tr("Server address"));
    m_url->setPlaceholderText(QStringLiteral("https://api.example.com"));
    nameWidget(m_sandboxUrl, QStringLiteral("accountSandboxUrl"), tr("Sandbox address"));
    m_sandboxUrl->setPlaceholderText(tr("Only if all sandboxes share one address"));
    nameWidget(m_domain, QStringLiteral("accountDomain"), tr("Sandbox domain"));
    m_domain->setPlaceholderText(tr("Only if it differs from the server's own"));
    m_problem->setObjectName(QStringLiteral("accountProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    nameWidget(m_test, QStringLiteral("accountTest"), tr("Test the connection"));
    nameWidget(m_cancel, QStringLiteral("accountCancel"), m_cancel->text());
    nameWidget(m_add, QStringLiteral("accountAdd"), m_add->text());
    m_test->setAutoDefault(false);
    m_cancel->setAutoDefault(false);
    m_add->setDefault(true);

    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    buttons->setSpacing(kGrid);
    buttons->addWidget(m_test);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_add);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_error);
    column->addWidget(form(), 1);
    column->addWidget(hairline(this));
    column->addLayout(buttons);
    resize(560, 544); // room for the server's fields and what a test says of them

    connect(m_cloud, &QRadioButton::toggled, this, &AddAccountDialog::kindChanged);
    for (QLineEdit *field : {m_name, m_url, m_sandboxUrl, m_domain, static_cast<QLineEdit *>(m_key)})
        connect(field, &QLineEdit::textChanged, this, &AddAccountDialog::validate);
    connect(m_test, &QPushButton::clicked, this, &AddAccountDialog::test);
    connect(m_add, &QPushButton::clicked, this, [this] { add(KeyPlace::Keychain); });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_error, &ErrorBar::retryRequested, this, [this] { add(KeyPlace::ThisSession); });
    m_cloud->setChecked(true);
    m_name->setText(tr("E2B Cloud"));
    m_key->setFocus();
}

QWidget *AddAccountDialog::form()
{
    auto *page = new QWidget;
    m_rows = new QFormLayout;
    m_rows->setHorizontalSpacing(2 * kGrid);
    m_rows->setVerticalSpacing(kGrid + kGrid / 2);
    m_rows->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *kinds = new QHBoxLayout;
    kinds->setSpacing(3 * kGrid);
    kinds->addWidget(m_cloud);
    kinds->addWidget(m_server);
    kinds->addStretch(1);
    m_rows->addRow(tr("Kind"), kinds);
    m_rows->addRow(tr("&Name"), m_name);
    m_rows->addRow(tr("&Server address"), m_url);
    m_rows->addRow(tr("API &key"), m_key);
    m_rows->addRow(tr("Sandbox &address"), m_sandboxUrl);
    m_rows->addRow(tr("Sandbox &domain"), m_domain);
    QLabel *promise = mutedLabel(tr("The key is kept in the desktop's keychain, and never in a file."), page);
    promise->setWordWrap(true);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addLayout(m_rows);
    column->addWidget(promise);
    column->addWidget(m_report);
    column->addWidget(m_problem);
    column->addStretch(1);
    auto *area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("accountForm"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(page);
    // What a test says comes last, and its failed step last of all.
    connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, m_report, [this, bar = area->verticalScrollBar()] {
        if (m_report->isVisible())
            bar->setValue(bar->maximum());
    });
    return area;
}

void AddAccountDialog::offerKey(const Secret &key)
{
    m_key->setKey(key);
}

void AddAccountDialog::kindChanged()
{
    const bool server = m_server->isChecked();
    for (QLineEdit *field : {m_url, m_sandboxUrl, m_domain}) {
        field->setVisible(server);
        m_rows->labelForField(field)->setVisible(server);
    }
    if (server && m_name->text() == tr("E2B Cloud"))
        m_name->clear();
    else if (!server && m_name->text().isEmpty())
        m_name->setText(tr("E2B Cloud"));
    (server ? m_url : static_cast<QLineEdit *>(m_key))->setFocus();
    validate();
}

std::optional<ConnectionProfile> AddAccountDialog::profile(bool tell)
{
    QString problem;
    ConnectionProfile result;
    if (m_cloud->isChecked()) {
        result = ConnectionProfile::cloud(m_name->text().trimmed());
    } else {
        const auto url = session::parseServerUrl(m_url->text());
        if (url)
            result = ConnectionProfile::selfHosted(
                m_name->text().trimmed().isEmpty() ? url->host() : m_name->text().trimmed(), *url);
        else
            problem = addressProblem(url.error());
        if (url && !m_sandboxUrl->text().trimmed().isEmpty()) {
            const auto sandboxUrl = session::parseServerUrl(m_sandboxUrl->text());
            if (sandboxUrl)
                result.sandboxUrl = *sandboxUrl;
            else
                problem = addressProblem(sandboxUrl.error());
        }
        if (!m_domain->text().trimmed().isEmpty())
            result.domain = m_domain->text().trimmed();
    }
    if (problem.isEmpty() && m_key->key().isEmpty())
        problem = tr("Enter the API key. It begins with e2b_.");
    if (tell)
        m_problem->setText(problem);
    return problem.isEmpty() ? std::optional(result) : std::nullopt;
}

void AddAccountDialog::validate()
{
    m_running.cancel();
    m_report->clear();
    m_problem->clear();
    const bool good =
        profile(!m_key->key().isEmpty() && (m_cloud->isChecked() || !m_url->text().isEmpty())).has_value();
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
    m_accounts.add(*wanted, m_key->key(), place).then(this, [this](const Result<QUuid> &added) {
        setBusy(false);
        if (added) {
            accept();
            return;
        }
        const bool vault = added.error().kind != ErrorKind::Local && added.error().code != QLatin1String("exists");
        m_error->showText(keychainSentence(added.error()), vault ? tr("Keep it for this session") : QString());
    });
}

} // namespace boxdeck::ui
