// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QUuid>
#include <QWidget>

#include <memory>

class QAction;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTreeView;

namespace boxdeck::models {
class TemplateModel;
}
namespace boxdeck::session {
class Accounts;
class Session;
class Settings;
} // namespace boxdeck::session

namespace boxdeck::ui {

class EmptyState;
class ErrorBar;

/// The templates of one account with the truth about their builds. A sandbox is made from one by Enter or double-click.
class TemplatesPane : public QWidget
{
    Q_OBJECT

public:
    TemplatesPane(session::Accounts &accounts, session::Settings &settings, QWidget *parent = nullptr);
    ~TemplatesPane() override;

    void setAccount(const QUuid &id);

Q_SIGNALS:
    /// A sandbox is wanted from the template with this name or id.
    void createRequested(const QString &templateName);

private:
    void makeView();
    void bind(session::Session *session);
    void updateState();
    void showMenu(const QPoint &position);
    void createFromSelected();
    QModelIndex selected() const;

    session::Accounts &m_accounts;
    session::Settings &m_settings;
    QUuid m_account;
    QPointer<session::Session> m_session;
    std::unique_ptr<models::TemplateModel> m_model;
    QSortFilterProxyModel *m_proxy;
    QLineEdit *m_filter;
    ErrorBar *m_error;
    QStackedWidget *m_stack;
    QTreeView *m_view;
    EmptyState *m_empty;
    QAction *m_create;
    QAction *m_copyId;
};

} // namespace boxdeck::ui
