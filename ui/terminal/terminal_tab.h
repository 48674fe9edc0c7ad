// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/input_encoder.h"
#include "backend/terminal/terminal_session.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QUrl>
#include <QWidget>

#include <functional>
#include <memory>

namespace boxdeck::ui {

class FindBar;
class PromptBar;
class TerminalView;

/// What a state of a terminal says to people, and the verb of what can be done about it (TerminalSession::proceed(), or
/// resuming the sandbox when Paused). Both may be empty.
struct TerminalSentence
{
    QString text;
    QString verb;
};
TerminalSentence terminalSentence(const terminal::SessionStatus &status);
/// The sentence about output that was not received; empty if none is to be told.
QString missedSentence(const terminal::SessionStatus &status);

/// One terminal: the view, its session, and the bars that speak for it.
class TerminalTab : public QWidget
{
    Q_OBJECT

public:
    explicit TerminalTab(std::unique_ptr<terminal::TerminalSession> session, QWidget *parent = nullptr);
    ~TerminalTab() override;

    terminal::TerminalSession &session() { return *m_session; }
    TerminalView &view() { return *m_view; }
    /// What the tab is called: the program's title, else the program's name. Safe to show.
    QString title() const;
    bool hasBell() const { return m_bell; }
    void clearBell();

Q_SIGNALS:
    /// Title, bell or state changed.
    void changed();
    void filesDropped(const QList<QUrl> &urls);
    void resumeRequested();

private:
    void showStatus();
    void proceed();
    void askAboutPaste(const QString &text, const terminal::PasteRisk &risk);
    void askAboutLink(const QString &address);
    void takeClipboard(const QString &text);
    void saveOutput();
    void ringBell();
    void notice(const QString &text);

    std::unique_ptr<terminal::TerminalSession> m_session;
    TerminalView *m_view;
    PromptBar *m_state;    ///< what the session is doing
    PromptBar *m_missed;   ///< output that was not received
    PromptBar *m_question; ///< a paste or a link
    PromptBar *m_notice;   ///< what a program did, or what went wrong
    FindBar *m_find;
    std::function<void()> m_answer; ///< what accepting the question does
    QString m_title;
    bool m_bell = false;
    QElapsedTimer m_sinceBell;
    QTimer m_countdown;
};

} // namespace boxdeck::ui
