// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/start_page.h"

#include "backend/session/accounts.h"
#include "ui/common/empty_state.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::Accounts;

namespace {
constexpr int kCardWidth = 280;
constexpr int kDrawing = 96;
} // namespace

StartPage::StartPage(Accounts &accounts, bool firstRun, QWidget *parent)
    : QWidget(parent)
    , m_accounts(accounts)
    , m_stack(new QStackedWidget(this))
    , m_next(new EmptyState(QStringLiteral("startNext"), "sandboxes", this))
    , m_firstRun(firstRun)
{
    nameWidget(this, QStringLiteral("startPage"), tr("Start"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_welcome = makeWelcome();
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_next);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    m_next->setText(tr("No sandbox is open"),
                    tr("Open one from the list with a double-click or Enter, or create a new one."));
    m_next->setAction(tr("New sandbox…"), "plus");
    connect(m_next, &EmptyState::actionTriggered, this, &StartPage::newSandbox);
    for (const auto signal : {&Accounts::added, &Accounts::removed, &Accounts::changed, &Accounts::currentChanged})
        connect(&accounts, signal, this, &StartPage::update);
    redraw();
    update();
}

QWidget *StartPage::makeWelcome()
{
    auto *page = new QWidget(this);
    page->setObjectName(QStringLiteral("welcomePage"));
    auto *title = new QLabel(tr("Welcome to Boxdeck"), page);
    title->setObjectName(QStringLiteral("welcomeTitle"));
    title->setAlignment(Qt::AlignCenter);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.7);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    QLabel *sentence = mutedLabel(tr("Where do your sandboxes live? You can add more later."), page);
    sentence->setAlignment(Qt::AlignCenter);

    auto *cards = new QHBoxLayout;
    cards->setSpacing(3 * kGrid);
    cards->addStretch(1);
    m_local = makeCard(cards, QStringLiteral("welcomeLocal"), "computer", tr("This computer"),
                       tr("Sandboxes run here, each in a container of its own. No account and no network are needed."));
    m_local->setDefault(true);
    connect(m_local, &QPushButton::clicked, this, &StartPage::pressLocal);
    QPushButton *server = makeCard(cards, QStringLiteral("welcomeServer"), "server", tr("A server"),
                                   tr("E2B Cloud or any server that speaks its protocol, with an API key that stays "
                                      "in your keychain."));
    server->setText(tr("Add account…"));
    server->setAccessibleName(server->text());
    connect(server, &QPushButton::clicked, this, &StartPage::addAccount);
    cards->addStretch(1);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    column->setSpacing(kGrid);
    column->addStretch(2);
    column->addWidget(title);
    column->addWidget(sentence);
    column->addSpacing(3 * kGrid);
    column->addLayout(cards);
    column->addStretch(3);
    return page;
}

QPushButton *StartPage::makeCard(QBoxLayout *row, const QString &name, const char *drawing, const QString &title,
                                 const QString &sentence)
{
    auto *card = new QFrame(this);
    card->setObjectName(name + QLatin1String("Card"));
    card->setFrameShape(QFrame::StyledPanel);
    card->setFixedWidth(kCardWidth);
    auto *picture = new QLabel(card);
    picture->setAlignment(Qt::AlignCenter);
    m_drawings.append({picture, drawing});
    auto *heading = new QLabel(title, card);
    heading->setAlignment(Qt::AlignCenter);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    QLabel *words = mutedLabel(sentence, card);
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    auto *button = new QPushButton(card);
    button->setObjectName(name);
    button->setAutoDefault(false);
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    column->setSpacing(kGrid);
    column->addWidget(picture);
    column->addWidget(heading);
    column->addWidget(words, 1);
    column->addSpacing(kGrid);
    column->addWidget(button);
    row->addWidget(card);
    return button;
}

QUuid StartPage::localAccount() const
{
    const auto ids = m_accounts.ids();
    for (const QUuid &id : ids) {
        if (m_accounts.profile(id)->kind == session::ConnectionProfile::Kind::ThisComputer)
            return id;
    }
    return {};
}

void StartPage::pressLocal()
{
    const QUuid local = localAccount();
    const bool ready = m_accounts.state(local) == Accounts::State::Ready;
    m_accounts.setCurrent(local);
    if (ready)
        Q_EMIT useThisComputer();
}

void StartPage::endFirstRun()
{
    m_firstRun = false;
    update();
}

void StartPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        redraw();
}

void StartPage::redraw()
{
    for (const auto &[label, drawing] : std::as_const(m_drawings))
        label->setPixmap(illustration(drawing, kDrawing, devicePixelRatioF()));
}

void StartPage::update()
{
    m_stack->setCurrentWidget(m_firstRun ? m_welcome : static_cast<QWidget *>(m_next));
    m_next->actionButton()->setEnabled(m_accounts.currentSession() != nullptr);
    const QUuid local = localAccount();
    QString verb = tr("Use this computer");
    bool usable = true;
    switch (m_accounts.state(local)) {
    case Accounts::State::Ready:
        verb = tr("New sandbox on this computer…");
        break;
    case Accounts::State::Connecting:
        verb = tr("Starting…");
        usable = false;
        break;
    case Accounts::State::Failed:
        verb = tr("Try again");
        break;
    case Accounts::State::Idle:
    case Accounts::State::NeedsKey:
        break;
    }
    m_local->setText(verb);
    m_local->setAccessibleName(verb);
    m_local->setEnabled(usable && !local.isNull());
}

} // namespace boxdeck::ui
