// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/key_dialog.h"

#include "ui/accounts/account_text.h"
#include "ui/accounts/key_edit.h"
#include "ui/common/error_bar.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::KeyPlace;

KeyDialog::KeyDialog(session::Accounts &accounts, const QUuid &id, QWidget *parent)
    : QDialog(parent)
    , m_accounts(accounts)
    , m_id(id)
    , m_key(new KeyEdit(QStringLiteral("keyDialogKey"), this))
    , m_error(new ErrorBar(QStringLiteral("keyDialogError"), this))
    , m_keep(new QPushButton(tr("Store in the keychain"), this))
    , m_session(new QPushButton(tr("Use for this session"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("keyDialog"), tr("API key"));
    setWindowTitle(tr("API key"));
    auto *question = new QLabel(tr("Which key shall be used for %1?").arg(quoted(accountName(accounts, id))), this);
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    nameWidget(cancel, QStringLiteral("keyDialogCancel"), cancel->text());
    nameWidget(m_keep, QStringLiteral("keyDialogStore"), m_keep->text());
    nameWidget(m_session, QStringLiteral("keyDialogSession"), m_session->text());
    cancel->setAutoDefault(false);
    m_session->setAutoDefault(false);
    m_keep->setDefault(true);
    QLabel *promise = mutedLabel(tr("For this session only, the key stays in memory and has to be entered again at the "
                                    "next start. It is never written to a file."),
                                 this);
    promise->setWordWrap(true);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_session);
    buttons->addWidget(m_keep);
    auto *inner = new QVBoxLayout;
    inner->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    inner->setSpacing(2 * kGrid);
    inner->addWidget(question);
    inner->addWidget(m_key);
    inner->addWidget(promise);
    inner->addStretch(1);
    inner->addLayout(buttons);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_error);
    column->addLayout(inner, 1);
    setMinimumWidth(480);

    const auto validate = [this] {
        m_keep->setEnabled(!m_key->key().isEmpty());
        m_session->setEnabled(!m_key->key().isEmpty());
    };
    connect(m_key, &QLineEdit::textChanged, this, validate);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_keep, &QPushButton::clicked, this, [this] { store(KeyPlace::Keychain); });
    connect(m_session, &QPushButton::clicked, this, [this] { store(KeyPlace::ThisSession); });
    validate();
    m_key->setFocus();
}

void KeyDialog::store(KeyPlace place)
{
    m_error->clear();
    m_keep->setEnabled(false);
    m_session->setEnabled(false);
    m_accounts.setKey(m_id, m_key->key(), place).then(this, [this](const Result<void> &result) {
        m_keep->setEnabled(true);
        m_session->setEnabled(true);
        if (result)
            accept();
        else
            m_error->showText(keychainSentence(result.error()));
    });
}

} // namespace boxdeck::ui
