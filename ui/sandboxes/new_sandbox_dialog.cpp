// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/new_sandbox_dialog.h"

#include "backend/protocol/new_sandbox_check.h"
#include "backend/session/new_sandbox.h"
#include "backend/session/session.h"
#include "ui/accounts/account_text.h"
#include "ui/common/error_bar.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/create_text.h"
#include "ui/sandboxes/lifetime_dialog.h"
#include "ui/sandboxes/pairs_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace boxdeck::ui {

namespace {

QLabel *formLabel(const QString &text, QWidget *buddy)
{
    auto *label = new QLabel(text);
    label->setBuddy(buddy);
    label->setMinimumHeight(kRowHeight);
    label->setAlignment(Qt::AlignRight | Qt::AlignTop);
    label->setContentsMargins(0, 6, 0, 0);
    return label;
}

} // namespace

NewSandboxDialog::NewSandboxDialog(session::Session &session, const QString &templateName, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_template(new QComboBox(this))
    , m_name(new QLineEdit(this))
    , m_lifetime(new DurationEdit(QStringLiteral("newSandboxLifetime"), tr("Time to live"), this))
    , m_atEnd(new QComboBox(this))
    , m_autoResume(new QCheckBox(tr("Wake it when something connects to it"), this))
    , m_secure(new QCheckBox(tr("Ask for a token before files and programs can be reached"), this))
    , m_metadata(
          new PairsEditor(QStringLiteral("newSandboxMetadata"), tr("Key"), tr("Value"), PairsEditor::Names::Any, this))
    , m_variables(new PairsEditor(QStringLiteral("newSandboxVariables"), tr("Variable"), tr("Value"),
                                  PairsEditor::Names::Environment, this))
    , m_problem(new QLabel(this))
    , m_error(new ErrorBar(QStringLiteral("newSandboxError"), this))
    , m_create(new QPushButton(tr("Create sandbox"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("newSandboxDialog"), tr("New sandbox"));
    setWindowTitle(tr("New sandbox – %1").arg(accountName(session.profile())));

    nameWidget(m_template, QStringLiteral("newSandboxTemplate"), tr("Template"));
    m_template->setEditable(true);
    m_template->setInsertPolicy(QComboBox::NoInsert);
    nameWidget(m_template->lineEdit(), QStringLiteral("newSandboxTemplateEdit"), tr("Template"));
    nameWidget(m_name, QStringLiteral("newSandboxName"), tr("Name"));
    m_name->setPlaceholderText(tr("Optional, for people"));
    nameWidget(m_atEnd, QStringLiteral("newSandboxAtEnd"), tr("When its time is over"));
    m_atEnd->addItem(tr("Kill it: programs and files are gone"), false);
    m_atEnd->addItem(tr("Pause it: it can be resumed later"), true);
    nameWidget(m_autoResume, QStringLiteral("newSandboxAutoResume"), m_autoResume->text());
    nameWidget(m_secure, QStringLiteral("newSandboxSecure"), m_secure->text());
    m_secure->setMinimumHeight(kRowHeight); // on one line with its label
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("newSandboxProblem"));
    nameWidget(m_create, QStringLiteral("newSandboxCreate"), m_create->text());
    nameWidget(m_cancel, QStringLiteral("newSandboxCancel"), m_cancel->text());
    m_create->setDefault(true);
    m_cancel->setAutoDefault(false);

    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    buttons->setSpacing(kGrid);
    buttons->addWidget(m_problem, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_create);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_error);
    column->addWidget(form(), 1);
    column->addWidget(hairline(this));
    column->addLayout(buttons);
    resize(600, 520);

    fillTemplates();
    begin(templateName);
    connect(&session.templates(), &session::TemplateStore::updated, this, &NewSandboxDialog::fillTemplates);
    connect(&session, &QObject::destroyed, this, &QWidget::close);
    connect(m_template, &QComboBox::editTextChanged, this, &NewSandboxDialog::validate);
    connect(m_metadata, &PairsEditor::changed, this, &NewSandboxDialog::validate);
    connect(m_variables, &PairsEditor::changed, this, &NewSandboxDialog::validate);
    connect(m_lifetime, &DurationEdit::changed, this, &NewSandboxDialog::validate);
    connect(m_autoResume, &QCheckBox::toggled, this, &NewSandboxDialog::validate);
    connect(m_secure, &QCheckBox::toggled, this, &NewSandboxDialog::validate);
    connect(m_atEnd, &QComboBox::currentIndexChanged, this, &NewSandboxDialog::validate);
    connect(m_create, &QPushButton::clicked, this, &NewSandboxDialog::submit);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    validate();
    m_name->setFocus();
}

QWidget *NewSandboxDialog::form()
{
    auto *page = new QWidget;
    auto *rows = new QFormLayout(page);
    rows->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    rows->setHorizontalSpacing(2 * kGrid);
    rows->setVerticalSpacing(kGrid + kGrid / 2);
    rows->addRow(formLabel(tr("Te&mplate"), m_template), m_template);
    rows->addRow(formLabel(tr("&Name"), m_name), m_name);
    rows->addRow(formLabel(tr("&Time to live"), m_lifetime), m_lifetime);
    rows->addRow(formLabel(tr("&At its end"), m_atEnd), m_atEnd);
    rows->addRow(nullptr, m_autoResume);
    rows->addRow(formLabel(tr("Security"), m_secure), m_secure);
    rows->addRow(formLabel(tr("Metadata"), nullptr), m_metadata);
    rows->addRow(formLabel(tr("Environment"), nullptr), m_variables);
    for (QComboBox *box : {m_template, m_atEnd})
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("newSandboxForm"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(page);
    return area;
}

void NewSandboxDialog::fillTemplates()
{
    const QString typed = m_template->currentText();
    QStringList names;
    for (const protocol::TemplateSummary &entry : m_session.templates().items()) {
        if (entry.isSpawnable())
            names << entry.displayName();
    }
    if (!names.contains(QStringLiteral("base")))
        names << QStringLiteral("base");
    names.sort(Qt::CaseInsensitive);
    const QSignalBlocker quiet(m_template);
    m_template->clear();
    m_template->addItems(names);
    m_template->setEditText(typed);
}

void NewSandboxDialog::begin(const QString &templateName)
{
    const auto usual = session::newSandboxFor(m_session.profile(), m_session.createDefaults());
    m_template->setEditText(templateName.isEmpty() ? usual.templateId : templateName);
    m_lifetime->setDuration(usual.timeout);
    m_atEnd->setCurrentIndex(m_atEnd->findData(usual.autoPause));
    m_autoResume->setChecked(usual.autoResume);
    m_secure->setChecked(usual.secure);
    m_metadata->setPairs(usual.metadata);
    m_variables->setPairs(usual.envVars);
}

protocol::NewSandbox NewSandboxDialog::wanted() const
{
    // What this dialog has no field for is as the account says: internet access, network rules, mounts.
    auto result = session::newSandboxFor(m_session.profile(), m_session.createDefaults());
    result.templateId = m_template->currentText().trimmed();
    result.timeout = m_lifetime->duration();
    result.autoPause = m_atEnd->currentData().toBool();
    result.autoResume = result.autoPause && m_autoResume->isChecked();
    result.secure = m_secure->isChecked();
    result.metadata = m_metadata->pairs();
    if (!m_name->text().trimmed().isEmpty())
        result.metadata.insert(QStringLiteral("name"), m_name->text().trimmed());
    result.envVars = m_variables->pairs();
    return result;
}

void NewSandboxDialog::validate()
{
    m_autoResume->setEnabled(!m_busy && m_atEnd->currentData().toBool());
    QString problem;
    if (problem = m_metadata->problem(); problem.isEmpty())
        problem = m_variables->problem();
    if (problem.isEmpty()) {
        if (const auto refused = protocol::checkNewSandbox(wanted()))
            problem = createProblem(*refused);
    }
    m_problem->setText(problem);
    setTextColor(m_problem, Token::Danger);
    m_create->setEnabled(!m_busy && problem.isEmpty());
}

void NewSandboxDialog::setBusy(bool busy)
{
    m_busy = busy;
    for (QWidget *field :
         {static_cast<QWidget *>(m_template), static_cast<QWidget *>(m_name), static_cast<QWidget *>(m_lifetime),
          static_cast<QWidget *>(m_atEnd), static_cast<QWidget *>(m_secure), static_cast<QWidget *>(m_metadata),
          static_cast<QWidget *>(m_variables)})
        field->setEnabled(!busy);
    m_create->setText(busy ? tr("Creating…") : tr("Create sandbox"));
    validate();
}

void NewSandboxDialog::submit()
{
    if (m_busy)
        return;
    m_error->clear();
    setBusy(true);
    // Owned by the session: closing the dialog must not cut off a request that the server may be acting on.
    m_session.create(wanted()).then(&m_session,
                                    [dialog = QPointer(this)](const Result<protocol::SandboxAccess> &access) {
                                        if (!dialog)
                                            return;
                                        if (access) {
                                            Q_EMIT dialog->created(access->id);
                                            dialog->accept();
                                            return;
                                        }
                                        dialog->setBusy(false);
                                        dialog->m_error->showError(access.error(), tr("No sandbox was created."));
                                    });
}

} // namespace boxdeck::ui
