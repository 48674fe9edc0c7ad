// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/key_edit.h"

#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QAction>

namespace boxdeck::ui {

KeyEdit::KeyEdit(const QString &name, QWidget *parent)
    : QLineEdit(parent)
{
    nameWidget(this, name, tr("API key"));
    setEchoMode(QLineEdit::Password);
    setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
    setPlaceholderText(tr("e2b_…"));
    auto *eye = addAction(icon("eye", Token::Muted), QLineEdit::TrailingPosition);
    eye->setObjectName(name + QLatin1String("Show"));
    eye->setToolTip(tr("Show the key"));
    eye->setCheckable(true);
    connect(eye, &QAction::toggled, this, [this, eye](bool shown) {
        setEchoMode(shown ? QLineEdit::Normal : QLineEdit::Password);
        eye->setIcon(icon(shown ? "eye-off" : "eye", Token::Muted));
        eye->setToolTip(shown ? tr("Hide the key") : tr("Show the key"));
    });
}

KeyEdit::~KeyEdit()
{
    const QSignalBlocker quiet(this); // the dialog around it may be half gone already
    clear();
}

Secret KeyEdit::key() const
{
    return Secret(text().trimmed().toUtf8());
}

void KeyEdit::setKey(const Secret &key)
{
    setText(QString::fromUtf8(key.reveal()));
}

} // namespace boxdeck::ui
