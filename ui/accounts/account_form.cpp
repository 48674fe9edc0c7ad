// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/account_form.h"

#include "ui/accounts/account_text.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/lifetime_dialog.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::ConnectionProfile;
using Kind = ConnectionProfile::Kind;

namespace {

QFormLayout *newRows()
{
    auto *rows = new QFormLayout;
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setHorizontalSpacing(2 * kGrid);
    rows->setVerticalSpacing(kGrid + kGrid / 2);
    rows->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return rows;
}

QString textOf(const std::optional<QUrl> &url)
{
    return url ? url->toString() : QString();
}

/// An address that may be left out; `problem` gets a sentence that names the field.
std::optional<QUrl> optionalAddress(const QString &typed, const QString &field, QString &problem)
{
    if (typed.trimmed().isEmpty())
        return std::nullopt;
    const auto url = session::parseServerUrl(typed);
    if (url)
        return *url;
    if (problem.isEmpty())
        problem = AccountForm::tr("%1: %2").arg(field, addressProblem(url.error()));
    return std::nullopt;
}

} // namespace

AccountForm::AccountForm(QWidget *parent)
    : QWidget(parent)
    , m_rows(newRows())
    , m_moreRows(newRows())
    , m_name(new QLineEdit(this))
    , m_url(new QLineEdit(this))
    , m_sandboxUrl(new QLineEdit(this))
    , m_domain(new QLineEdit(this))
    , m_advanced(new QToolButton(this))
    , m_more(new QWidget(this))
    , m_gateway(new QLineEdit(this))
    , m_caRow(new QWidget(this))
    , m_caFile(new QLineEdit(this))
    , m_scheme(new QComboBox(this))
    , m_port(new QSpinBox(this))
    , m_user(new QLineEdit(this))
    , m_template(new QLineEdit(this))
    , m_lifetime(new DurationEdit(QStringLiteral("accountLifetime"), tr("Time to live of new sandboxes"), this))
    , m_strict(new QCheckBox(tr("Leave out fields that strict servers refuse"), this))
    , m_multipart(new QCheckBox(tr("Upload files as forms only"), this))
{
    setObjectName(QStringLiteral("accountFields"));
    buildBasic();
    buildAdvanced();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * kGrid);
    column->addLayout(m_rows);
    column->addWidget(m_advanced, 0, Qt::AlignLeft);
    column->addWidget(m_more);

    for (const QLineEdit *field : {m_name, m_url, m_sandboxUrl, m_domain, m_gateway, m_caFile, m_user, m_template})
        connect(field, &QLineEdit::textChanged, this, &AccountForm::changed);
    connect(m_scheme, &QComboBox::currentIndexChanged, this, &AccountForm::changed);
    connect(m_port, &QSpinBox::valueChanged, this, &AccountForm::changed);
    connect(m_lifetime, &DurationEdit::changed, this, &AccountForm::changed);
    connect(m_strict, &QCheckBox::toggled, this, &AccountForm::changed);
    connect(m_multipart, &QCheckBox::toggled, this, &AccountForm::changed);
    setAdvancedShown(false);
    setProfile(ConnectionProfile::selfHosted({}, {}));
}

void AccountForm::buildBasic()
{
    nameWidget(m_name, QStringLiteral("accountName"), tr("Account name"));
    nameWidget(m_url, QStringLiteral("accountUrl"), tr("Server address"));
    m_url->setPlaceholderText(QStringLiteral("https://api.example.com"));
    nameWidget(m_sandboxUrl, QStringLiteral("accountSandboxUrl"), tr("Sandbox address"));
    m_sandboxUrl->setPlaceholderText(tr("Only if all sandboxes share one address"));
    nameWidget(m_domain, QStringLiteral("accountDomain"), tr("Sandbox domain"));
    m_domain->setPlaceholderText(tr("Only if it differs from the server's own"));
    m_rows->addRow(tr("&Name"), m_name);
    m_rows->addRow(tr("&Server address"), m_url);
    m_rows->addRow(tr("Sandbox &address"), m_sandboxUrl);
    m_rows->addRow(tr("Sandbox &domain"), m_domain);

    nameWidget(m_advanced, QStringLiteral("accountAdvanced"), tr("Advanced"));
    m_advanced->setText(tr("Advanced"));
    m_advanced->setCheckable(true);
    m_advanced->setAutoRaise(true);
    m_advanced->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_advanced, &QToolButton::toggled, this, &AccountForm::setAdvancedShown);
}

void AccountForm::buildAdvanced()
{
    m_more->setObjectName(QStringLiteral("accountAdvancedFields"));
    nameWidget(m_gateway, QStringLiteral("accountGateway"), tr("Gateway"));
    m_gateway->setPlaceholderText(tr("Address dialled for every sandbox, such as https://10.0.0.1:8443"));
    nameWidget(m_caFile, QStringLiteral("accountCaFile"), tr("CA file"));
    m_caFile->setPlaceholderText(tr("The system's authorities are trusted"));
    auto *browse = new QPushButton(tr("Choose…"), this);
    nameWidget(browse, QStringLiteral("accountCaChoose"), tr("Choose a CA file"));
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &AccountForm::chooseCaFile);
    auto *caRow = new QHBoxLayout(m_caRow);
    caRow->setContentsMargins(0, 0, 0, 0);
    caRow->setSpacing(kGrid);
    caRow->addWidget(m_caFile, 1);
    caRow->addWidget(browse);
    nameWidget(m_scheme, QStringLiteral("accountScheme"), tr("Scheme of sandbox addresses"));
    m_scheme->addItem(tr("As the server's address"), QString());
    m_scheme->addItem(QStringLiteral("https"), QStringLiteral("https"));
    m_scheme->addItem(QStringLiteral("http"), QStringLiteral("http"));
    nameWidget(m_port, QStringLiteral("accountEnvdPort"), tr("envd port"));
    m_port->setRange(1, 65535);
    m_port->setGroupSeparatorShown(false);
    nameWidget(m_user, QStringLiteral("accountUser"), tr("User inside sandboxes"));
    m_user->setPlaceholderText(tr("None: each sandbox's own default"));
    nameWidget(m_template, QStringLiteral("accountTemplate"), tr("Template of new sandboxes"));
    m_template->setPlaceholderText(ConnectionProfile().defaultTemplate);
    nameWidget(m_strict, QStringLiteral("accountStrict"), m_strict->text());
    m_strict->setToolTip(tr("Network rules, wake on traffic and pausing without memory are then never sent."));
    nameWidget(m_multipart, QStringLiteral("accountMultipart"), m_multipart->text());
    m_multipart->setToolTip(tr("For servers that fail on plain bodies without saying so."));

    m_moreRows->addRow(tr("&Gateway"), m_gateway);
    m_moreRows->addRow(tr("&CA file"), m_caRow);
    m_moreRows->addRow(tr("Sc&heme"), m_scheme);
    m_moreRows->addRow(tr("envd &port"), m_port);
    m_moreRows->addRow(tr("&User"), m_user);
    m_moreRows->addRow(tr("&Template"), m_template);
    m_moreRows->addRow(tr("Time to &live"), m_lifetime);
    m_moreRows->addRow(QString(), m_strict);
    m_moreRows->addRow(QString(), m_multipart);
    qobject_cast<QLabel *>(m_moreRows->labelForField(m_caRow))->setBuddy(m_caFile);
    m_more->setLayout(m_moreRows);

    // Two forms, one column of labels.
    int widest = 0;
    QList<QLabel *> labels;
    for (const QFormLayout *rows : {m_rows, m_moreRows}) {
        for (int row = 0; row < rows->rowCount(); ++row) {
            const QLayoutItem *item = rows->itemAt(row, QFormLayout::LabelRole);
            auto *label = item ? qobject_cast<QLabel *>(item->widget()) : nullptr;
            if (!label)
                continue;
            labels << label;
            widest = std::max(widest, label->sizeHint().width() + kGrid / 2);
        }
    }
    for (QLabel *label : std::as_const(labels)) {
        label->setMinimumWidth(widest);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
}

void AccountForm::chooseCaFile()
{
    auto *dialog = new QFileDialog(this, tr("Choose a CA file"));
    dialog->setObjectName(QStringLiteral("accountCaDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Certificates (*.pem *.crt *.cer)"), tr("All files (*)")});
    dialog->setLabelText(QFileDialog::Accept, tr("Trust this file"));
    connect(dialog, &QFileDialog::fileSelected, m_caFile, &QLineEdit::setText);
    dialog->open();
}

void AccountForm::insertRow(const QString &label, QWidget *field)
{
    int row = 0;
    m_rows->getWidgetPosition(m_url, &row, nullptr);
    m_rows->insertRow(row + 1, label, field);
    setTabOrder(m_url, field);
    setTabOrder(field, m_sandboxUrl);
}

void AccountForm::setAdvancedShown(bool shown)
{
    m_advanced->setChecked(shown);
    m_advanced->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    m_more->setVisible(shown);
}

void AccountForm::showRow(QFormLayout *rows, QWidget *field, bool shown)
{
    field->setVisible(shown);
    if (QWidget *label = rows->labelForField(field))
        label->setVisible(shown);
}

void AccountForm::setKind(Kind kind)
{
    m_base.kind = kind;
    for (QWidget *field : {m_url, m_sandboxUrl, m_domain})
        showRow(m_rows, field, kind == Kind::SelfHosted);
    // boxdeck-host tells its own address, and speaks to this computer only.
    for (QWidget *field :
         {static_cast<QWidget *>(m_gateway), m_caRow, static_cast<QWidget *>(m_scheme), static_cast<QWidget *>(m_port)})
        showRow(m_moreRows, field, kind != Kind::ThisComputer);
    showRow(m_moreRows, m_strict, kind == Kind::SelfHosted);
    showRow(m_moreRows, m_multipart, kind == Kind::SelfHosted);
}

bool AccountForm::hasAdvanced() const
{
    const ConnectionProfile fresh;
    return m_base.gateway || !m_base.caFile.isEmpty() || !m_base.envdScheme.isEmpty() || m_base.strict ||
           m_base.forceMultipart || m_base.envdPort != fresh.envdPort || m_base.user != fresh.user ||
           m_base.defaultTemplate != fresh.defaultTemplate;
}

void AccountForm::setProfile(const ConnectionProfile &profile)
{
    m_base = profile;
    const QSignalBlocker quiet(this);
    m_name->setText(profile.name);
    m_url->setText(profile.apiUrl.toString());
    m_sandboxUrl->setText(textOf(profile.sandboxUrl));
    m_domain->setText(profile.domain);
    m_gateway->setText(textOf(profile.gateway));
    m_caFile->setText(profile.caFile);
    m_scheme->setCurrentIndex(std::max(0, m_scheme->findData(profile.envdScheme)));
    m_port->setValue(profile.envdPort);
    m_user->setText(profile.user);
    m_template->setText(profile.defaultTemplate);
    m_lifetime->setDuration(profile.lifetime);
    m_strict->setChecked(profile.strict);
    m_multipart->setChecked(profile.forceMultipart);
    setKind(profile.kind);
    if (hasAdvanced())
        setAdvancedShown(true);
}

QString AccountForm::readAddresses(ConnectionProfile &profile) const
{
    QString problem;
    if (profile.kind == Kind::SelfHosted) {
        const auto url = session::parseServerUrl(m_url->text());
        if (url)
            profile.apiUrl = *url;
        else
            problem = addressProblem(url.error());
        profile.sandboxUrl = optionalAddress(m_sandboxUrl->text(), tr("Sandbox address"), problem);
        profile.domain = m_domain->text().trimmed();
        if (problem.isEmpty() && profile.domain.contains(u'/'))
            problem = tr("Sandbox domain: give a host name only, such as box.example.com, without https:// or a path.");
    } else if (profile.kind == Kind::E2bCloud) {
        const auto cloud = ConnectionProfile::cloud({});
        profile.apiUrl = cloud.apiUrl;
        profile.domain = cloud.domain;
        profile.sandboxUrl.reset();
    }
    if (profile.kind == Kind::ThisComputer)
        return problem;
    profile.gateway = optionalAddress(m_gateway->text(), tr("Gateway"), problem);
    profile.caFile = m_caFile->text().trimmed();
    if (problem.isEmpty() && !profile.caFile.isEmpty() && !QFileInfo(profile.caFile).isReadable())
        problem = tr("CA file: there is no file %1 that can be read.").arg(quoted(profile.caFile));
    profile.envdScheme = m_scheme->currentData().toString();
    profile.envdPort = m_port->value();
    return problem;
}

std::optional<ConnectionProfile> AccountForm::profile(QString *problem) const
{
    ConnectionProfile result = m_base;
    result.name = m_name->text().trimmed();
    QString wrong = readAddresses(result);
    if (result.name.isEmpty())
        result.name = result.apiUrl.host();
    result.user = m_user->text().trimmed();
    result.defaultTemplate = m_template->text().trimmed();
    if (result.defaultTemplate.isEmpty())
        result.defaultTemplate = QStringLiteral("base");
    result.lifetime = m_lifetime->duration();
    if (result.kind != Kind::ThisComputer) {
        result.strict = m_strict->isChecked();
        result.forceMultipart = m_multipart->isChecked();
    }
    if (problem)
        *problem = wrong;
    return wrong.isEmpty() ? std::optional(result) : std::nullopt;
}

} // namespace boxdeck::ui
