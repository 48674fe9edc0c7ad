// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/confirm.h"

#include "backend/core/display_text.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <memory>

namespace boxdeck::ui {

namespace {

struct Confirm
{
    Q_DECLARE_TR_FUNCTIONS(Confirm)
};

constexpr int kDialogWidth = 440;
constexpr int kVisibleItems = 6;

QListWidget *itemList(const Question &question, QWidget *parent)
{
    auto *list = new QListWidget(parent);
    nameWidget(list, question.name + QLatin1String("Items"), Confirm::tr("What it applies to"));
    list->setFont(Theme::monospace());
    list->setSelectionMode(QAbstractItemView::NoSelection);
    list->setTextElideMode(Qt::ElideMiddle);
    for (const QString &item : question.items)
        list->addItem(displayText(item, 300));
    const int rows = std::min<int>(kVisibleItems, static_cast<int>(question.items.size()));
    list->setFixedHeight(rows * kRowHeight + 2);
    return list;
}

} // namespace

QDialog *ask(QWidget *parent, const Question &question, QObject *context, std::function<void(Answer)> answered)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(question.title);
    nameWidget(dialog, question.name, question.title);
    dialog->setAccessibleDescription(question.text);

    auto *picture = new QLabel(dialog);
    picture->setPixmap(iconPixmap(question.danger ? "warning" : "info", 32,
                                  question.danger ? Token::Danger : Token::Accent, dialog->devicePixelRatioF()));
    auto *text = new QLabel(question.text, dialog);
    text->setObjectName(question.name + QLatin1String("Text"));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    auto *words = new QVBoxLayout;
    words->setSpacing(kGrid);
    words->addWidget(text);
    if (!question.consequence.isEmpty()) {
        QLabel *consequence = mutedLabel(question.consequence, dialog);
        consequence->setWordWrap(true);
        consequence->setObjectName(question.name + QLatin1String("Consequence"));
        words->addWidget(consequence);
    }
    if (!question.items.isEmpty())
        words->addWidget(itemList(question, dialog));
    words->addStretch(1);
    auto *top = new QHBoxLayout;
    top->setSpacing(2 * kGrid);
    top->addWidget(picture, 0, Qt::AlignTop);
    top->addLayout(words, 1);

    auto *accept = new QPushButton(question.acceptVerb, dialog);
    nameWidget(accept, question.name + QLatin1String("Accept"), question.acceptVerb);
    accept->setProperty("danger", question.danger);
    auto *cancel = new QPushButton(question.cancelVerb.isEmpty() ? Confirm::tr("Cancel") : question.cancelVerb, dialog);
    nameWidget(cancel, question.name + QLatin1String("Cancel"), cancel->text());
    QPushButton *alternative = nullptr;
    if (!question.alternativeVerb.isEmpty()) {
        alternative = new QPushButton(question.alternativeVerb, dialog);
        nameWidget(alternative, question.name + QLatin1String("Alternative"), question.alternativeVerb);
        alternative->setAutoDefault(false);
    }
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    if (alternative)
        buttons->addWidget(alternative);
    buttons->addWidget(accept);
    (question.danger ? cancel : accept)->setDefault(true);
    (question.danger ? accept : cancel)->setAutoDefault(false);

    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(3 * kGrid);
    column->addLayout(top, 1);
    column->addLayout(buttons);
    dialog->setMinimumWidth(kDialogWidth);

    // One answer, and none for a context that has died: a question must never act for somebody who is gone.
    const auto once = std::make_shared<std::function<void(Answer)>>(std::move(answered));
    const auto give = [dialog, once, guard = QPointer<QObject>(context)](Answer answer) {
        if (auto run = std::exchange(*once, {}); run && guard)
            run(answer);
        dialog->close();
    };
    QObject::connect(accept, &QPushButton::clicked, dialog, [give] { give(Answer::Accept); });
    QObject::connect(cancel, &QPushButton::clicked, dialog, [give] { give(Answer::Cancel); });
    QObject::connect(dialog, &QDialog::rejected, dialog, [give] { give(Answer::Cancel); });
    if (alternative)
        QObject::connect(alternative, &QPushButton::clicked, dialog, [give] { give(Answer::Alternative); });
    if (context)
        QObject::connect(context, &QObject::destroyed, dialog, &QWidget::close);
    (question.danger ? cancel : accept)->setFocus();
    dialog->open();
    return dialog;
}

QDialog *confirm(QWidget *parent, const Question &question, QObject *context, std::function<void()> accepted)
{
    return ask(parent, question, context, [accepted = std::move(accepted)](Answer answer) {
        if (answer == Answer::Accept)
            accepted();
    });
}

} // namespace boxdeck::ui
