// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_tab.h"

#include "backend/core/display_text.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/common/save_text.h"
#include "ui/common/ui_util.h"
#include "ui/terminal/find_bar.h"
#include "ui/terminal/prompt_bar.h"
#include "ui/terminal/terminal_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QPushButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using namespace terminal;

namespace {

constexpr int BellEveryMs = 1000;
constexpr int MaxTabTitle = 64;

} // namespace

TerminalTab::TerminalTab(std::unique_ptr<TerminalSession> session, QWidget *parent)
    : QWidget(parent)
    , m_session(std::move(session))
    , m_view(new TerminalView(m_session->emulator(), this))
    , m_state(new PromptBar(QStringLiteral("terminalState"), this))
    , m_missed(new PromptBar(QStringLiteral("terminalMissed"), this))
    , m_question(new PromptBar(QStringLiteral("terminalQuestion"), this))
    , m_notice(new PromptBar(QStringLiteral("terminalNotice"), this))
    , m_find(new FindBar(*m_view, this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_find);
    column->addWidget(m_missed);
    column->addWidget(m_view, 1);
    column->addWidget(m_notice);
    column->addWidget(m_question);
    column->addWidget(m_state);
    setFocusProxy(m_view);

    connect(m_session.get(), &TerminalSession::updated, m_view, &TerminalView::refresh);
    connect(m_session.get(), &TerminalSession::statusChanged, this, &TerminalTab::showStatus);
    connect(m_session.get(), &TerminalSession::bell, this, &TerminalTab::ringBell);
    connect(m_session.get(), &TerminalSession::titleChanged, this, [this](const QString &title) {
        m_title = title;
        Q_EMIT changed();
    });
    connect(m_session.get(), &TerminalSession::clipboardWritten, this, &TerminalTab::takeClipboard);
    connect(m_session.get(), &TerminalSession::inputLost, this,
            [this](const Error &error, qsizetype unknown, qsizetype unsent) {
                notice(errorSentence(error, unknown == 0 ? tr("%n byte(s) typed here did not reach the shell.", nullptr,
                                                              static_cast<int>(unsent))
                                                         : tr("%n byte(s) typed here may not have reached the shell; "
                                                              "look before typing them again.",
                                                              nullptr, static_cast<int>(unknown + unsent))));
            });
    connect(m_view, &TerminalView::input, this, [this](const QByteArray &bytes) {
        if (!m_session->write(bytes))
            notice(tr("The terminal has no room for so much input now. Nothing of it was sent; try a smaller part."));
    });
    connect(m_view, &TerminalView::gridSizeChanged, m_session.get(), &TerminalSession::resize);
    connect(m_view, &TerminalView::proceedRequested, this, &TerminalTab::proceed);
    connect(m_view, &TerminalView::keyRefused, this, [] { QApplication::beep(); });
    connect(m_view, &TerminalView::findRequested, m_find, &FindBar::open);
    connect(m_view, &TerminalView::saveRequested, this, &TerminalTab::saveOutput);
    connect(m_view, &TerminalView::filesDropped, this, &TerminalTab::filesDropped);
    connect(m_view, &TerminalView::pasteQuestion, this, &TerminalTab::askAboutPaste);
    connect(m_view, &TerminalView::linkClicked, this, &TerminalTab::askAboutLink);
    connect(m_view, &TerminalView::linkRefused, this, [this](const QString &address) {
        notice(tr("The link leads to “%1” and is not opened: only web and mail addresses are.")
                   .arg(displayText(address, 200)));
    });
    connect(m_state, &PromptBar::accepted, this, &TerminalTab::proceed);
    connect(m_missed, &PromptBar::closed, m_session.get(), &TerminalSession::acknowledgeMissed);
    connect(m_question, &PromptBar::accepted, this, [this] {
        m_question->clear();
        m_view->setFocus(Qt::OtherFocusReason);
        if (auto answer = std::exchange(m_answer, {}))
            answer();
    });
    connect(m_question, &PromptBar::closed, this, [this] {
        m_answer = {};
        m_view->setFocus(Qt::OtherFocusReason);
    });
    connect(m_notice, &PromptBar::closed, m_view, [this] { m_view->setFocus(Qt::OtherFocusReason); });
    m_countdown.setInterval(1000);
    connect(&m_countdown, &QTimer::timeout, this, &TerminalTab::showStatus);
    showStatus();
}

TerminalTab::~TerminalTab()
{
    // The view holds the session's emulator.
    delete m_view;
}

QString TerminalTab::title() const
{
    if (!m_title.isEmpty())
        return displayText(m_title, MaxTabTitle);
    const QString &cmd = m_session->program().cmd;
    return displayText(cmd.mid(cmd.lastIndexOf(u'/') + 1), MaxTabTitle);
}

void TerminalTab::clearBell()
{
    if (std::exchange(m_bell, false))
        Q_EMIT changed();
}

// --- state ---

void TerminalTab::showStatus()
{
    const SessionStatus &status = m_session->status();
    const bool live = status.state == SessionState::Running || status.state == SessionState::Connecting;
    m_view->setLive(live);
    if (!live && m_answer) {
        m_answer = {}; // it was about a program that is gone
        m_question->clear();
    }
    if (status.state == SessionState::Broken)
        m_countdown.start();
    else
        m_countdown.stop();
    const TerminalSentence sentence = terminalSentence(status);
    const auto tone =
        status.state == SessionState::Failed || status.state == SessionState::Gone   ? PromptBar::Tone::Danger
        : status.state == SessionState::Broken || status.state == SessionState::Lost ? PromptBar::Tone::Warning
                                                                                     : PromptBar::Tone::Neutral;
    if (sentence.text.isEmpty())
        m_state->clear();
    else
        m_state->showPrompt(tone, sentence.text, sentence.verb, false);
    const QString missed = missedSentence(status);
    if (missed.isEmpty())
        m_missed->clear();
    else
        m_missed->showPrompt(PromptBar::Tone::Warning, missed);
    Q_EMIT changed();
}

void TerminalTab::proceed()
{
    m_view->setFocus(Qt::OtherFocusReason);
    if (m_session->status().state == SessionState::Paused)
        Q_EMIT resumeRequested(); // a command that says so; the terminal itself wakes nothing
    else
        m_session->proceed();
}

TerminalSentence terminalSentence(const SessionStatus &status)
{
    switch (status.state) {
    case SessionState::Idle:
    case SessionState::Running:
        return {};
    case SessionState::Connecting:
        return {TerminalTab::tr("Opening a shell in the sandbox…"), {}};
    case SessionState::Exited: {
        const auto &exit = status.exit;
        const QString how =
            !exit || !exit->exitCode ? TerminalTab::tr("The shell ended.")
            : !exit->exited          ? TerminalTab::tr("The shell was ended: %1.").arg(displayText(exit->status, 80))
            : *exit->exitCode == 0   ? TerminalTab::tr("The shell ended.")
                                     : TerminalTab::tr("The shell ended with exit status %1.").arg(*exit->exitCode);
        return {how + u' ' + TerminalTab::tr("Press Enter to open a new one."), TerminalTab::tr("New shell")};
    }
    case SessionState::Broken: {
        const QString from =
            status.missed && status.missed->from.isValid() ? formatClock(status.missed->from) : QString();
        QString text = from.isEmpty()
                           ? TerminalTab::tr("The sandbox can't be reached.")
                           : TerminalTab::tr("The connection to the sandbox broke at %1; output since then is missing, "
                                             "the shell may still run.")
                                 .arg(from);
        const qint64 seconds =
            status.nextTry.isValid() ? QDateTime::currentDateTimeUtc().msecsTo(status.nextTry) / 1000 : 0;
        text += u' ' + (seconds >= 1 ? TerminalTab::tr("Trying again in %1 s; Enter tries now.").arg(seconds)
                                     : TerminalTab::tr("Trying again…"));
        return {text, TerminalTab::tr("Reconnect")};
    }
    case SessionState::Lost: {
        const QString missed =
            status.missed && status.missed->from.isValid()
                ? TerminalTab::tr("What it printed after %1 was not received.").arg(formatClock(status.missed->from)) +
                      u' '
                : QString();
        return {TerminalTab::tr("The shell is gone: it no longer runs in the sandbox.") + u' ' + missed +
                    TerminalTab::tr("Press Enter to open a new one."),
                TerminalTab::tr("New shell")};
    }
    case SessionState::Paused:
        return {
            TerminalTab::tr("The sandbox is paused. Its shell waits there and goes on when the sandbox is resumed."),
            TerminalTab::tr("Resume sandbox")};
    case SessionState::Gone:
        return {TerminalTab::tr(
                    "The sandbox has ended, and its shell with it. What is on screen can still be read and saved."),
                {}};
    case SessionState::Failed:
        return {errorSentence(status.error.value_or(Error{}), TerminalTab::tr("No shell was opened in the sandbox.")),
                TerminalTab::tr("Try again")};
    }
    return {};
}

QString missedSentence(const SessionStatus &status)
{
    if (!status.missed || !status.missed->to.isValid() || status.state == SessionState::Lost)
        return {};
    if (!status.missed->from.isValid())
        return TerminalTab::tr("Attached to a shell that was running already; what it printed before %1 is not here.")
            .arg(formatClock(status.missed->to));
    return TerminalTab::tr("What was printed between %1 and %2 was not received.")
        .arg(formatClock(status.missed->from), formatClock(status.missed->to));
}

// --- questions ---

void TerminalTab::askAboutPaste(const QString &text, const PasteRisk &risk)
{
    QStringList reasons;
    if (risk.severalLines)
        reasons += risk.lines > 1 ? tr("It has %n lines, and the shell runs each as it arrives.", nullptr,
                                       static_cast<int>(risk.lines))
                                  : tr("It ends with a line end, so the shell runs it at once.");
    if (risk.runsAsRoot)
        reasons += tr("It runs something as another user (sudo or the like).");
    if (risk.controls)
        reasons += tr("It holds control characters, which are left out.");
    QString excerpt = text.left(200);
    excerpt.replace(u'\n', QChar(0x21b5));
    m_answer = [this, text] { m_view->pasteNow(text); };
    m_question->showPrompt(PromptBar::Tone::Warning,
                           tr("Paste “%1”?").arg(displayText(excerpt, 80)) + u' ' + reasons.join(u' '),
                           risk.lines > 1 ? tr("Paste %n lines", nullptr, static_cast<int>(risk.lines)) : tr("Paste"));
}

void TerminalTab::askAboutLink(const QString &address)
{
    m_answer = [address] { QDesktopServices::openUrl(QUrl(address, QUrl::StrictMode)); };
    m_question->showPrompt(
        PromptBar::Tone::Neutral,
        tr("Open %1 on this computer? Output in the sandbox made this link.").arg(displayText(address, 300)),
        tr("Open link"));
}

void TerminalTab::takeClipboard(const QString &text)
{
    const auto count = static_cast<int>(text.size());
    if (isVisible() && isActiveWindow()) {
        QGuiApplication::clipboard()->setText(text);
        return notice(tr("A program in this terminal put %n character(s) on the clipboard.", nullptr, count));
    }
    // Somebody is working elsewhere: their clipboard is not replaced behind their back.
    m_answer = [text] { QGuiApplication::clipboard()->setText(text); };
    m_question->showPrompt(
        PromptBar::Tone::Warning,
        tr("A program in this terminal wants to put %n character(s) on the clipboard: “%1”", nullptr, count)
            .arg(displayText(text.left(80))),
        tr("Put on clipboard"));
}

void TerminalTab::notice(const QString &text)
{
    m_notice->showPrompt(PromptBar::Tone::Neutral, text);
}

void TerminalTab::ringBell()
{
    if (m_sinceBell.isValid() && !m_sinceBell.hasExpired(BellEveryMs))
        return;
    m_sinceBell.start();
    QApplication::beep();
    if (!isVisible()) {
        m_bell = true;
        Q_EMIT changed();
    }
    if (!isActiveWindow())
        QApplication::alert(window());
}

void TerminalTab::saveOutput()
{
    saveText(this,
             {.name = QStringLiteral("terminalSaveDialog"),
              .title = tr("Save the terminal's output"),
              .fileName = QStringLiteral("terminal.txt"),
              .text = [this] { return allText(m_session->emulator().screen()) + u'\n'; }},
             [this](const QString &sentence) { notice(sentence); });
}

} // namespace boxdeck::ui
