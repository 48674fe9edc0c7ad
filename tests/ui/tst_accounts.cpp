// SPDX-License-Identifier: GPL-3.0-or-later
// Adding and minding accounts through the dialogs, against a real boxdeck-host in the place of a server. The keychain
// is scripted: it must fail in ways that a real one can't be asked for (tests/integration has the real one).
#include "tests/support/byte_scan.h"
#include "tests/support/host_process.h"
#include "tests/ui/desk.h"
#include "tests/ui/scripted_keychain.h"
#include "ui/accounts/account_text.h"
#include "ui/accounts/key_edit.h"
#include "ui/accounts/test_report_view.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTcpServer>
#include <QTemporaryDir>

using namespace boxdeck;
using namespace boxdeck::ui;
using boxdeck::test::Desk;
using boxdeck::test::endHost;
using boxdeck::test::patience;
using boxdeck::test::ScriptedKeychain;
using session::Accounts;
using session::Keychain;

class TestAccounts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void addsAServerWithItsKey();
    void aKeychainThatFailsLeavesTheChoiceOfMemory_data();
    void aKeychainThatFailsLeavesTheChoiceOfMemory();
    void theTestNamesTheStepThatFailed();
    void anAddressThatIsNoneIsSaidBeforeAnythingIsSent_data();
    void anAddressThatIsNoneIsSaidBeforeAnythingIsSent();
    void aWrongKeyIsSaidInTheList();
    void aKeyIsHiddenUnlessAskedFor();
    void removingAsksAndNamesTheAccount();

private:
    QDialog *openAddDialog(const QString &url, const QByteArray &key);

    std::unique_ptr<QTemporaryDir> m_dir;
    std::shared_ptr<Keychain::Status> m_trouble;
    test::HostProcess m_server;
    std::unique_ptr<Desk> m_desk;
};

void TestAccounts::init()
{
    if (!m_server.isRunning())
        QVERIFY2(m_server.start(), qPrintable(m_server.failure()));
    m_dir = std::make_unique<QTemporaryDir>();
    m_trouble = std::make_shared<Keychain::Status>(Keychain::Status::Done);
    m_desk = std::make_unique<Desk>(m_dir->path(), std::make_unique<ScriptedKeychain>(m_trouble));
    QVERIFY(m_desk->becomesReady());
}

void TestAccounts::cleanup()
{
    m_desk.reset();
    endHost(m_dir->path());
    m_dir.reset();
}

QDialog *TestAccounts::openAddDialog(const QString &url, const QByteArray &key)
{
    m_desk->window->addAccount();
    const auto dialogs = m_desk->window->findChildren<QDialog *>(QStringLiteral("addAccountDialog"));
    QDialog *dialog = dialogs.last();
    dialog->findChild<QRadioButton *>(QStringLiteral("accountKindServer"))->click();
    dialog->findChild<QLineEdit *>(QStringLiteral("accountName"))->setText(QStringLiteral("Lab"));
    dialog->findChild<QLineEdit *>(QStringLiteral("accountUrl"))->setText(url);
    dialog->findChild<QLineEdit *>(QStringLiteral("accountSandboxUrl"))->setText(url);
    dialog->findChild<QLineEdit *>(QStringLiteral("accountKey"))->setText(QString::fromUtf8(key));
    return dialog;
}

void TestAccounts::addsAServerWithItsKey()
{
    const QByteArray key = m_server.endpoint().apiKey.reveal();
    QDialog *dialog = openAddDialog(m_server.endpoint().apiUrl.toString(), key);
    auto *report = dialog->findChild<TestReportView *>(QStringLiteral("accountTestReport"));
    dialog->findChild<QPushButton *>(QStringLiteral("accountTest"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(report->summary().contains(QLatin1String("Everything works")), patience);
    QSignalSpy closed(dialog, &QDialog::accepted);
    dialog->findChild<QPushButton *>(QStringLiteral("accountAdd"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    QCOMPARE(accountName(m_desk->accounts, m_desk->accounts.current()), QStringLiteral("Lab"));
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->becomesReady(), patience);
    QVERIFY(!m_desk->accounts.keyIsInMemoryOnly(m_desk->accounts.current()));
    QVERIFY(m_desk->settings.flush());
    QVERIFY2(test::filesHolding(m_dir->path(), {key}).isEmpty(), "the key is in a file of ours");
}

void TestAccounts::aKeychainThatFailsLeavesTheChoiceOfMemory_data()
{
    QTest::addColumn<int>("trouble");
    QTest::addColumn<QString>("word");
    QTest::newRow("no service") << int(Keychain::Status::NoService) << QStringLiteral("no keychain service");
    QTest::newRow("locked") << int(Keychain::Status::Locked) << QStringLiteral("locked");
    QTest::newRow("denied") << int(Keychain::Status::Denied) << QStringLiteral("refused");
    QTest::newRow("failed") << int(Keychain::Status::Failed) << QStringLiteral("could not store");
}

void TestAccounts::aKeychainThatFailsLeavesTheChoiceOfMemory()
{
    QFETCH(int, trouble);
    QFETCH(QString, word);
    *m_trouble = Keychain::Status(trouble);
    const QByteArray key = m_server.endpoint().apiKey.reveal();
    const auto before = m_desk->accounts.ids();
    QDialog *dialog = openAddDialog(m_server.endpoint().apiUrl.toString(), key);
    dialog->findChild<QPushButton *>(QStringLiteral("accountAdd"))->click();
    auto *error = dialog->findChild<ErrorBar *>(QStringLiteral("accountError"));
    QTRY_VERIFY_WITH_TIMEOUT(error->isVisible(), patience);
    QVERIFY2(error->text().contains(word), qPrintable(error->text()));
    QCOMPARE(m_desk->accounts.ids(), before);
    // Nothing is kept anywhere unless the person says so, and then in memory alone.
    auto *memory = dialog->findChild<QPushButton *>(QStringLiteral("accountErrorRetry"));
    QVERIFY(memory->isVisible());
    QSignalSpy closed(dialog, &QDialog::accepted);
    memory->click();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    QVERIFY(m_desk->accounts.keyIsInMemoryOnly(m_desk->accounts.current()));
    QVERIFY(m_desk->becomesReady());
    QVERIFY(m_desk->settings.flush());
    QVERIFY2(test::filesHolding(m_dir->path(), {key}).isEmpty(), "the key is in a file of ours");
}

void TestAccounts::theTestNamesTheStepThatFailed()
{
    QTcpServer closed; // a port that nobody listens on
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const QString url = QStringLiteral("http://127.0.0.1:%1").arg(closed.serverPort());
    closed.close();
    QDialog *dialog = openAddDialog(url, "e2b_x");
    auto *report = dialog->findChild<TestReportView *>(QStringLiteral("accountTestReport"));
    dialog->findChild<QPushButton *>(QStringLiteral("accountTest"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(report->summary().contains(QLatin1String("Connect (TCP): failed")), patience);
    QVERIFY(!report->summary().contains(QLatin1String("Everything works")));

    dialog = openAddDialog(m_server.endpoint().apiUrl.toString(), "e2b_wrong");
    report = dialog->findChild<TestReportView *>(QStringLiteral("accountTestReport"));
    dialog->findChild<QPushButton *>(QStringLiteral("accountTest"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(report->summary().contains(QLatin1String("Present the key: failed")), patience);
}

void TestAccounts::anAddressThatIsNoneIsSaidBeforeAnythingIsSent_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("word");
    QTest::newRow("scheme") << QStringLiteral("ftp://host") << QStringLiteral("https://");
    QTest::newRow("password inside") << QStringLiteral("https://me:secret@host") << QStringLiteral("password");
    QTest::newRow("query") << QStringLiteral("https://host/?x=1") << QStringLiteral("before any ?");
}

void TestAccounts::anAddressThatIsNoneIsSaidBeforeAnythingIsSent()
{
    QFETCH(QString, url);
    QFETCH(QString, word);
    QDialog *dialog = openAddDialog(url, "e2b_x");
    auto *problem = dialog->findChild<QLabel *>(QStringLiteral("accountProblem"));
    QVERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(word), qPrintable(problem->text()));
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("accountAdd"))->isEnabled());
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("accountTest"))->isEnabled());
}

void TestAccounts::aWrongKeyIsSaidInTheList()
{
    QDialog *dialog =
        openAddDialog(m_server.endpoint().apiUrl.toString(), "e2b_0000000000000000000000000000000000000000");
    QSignalSpy closed(dialog, &QDialog::accepted);
    dialog->findChild<QPushButton *>(QStringLiteral("accountAdd"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    auto *empty = m_desk->find<EmptyState>("sandboxesEmpty");
    QTRY_VERIFY_WITH_TIMEOUT(empty->accessibleDescription().contains(QLatin1String("did not accept the key")),
                             patience);
    QVERIFY2(empty->accessibleDescription().contains(QLatin1String("HTTP 401")),
             qPrintable(empty->accessibleDescription()));
    QVERIFY(empty->actionButton()->isVisible());
}

void TestAccounts::aKeyIsHiddenUnlessAskedFor()
{
    KeyEdit edit(QStringLiteral("k"));
    edit.setText(QStringLiteral("  e2b_secret \n"));
    QCOMPARE(edit.echoMode(), QLineEdit::Password);
    QCOMPARE(edit.key().reveal(), QByteArray("e2b_secret"));
    auto *eye = edit.findChild<QAction *>(QStringLiteral("kShow"));
    eye->trigger();
    QCOMPARE(edit.echoMode(), QLineEdit::Normal);
    eye->trigger();
    QCOMPARE(edit.echoMode(), QLineEdit::Password);
}

void TestAccounts::removingAsksAndNamesTheAccount()
{
    QDialog *add = openAddDialog(m_server.endpoint().apiUrl.toString(), m_server.endpoint().apiKey.reveal());
    QSignalSpy closed(add, &QDialog::accepted);
    add->findChild<QPushButton *>(QStringLiteral("accountAdd"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    m_desk->window->manageAccounts();
    auto *manage = m_desk->find<QDialog>("manageAccountsDialog");
    manage->findChild<QPushButton *>(QStringLiteral("manageAccountRemove"))->click();
    auto *question = manage->findChild<QDialog *>(QStringLiteral("removeAccountQuestion"));
    QVERIFY(question && question->isVisible());
    auto *accept = question->findChild<QPushButton *>(QStringLiteral("removeAccountQuestionAccept"));
    QVERIFY2(accept->text().contains(QLatin1String("Lab")), qPrintable(accept->text()));
    QCOMPARE(m_desk->accounts.ids().size(), 2);
    accept->click();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->accounts.ids().size(), 1, patience);
    QVERIFY(!manage->findChild<QPushButton *>(QStringLiteral("manageAccountRemove"))->isEnabled());
}

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    TestAccounts test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_accounts.moc"
