// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;
class QRadioButton;

namespace boxdeck::session {
struct ImportedProfile;
}

namespace boxdeck::ui {

class AccountForm;
class ErrorBar;
class KeyEdit;
class TestReportView;

/// Adds an account: E2B's cloud with a key, or any server with an address and a key; typed, or read from a connection
/// profile or the E2B CLI's settings when the person says so. The key goes into the keychain; if that can't be, memory
/// for this session is offered and nothing else.
class AddAccountDialog : public QDialog
{
    Q_OBJECT

public:
    explicit AddAccountDialog(session::Accounts &accounts, QWidget *parent = nullptr);

    /// Fills in a key that was found elsewhere (E2B_API_KEY), for the person to confirm.
    void offerKey(const Secret &key);
    /// Asks for a connection profile, shows what it says, and fills it in once the person agrees.
    void chooseProfile();
    /// The same for a file that is known.
    void readProfile(const QString &path);

private:
    QWidget *page();
    QWidget *buttons();
    std::optional<session::ConnectionProfile> profile(bool tell);
    void kindChanged();
    void validate();
    void test();
    void add(session::KeyPlace place);
    void setBusy(bool busy);
    void take(const session::ImportedProfile &imported);
    void readCliAccount();

    session::Accounts &m_accounts;
    QRadioButton *m_cloud;
    QRadioButton *m_server;
    AccountForm *m_form;
    KeyEdit *m_key;
    TestReportView *m_report;
    QLabel *m_problem;
    ErrorBar *m_error;
    QPushButton *m_import;
    QPushButton *m_cli;
    QPushButton *m_test;
    QPushButton *m_cancel;
    QPushButton *m_add;
    session::CreateDefaults m_defaults;
    bool m_canKeep = false; ///< the error bar's button keeps the key in memory
    Call<session::TestReport> m_running;
    bool m_busy = false;
};

} // namespace boxdeck::ui
