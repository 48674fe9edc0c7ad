// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUuid>
#include <QWidget>

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace boxdeck::session {
class Accounts;
}

namespace boxdeck::ui {

class EmptyState;

/// What the middle of the window shows while no sandbox is open: on the first run a choice of where to begin, later
/// what to do next.
class StartPage : public QWidget
{
    Q_OBJECT

public:
    /// `firstRun`: begin with the choice of where sandboxes live.
    StartPage(session::Accounts &accounts, bool firstRun, QWidget *parent = nullptr);

    /// The choice was made; from now on what to do next is shown.
    void endFirstRun();

Q_SIGNALS:
    void useThisComputer(); ///< a first sandbox is wanted here
    void addAccount();
    void newSandbox();

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeWelcome();
    QPushButton *makeCard(QBoxLayout *row, const QString &name, const char *drawing, const QString &title,
                          const QString &sentence);
    void pressLocal();
    QUuid localAccount() const;
    void update();
    void redraw();

    session::Accounts &m_accounts;
    QStackedWidget *m_stack;
    QWidget *m_welcome;
    EmptyState *m_next;
    QPushButton *m_local = nullptr;
    bool m_firstRun;
    QList<std::pair<QLabel *, const char *>> m_drawings;
};

} // namespace boxdeck::ui
