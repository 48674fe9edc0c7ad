// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QDialog>

class QLabel;
class QPushButton;

namespace boxdeck::ui {

class AccountForm;
class ErrorBar;
class TestReportView;

/// Changes how an account reaches its server. Its key stays where it is, and the test uses it.
class EditAccountDialog : public QDialog
{
    Q_OBJECT

public:
    EditAccountDialog(session::Accounts &accounts, const QUuid &id, QWidget *parent = nullptr);

private:
    QWidget *page();
    QWidget *buttons();
    void validate();
    void test();
    void save();

    session::Accounts &m_accounts;
    QUuid m_id;
    AccountForm *m_form;
    TestReportView *m_report;
    QLabel *m_problem;
    ErrorBar *m_error;
    QPushButton *m_test;
    QPushButton *m_save;
    Call<session::TestReport> m_running;
};

} // namespace boxdeck::ui
