// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of MainWindow: a file of their own, as they are long and say nothing about how the window works.
#include "backend/session/settings.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/sandboxes/sandboxes_pane.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/shell/workspace_tabs.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

namespace boxdeck::ui {

using ThemeChoice = session::Settings::ThemeChoice;
using AtQuit = session::Settings::AtQuit;

namespace {

QAction *add(QMenu *menu, const QString &name, const QString &text, const QKeySequence &keys = {},
             const char *iconName = nullptr)
{
    auto *action = menu->addAction(text);
    action->setObjectName(name);
    action->setShortcut(keys);
    if (iconName)
        action->setIcon(icon(iconName));
    return action;
}

QAction *addChoice(QMenu *menu, QActionGroup *group, const QString &name, const QString &text, bool checked)
{
    QAction *action = add(menu, name, text);
    action->setCheckable(true);
    action->setChecked(checked);
    group->addAction(action);
    return action;
}

} // namespace

void MainWindow::makeMenus()
{
    menuBar()->setObjectName(QStringLiteral("menuBar"));
    menuBar()->setAccessibleName(tr("Menu"));

    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->setObjectName(QStringLiteral("fileMenu"));
    file->addAction(m_newAction);
    file->addSeparator();
    connect(add(file, QStringLiteral("fileAddAccount"), tr("&Add account…"), {}, "account"), &QAction::triggered, this,
            [this] { addAccount(); });
    connect(add(file, QStringLiteral("fileManageAccounts"), tr("&Manage accounts…"), {}, "settings"),
            &QAction::triggered, this, &MainWindow::manageAccounts);
    QMenu *atQuit = file->addMenu(tr("Sandboxes on this computer at &quit"));
    atQuit->setObjectName(QStringLiteral("atQuitMenu"));
    auto *group = new QActionGroup(this);
    const AtQuit now = m_parts.settings.localSandboxesAtQuit();
    const auto choice = [this, atQuit, group, now](const QString &name, const QString &text, AtQuit value) {
        connect(addChoice(atQuit, group, name, text, value == now), &QAction::triggered, this,
                [this, value] { m_parts.settings.setLocalSandboxesAtQuit(value); });
    };
    choice(QStringLiteral("atQuitAsk"), tr("&Ask"), AtQuit::Ask);
    choice(QStringLiteral("atQuitKeep"), tr("&Keep running"), AtQuit::KeepRunning);
    choice(QStringLiteral("atQuitStop"), tr("&Stop"), AtQuit::Stop);
    file->addSeparator();
    connect(add(file, QStringLiteral("fileQuit"), tr("&Quit"), QKeySequence(QKeySequence::Quit)), &QAction::triggered,
            this, &QWidget::close);

    makeViewMenu();
    makeSandboxMenu();

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    help->setObjectName(QStringLiteral("helpMenu"));
    connect(add(help, QStringLiteral("helpAbout"), tr("&About Boxdeck"), {}, "info"), &QAction::triggered, this,
            [this] { (new AboutDialog(this))->open(); });
}

void MainWindow::makeViewMenu()
{
    QMenu *view = menuBar()->addMenu(tr("&View"));
    view->setObjectName(QStringLiteral("viewMenu"));
    const auto docks = findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly);
    for (QDockWidget *dock : docks) {
        dock->toggleViewAction()->setObjectName(dock->objectName() + QLatin1String("Toggle"));
        view->addAction(dock->toggleViewAction());
    }
    view->addSeparator();
    view->addAction(m_findAction);
    connect(add(view, QStringLiteral("viewRefresh"), tr("&Refresh"), QKeySequence(Qt::Key_F5), "refresh"),
            &QAction::triggered, m_sandboxes->refreshAction(), &QAction::trigger);
    connect(add(view, QStringLiteral("viewNextPane"), tr("&Next pane"), QKeySequence(Qt::Key_F6)), &QAction::triggered,
            this, [this] { walk(false); });
    connect(add(view, QStringLiteral("viewPreviousPane"), tr("&Previous pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6)),
            &QAction::triggered, this, [this] { walk(true); });
    connect(add(view, QStringLiteral("viewResetLayout"), tr("Reset the &layout")), &QAction::triggered, this,
            [this] { restoreState(m_firstState, 1); });
    view->addSeparator();

    QMenu *theme = view->addMenu(icon("theme"), tr("&Theme"));
    theme->setObjectName(QStringLiteral("themeMenu"));
    auto *themes = new QActionGroup(this);
    const ThemeChoice now = m_parts.settings.theme();
    const auto themeChoice = [this, theme, themes, now](const QString &name, const QString &text, ThemeChoice value,
                                                        SchemeChoice scheme) {
        connect(addChoice(theme, themes, name, text, value == now), &QAction::triggered, this, [this, value, scheme] {
            m_parts.settings.setTheme(value);
            m_parts.theme.setChoice(scheme);
        });
    };
    themeChoice(QStringLiteral("themeSystem"), tr("&Like the desktop"), ThemeChoice::System, SchemeChoice::System);
    themeChoice(QStringLiteral("themeLight"), tr("L&ight"), ThemeChoice::Light, SchemeChoice::Light);
    themeChoice(QStringLiteral("themeDark"), tr("&Dark"), ThemeChoice::Dark, SchemeChoice::Dark);

    QMenu *language = view->addMenu(icon("language"), tr("Lan&guage"));
    language->setObjectName(QStringLiteral("languageMenu"));
    auto *languages = new QActionGroup(this);
    const auto languageChoice = [this, language, languages](const QString &name, const QString &text,
                                                            const QString &code) {
        connect(addChoice(language, languages, name, text, m_parts.settings.language() == code), &QAction::triggered,
                this, [this, code] {
                    m_parts.settings.setLanguage(code);
                    m_status->notice(tr("The language changes when Boxdeck is started again."));
                });
    };
    languageChoice(QStringLiteral("languageSystem"), tr("Like the &desktop"), {});
    // Languages are named in themselves: somebody who reads only one finds it.
    languageChoice(QStringLiteral("languageEnglish"), QString::fromLatin1("English"), QStringLiteral("en"));
    languageChoice(QStringLiteral("languageChinese"), QString::fromUtf8("简体中文"), QStringLiteral("zh_CN"));
}

void MainWindow::makeSandboxMenu()
{
    QMenu *sandbox = menuBar()->addMenu(tr("&Sandbox"));
    sandbox->setObjectName(QStringLiteral("sandboxMenuBar"));
    sandbox->addAction(m_sandboxes->openAction());
    sandbox->addSeparator();
    sandbox->addActions({m_sandboxes->pauseAction(), m_sandboxes->resumeAction()});
    sandbox->addSeparator();
    sandbox->addActions({m_sandboxes->extend15Action(), m_sandboxes->extend60Action(), m_sandboxes->extendByAction()});
    sandbox->addSeparator();
    sandbox->addActions({m_sandboxes->forkAction(), m_sandboxes->copyIdAction(), m_sandboxes->killAction()});
    sandbox->addSeparator();
    connect(add(sandbox, QStringLiteral("sandboxNewTerminal"), tr("New &terminal"),
                QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), "terminal"),
            &QAction::triggered, this, [this] {
                if (Workspace *workspace = m_tabs->currentWorkspace())
                    workspace->newTerminal();
            });
}

} // namespace boxdeck::ui
