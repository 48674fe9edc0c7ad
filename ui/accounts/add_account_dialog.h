// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QDialog>

#include <optional>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace boxdeck::ui {

class ErrorBar;
class KeyEdit;
class TestReportView;

/// Adds an account: E2B's cloud with a key, or any server with an address and a key. The key goes into the keychain; if
/// that can't be, memory for this session is offered and nothing else.
class AddAccountDialog : public QDialog
{
    Q_OBJECT

public:
    explicit AddAccountDialog(session::Accounts &accounts, QWidget *parent = nullptr);

    /// Fills in a key that was found elsewhere (E2B_API_KEY), for the person to confirm.
    void offerKey(const Secret &key);

private:
    QWidget *form();
    std::optional<session::ConnectionProfile> profile(bool tell);
    void kindChanged();
    void validate();
    void test();
    void add(session::KeyPlace place);
    void setBusy(bool busy);

    session::Accounts &m_accounts;
    QRadioButton *m_cloud;
    QRadioButton *m_server;
    QLineEdit *m_name;
    QLineEdit *m_url;
    QLineEdit *m_sandboxUrl;
    QLineEdit *m_domain;
    KeyEdit *m_key;
    QFormLayout *m_rows = nullptr;
    TestReportView *m_report;
    QLabel *m_problem;
    ErrorBar *m_error;
    QPushButton *m_test;
    QPushButton *m_cancel;
    QPushButton *m_add;
    Call<session::TestReport> m_running;
    bool m_busy = false;
};

} // namespace boxdeck::ui
