// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_pane.h"

#include "backend/core/display_text.h"
#include "backend/terminal/input_encoder.h"
#include "ui/common/confirm.h"
#include "ui/common/empty_state.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"
#include "ui/terminal/terminal_tab.h"
#include "ui/terminal/terminal_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPointer>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using namespace terminal;

namespace {

bool mayRun(const TerminalTab &tab)
{
    const SessionState state = const_cast<TerminalTab &>(tab).session().status().state;
    return state == SessionState::Running || state == SessionState::Broken || state == SessionState::Paused ||
           state == SessionState::Connecting;
}

} // namespace

TerminalPane::TerminalPane(session::Session &session, const protocol::SandboxId &sandbox, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_sandbox(sandbox)
    , m_bar(new QTabBar(this))
    , m_new(new QToolButton(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(QStringLiteral("terminalEmpty"), "terminal", this))
{
    nameWidget(this, QStringLiteral("terminalPane"), tr("Terminals"));
    nameWidget(m_bar, QStringLiteral("terminalTabs"), tr("Terminal tabs"));
    m_bar->setDocumentMode(true);
    m_bar->setTabsClosable(true);
    m_bar->setMovable(true);
    m_bar->setExpanding(false);
    m_bar->setDrawBase(false);
    m_bar->setElideMode(Qt::ElideRight);
    m_bar->setFocusPolicy(Qt::TabFocus);
    m_bar->setUsesScrollButtons(true);
    nameWidget(m_new, QStringLiteral("terminalNewTab"), tr("New terminal"));
    m_new->setIcon(icon("plus"));
    m_new->setToolTip(tr("New terminal (Ctrl+Shift+T)"));
    m_new->setAutoRaise(true);
    m_empty->setText(tr("No terminal open"), tr("Open a shell to work inside the sandbox."));
    m_empty->setAction(tr("Open a terminal"), "terminal");
    m_stack->addWidget(m_empty);

    auto *header = new QHBoxLayout;
    header->setContentsMargins(0, 0, kGrid, 0);
    header->setSpacing(kGrid / 2);
    header->addWidget(m_bar);
    header->addWidget(m_new);
    header->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(header);
    column->addWidget(m_stack, 1);

    connect(m_new, &QToolButton::clicked, this, [this] { newTab(); });
    connect(m_empty, &EmptyState::actionTriggered, this, [this] { newTab(); });
    connect(m_bar, &QTabBar::currentChanged, this, &TerminalPane::selectTab);
    connect(m_bar, &QTabBar::tabCloseRequested, this, &TerminalPane::closeTab);
    connect(m_bar, &QTabBar::tabMoved, this, [this](int from, int to) {
        // The stack keeps the same order behind its empty page.
        QWidget *moved = m_stack->widget(from + 1);
        m_stack->removeWidget(moved);
        m_stack->insertWidget(to + 1, moved);
        selectTab(m_bar->currentIndex());
        updateTabs();
    });
    const auto action = [this](const char *name, const QString &text, const QKeySequence &keys, auto &&triggered) {
        auto *made = new QAction(text, this);
        made->setObjectName(QLatin1String(name));
        made->setShortcut(keys);
        made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QAction::triggered, this, triggered);
        addAction(made);
    };
    // Ctrl+Shift+T is the window's: two actions with one key would cancel each other.
    action("terminalCloseTabAction", tr("Close terminal"), QKeySequence(QStringLiteral("Ctrl+Shift+W")),
           [this] { closeTab(m_bar->currentIndex()); });
    action("terminalPreviousTab", tr("Previous terminal"), QKeySequence(QStringLiteral("Ctrl+PgUp")),
           [this] { stepTab(-1); });
    action("terminalNextTab", tr("Next terminal"), QKeySequence(QStringLiteral("Ctrl+PgDown")), [this] { stepTab(1); });

    const auto mine = [this](const protocol::SandboxId &id) {
        if (id == m_sandbox)
            sandboxChanged();
    };
    connect(&m_session.sandboxes(), &session::SandboxStore::changed, this, mine);
    connect(&m_session.sandboxes(), &session::SandboxStore::inserted, this, mine);
    connect(&m_session.sandboxes(), &session::SandboxStore::removed, this, mine);
    updateTabs();
}

TerminalPane::~TerminalPane()
{
    // Tabs detach; the shells run on. Nothing of the bar may answer to it any more.
    m_bar->disconnect(this);
}

int TerminalPane::tabCount() const
{
    return m_bar->count();
}

TerminalTab *TerminalPane::tab(int index) const
{
    return index < 0 ? nullptr : qobject_cast<TerminalTab *>(m_stack->widget(index + 1));
}

TerminalTab *TerminalPane::currentTab() const
{
    return tab(m_bar->currentIndex());
}

int TerminalPane::runningCount() const
{
    int count = 0;
    for (int i = 0; i < tabCount(); ++i)
        count += mayRun(*tab(i)) ? 1 : 0;
    return count;
}

// --- opening ---

void TerminalPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_shown, true) || tabCount() != 0)
        return;
    m_restorePending = true;
    restore();
}

TerminalTab *TerminalPane::addTab(std::optional<RemotePath> cwd)
{
    TerminalSession::Source source{
        .envd = [&session = m_session, id = m_sandbox] { return session.envd(id); },
        .forget = [&session = m_session, id = m_sandbox] { session.forgetEnvd(id); },
    };
    TerminalSession::Program program;
    program.cwd = std::move(cwd);
    program.tag = QStringLiteral("boxdeck.terminal.") + m_session.profile().id.toString(QUuid::WithoutBraces);
    auto *made = new TerminalTab(std::make_unique<TerminalSession>(std::move(source), std::move(program), m_clock));
    connect(made, &TerminalTab::changed, this, &TerminalPane::updateTabs);
    connect(made, &TerminalTab::filesDropped, this, &TerminalPane::filesDropped);
    connect(made, &TerminalTab::resumeRequested, this, &TerminalPane::resumeRequested);
    m_stack->addWidget(made);
    m_bar->addTab(icon("terminal"), QString());
    updateTabs();
    return made;
}

void TerminalPane::newTab(std::optional<RemotePath> cwd)
{
    m_shown = true;
    TerminalTab *made = addTab(std::move(cwd));
    m_bar->setCurrentIndex(tabCount() - 1);
    selectTab(tabCount() - 1);
    made->session().start();
    made->setFocus(Qt::OtherFocusReason);
}

// Attaches to what an earlier run left, or opens a shell. Where the sandbox can't be asked now, an ordinary tab says
// why; when it can be, sandboxChanged() comes back here.
void TerminalPane::restore()
{
    m_restoring = m_session.envd(m_sandbox).chain([](Result<std::shared_ptr<api::Envd>> envd) {
        if (!envd)
            return Call<QList<protocol::ProcessInfo>>::settled(tl::unexpected(envd.error()));
        return (*envd)->processes().list().map(
            [keep = *envd](Result<QList<protocol::ProcessInfo>> list) { return list; });
    });
    m_restoring.then(this, [this](const Result<QList<protocol::ProcessInfo>> &list) {
        m_restoring = {};
        QList<quint32> pids;
        const QString tag = QStringLiteral("boxdeck.terminal.") + m_session.profile().id.toString(QUuid::WithoutBraces);
        if (list) {
            m_restorePending = false;
            for (const protocol::ProcessInfo &process : *list)
                if (process.tag == tag)
                    pids.append(process.pid);
        }
        for (int i = 0; i < tabCount(); ++i)
            if (const auto pid = tab(i)->session().pid())
                pids.removeAll(*pid);
        // A tab that waited for the sandbox takes the first of them.
        TerminalTab *waiting = tabCount() == 1 && !tab(0)->session().pid() && !mayRun(*tab(0)) ? tab(0) : nullptr;
        if (tabCount() == 1 && tab(0)->session().status().state == SessionState::Paused)
            waiting = tab(0);
        for (const quint32 pid : std::as_const(pids)) {
            TerminalTab *to = waiting != nullptr ? std::exchange(waiting, nullptr) : addTab({});
            to->session().attach(pid);
        }
        if (pids.isEmpty() && waiting != nullptr)
            waiting->session().start();
        else if (tabCount() == 0)
            addTab({})->session().start();
        selectTab(m_bar->currentIndex());
        // Whoever came here while there was nothing to type in means the terminal.
        if (QWidget *focused = focusWidget(); focused != nullptr && focused->hasFocus() && currentTab() != nullptr)
            currentTab()->setFocus(Qt::OtherFocusReason);
    });
}

void TerminalPane::sandboxChanged()
{
    const auto known = m_session.sandboxes().find(m_sandbox);
    const auto state = known ? known->state : protocol::SandboxState::Terminal;
    if (state == protocol::SandboxState::Running && m_restorePending && !m_restoring.isValid() && m_shown)
        return restore();
    for (int i = 0; i < tabCount(); ++i)
        tab(i)->session().sandboxStateChanged(state);
}

void TerminalPane::typePaths(const QList<RemotePath> &paths)
{
    TerminalTab *to = currentTab();
    if (to == nullptr)
        return;
    QByteArray words;
    for (const RemotePath &path : paths)
        words += shellQuoted(path.bytes()) + ' ';
    to->session().write(words);
}

// --- tabs ---

void TerminalPane::selectTab(int index)
{
    TerminalTab *shown = tab(index);
    setFocusProxy(shown != nullptr ? static_cast<QWidget *>(shown) : m_empty->actionButton());
    m_stack->setCurrentWidget(shown != nullptr ? static_cast<QWidget *>(shown) : m_empty);
    if (shown != nullptr)
        shown->clearBell();
}

void TerminalPane::stepTab(int by)
{
    if (tabCount() == 0)
        return;
    m_bar->setCurrentIndex((m_bar->currentIndex() + by + tabCount()) % tabCount());
    currentTab()->setFocus(Qt::OtherFocusReason);
}

void TerminalPane::updateTabs()
{
    for (int i = 0; i < tabCount(); ++i) {
        const TerminalTab *shown = tab(i);
        if (shown == nullptr)
            continue;
        const QString name = QStringLiteral("%1 %2").arg(i + 1).arg(shown->title());
        m_bar->setTabText(i, QString(name).replace(u'&', QLatin1String("&&")));
        m_bar->setTabToolTip(i, toolTipText(name));
        m_bar->setAccessibleTabName(i, name);
        const SessionState state = const_cast<TerminalTab *>(shown)->session().status().state;
        const bool ended = state != SessionState::Running && state != SessionState::Connecting;
        m_bar->setTabIcon(i, shown->hasBell()                ? icon("activity", Token::Warning)
                             : state == SessionState::Paused ? icon("paused", Token::Paused)
                             : state == SessionState::Broken ? icon("broken-link", Token::Warning)
                             : ended                         ? icon("ended", Token::Muted)
                                                             : icon("terminal"));
    }
    m_bar->setVisible(tabCount() != 0);
    m_bar->updateGeometry();
    if (tabCount() == 0)
        m_stack->setCurrentWidget(m_empty);
}

void TerminalPane::closeTab(int index)
{
    TerminalTab *closing = tab(index);
    if (closing == nullptr)
        return;
    if (!mayRun(*closing) || !closing->session().pid())
        return removeTab(closing);
    const QString name = m_bar->accessibleTabName(index);
    ask(this,
        {.name = QStringLiteral("terminalCloseQuestion"),
         .title = tr("Close terminal"),
         .text = tr("Close the terminal “%1”?").arg(name),
         .consequence = tr("Ending its shell also ends what runs in it. Kept running, it is found again the next time "
                           "the sandbox is opened here."),
         .acceptVerb = tr("End the shell"),
         .alternativeVerb = tr("Keep it running"),
         .danger = true},
        closing, [this, closing](Answer answer) {
            if (answer == Answer::Cancel)
                return;
            if (answer == Answer::Accept)
                closing->session().kill().then(this, [](const Result<void> &) {});
            removeTab(closing);
        });
}

void TerminalPane::removeTab(TerminalTab *closing)
{
    const int index = m_stack->indexOf(closing) - 1;
    m_stack->removeWidget(closing);
    closing->disconnect(this);
    closing->deleteLater();
    m_bar->removeTab(index);
    updateTabs();
    selectTab(m_bar->currentIndex());
    if (TerminalTab *next = currentTab())
        next->setFocus(Qt::OtherFocusReason);
}

} // namespace boxdeck::ui
