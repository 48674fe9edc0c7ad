// SPDX-License-Identifier: GPL-3.0-or-later
// Connection profiles in the account dialogs, editing an account, and the page that says what its server can do;
// against a real boxdeck-host in the place of a server.
#include "tests/support/byte_scan.h"
#include "tests/support/host_process.h"
#include "tests/ui/desk.h"
#include "tests/ui/scripted_keychain.h"
#include "ui/accounts/account_text.h"
#include "ui/accounts/add_account_dialog.h"
#include "ui/accounts/capability_text.h"
#include "ui/accounts/edit_account_dialog.h"
#include "ui/accounts/test_report_view.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace boxdeck;
using namespace boxdeck::ui;
using boxdeck::test::Desk;
using boxdeck::test::endHost;
using boxdeck::test::patience;
using boxdeck::test::ScriptedKeychain;
using session::Keychain;

namespace {

/// The text of a row's column whose first column is `name`; nothing without such a row.
std::optional<QString> cell(const QTreeWidget &view, const QString &name, int column)
{
    for (int row = 0; row < view.topLevelItemCount(); ++row) {
        if (view.topLevelItem(row)->text(0) == name)
            return view.topLevelItem(row)->text(column);
    }
    return std::nullopt;
}

} // namespace

class TestAccountProfiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void importsAProfileOnceThePersonAgrees();
    void namesTheOptionThatStopsAnImport();
    void takesTheCommandLineToolsKeyWhenTold();
    void editsAnAccount();
    void aCaFileThatCantBeUsedIsRefused();
    void aCaFileThatWentMissingOpensNothing();
    void exportsWithoutTheKey();
    void saysWhatTheServerCanDo();
    void disablesWhatTheServerLacksAndSaysWhy();

private:
    QByteArray profileJson() const;
    QString write(const QString &name, const QByteArray &content) const;
    AddAccountDialog *openAdd() const;
    QUuid addServer();
    void startDesk();

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<QTemporaryDir> m_files; // what a person has lying about
    std::shared_ptr<ScriptedKeychain::Entries> m_entries;
    test::HostProcess m_server;
    std::unique_ptr<Desk> m_desk;
};

void TestAccountProfiles::initTestCase()
{
    qputenv("E2B_API_KEY", QByteArray()); // whoever runs the test may have one
}

void TestAccountProfiles::startDesk()
{
    m_desk = std::make_unique<Desk>(
        m_dir->path(),
        std::make_unique<ScriptedKeychain>(std::make_shared<Keychain::Status>(Keychain::Status::Done), m_entries));
}

void TestAccountProfiles::init()
{
    if (!m_server.isRunning())
        QVERIFY2(m_server.start(), qPrintable(m_server.failure()));
    m_dir = std::make_unique<QTemporaryDir>();
    m_files = std::make_unique<QTemporaryDir>();
    m_entries = std::make_shared<ScriptedKeychain::Entries>();
    startDesk();
}

void TestAccountProfiles::cleanup()
{
    m_desk.reset();
    endHost(m_dir->path());
    m_dir.reset();
}

QByteArray TestAccountProfiles::profileJson() const
{
    const QString url = m_server.endpoint().apiUrl.toString();
    return QJsonDocument(
               QJsonObject{{QStringLiteral("name"), QStringLiteral("Lab")},
                           {QStringLiteral("apiBase"), url},
                           {QStringLiteral("sandbox_url"), url},
                           {QStringLiteral("api_key"), QString::fromUtf8(m_server.endpoint().apiKey.reveal())},
                           {QStringLiteral("timeout"), 1200},
                           {QStringLiteral("env_vars"),
                            QJsonObject{{QStringLiteral("DEPLOY_PASSWORD"), QStringLiteral("hunter2hunter2")}}}})
        .toJson();
}

QString TestAccountProfiles::write(const QString &name, const QByteArray &content) const
{
    QFile file(m_files->filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return {};
    return file.fileName();
}

AddAccountDialog *TestAccountProfiles::openAdd() const
{
    m_desk->window->addAccount();
    return m_desk->window->findChildren<AddAccountDialog *>().last();
}

QUuid TestAccountProfiles::addServer()
{
    auto profile = session::ConnectionProfile::selfHosted(QStringLiteral("Lab"), m_server.endpoint().apiUrl);
    profile.sandboxUrl = profile.apiUrl;
    QUuid added;
    m_desk->accounts.add(profile, m_server.endpoint().apiKey, session::KeyPlace::Keychain)
        .then(this, [&added](const Result<QUuid> &id) { added = id.value_or(QUuid()); });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(!added.isNull(), patience); }();
    return added;
}

void TestAccountProfiles::importsAProfileOnceThePersonAgrees()
{
    const QByteArray key = m_server.endpoint().apiKey.reveal();
    AddAccountDialog *dialog = openAdd();
    dialog->readProfile(write(QStringLiteral("lab.json"), profileJson()));
    auto *preview = dialog->findChild<QDialog *>(QStringLiteral("importPreviewDialog"));
    QVERIFY(preview && preview->isVisible());
    const auto *view = preview->findChild<QTreeWidget *>(QStringLiteral("importPreviewView"));
    QCOMPARE(cell(*view, QStringLiteral("api_base"), 1), m_server.endpoint().apiUrl.toString());
    QCOMPARE(cell(*view, QStringLiteral("timeout_secs"), 1), QStringLiteral("1200"));
    QCOMPARE(cell(*view, QStringLiteral("env_vars"), 1), QStringLiteral("DEPLOY_PASSWORD")); // the name alone
    QVERIFY(cell(*view, QStringLiteral("api_key"), 1) != QString::fromUtf8(key));
    auto *url = dialog->findChild<QLineEdit *>(QStringLiteral("accountUrl"));
    QVERIFY(url->text().isEmpty()); // nothing is taken before the person says so

    preview->findChild<QPushButton *>(QStringLiteral("importPreviewAccept"))->click();
    QCOMPARE(url->text(), m_server.endpoint().apiUrl.toString());
    QSignalSpy closed(dialog, &QDialog::accepted);
    dialog->findChild<QPushButton *>(QStringLiteral("accountAdd"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    const QUuid id = m_desk->accounts.current();
    QCOMPARE(m_desk->accounts.profile(id)->lifetime, std::chrono::seconds(1200));
    QVERIFY(m_desk->becomesReady());
    QCOMPARE(m_desk->session()->createDefaults().envVars.value(QStringLiteral("DEPLOY_PASSWORD")),
             QStringLiteral("hunter2hunter2"));
    // The key, and the variables with it, are in the keychain and nowhere else; and they come back from there.
    QVERIFY(m_desk->settings.flush());
    QVERIFY2(test::filesHolding(m_dir->path(), {key, "hunter2hunter2"}).isEmpty(), "a secret is in a file of ours");
    QTRY_COMPARE(m_entries->size(), 2);
    m_desk.reset();
    startDesk();
    QVERIFY(m_desk->becomesReady());
    QCOMPARE(m_desk->accounts.current(), id);
    QTRY_COMPARE(m_desk->session()->createDefaults().envVars.size(), 1);
}

void TestAccountProfiles::namesTheOptionThatStopsAnImport()
{
    AddAccountDialog *dialog = openAdd();
    auto *error = dialog->findChild<ErrorBar *>(QStringLiteral("accountError"));
    dialog->readProfile(write(QStringLiteral("typo.json"), R"({"api_kee":"x"})"));
    QVERIFY2(error->text().contains(QLatin1String("api_kee")), qPrintable(error->text()));
    dialog->readProfile(write(QStringLiteral("twice.json"), R"({"api_url":"http://a","apiUrl":"http://a"})"));
    QVERIFY2(error->text().contains(QLatin1String("api_url, apiUrl")), qPrintable(error->text()));
    dialog->readProfile(m_files->filePath(QStringLiteral("none.json")));
    QVERIFY2(error->text().contains(QLatin1String("none.json")), qPrintable(error->text()));
    QVERIFY(!dialog->findChild<QDialog *>(QStringLiteral("importPreviewDialog")));
}

void TestAccountProfiles::takesTheCommandLineToolsKeyWhenTold()
{
    const QByteArray home = qgetenv("HOME");
    const auto back = qScopeGuard([&home] { qputenv("HOME", home); });
    qputenv("HOME", m_files->path().toLocal8Bit());
    AddAccountDialog *without = openAdd();
    QVERIFY(!without->findChild<QPushButton *>(QStringLiteral("accountCli"))->isVisible());
    without->reject();
    QVERIFY(QDir(m_files->path()).mkpath(QStringLiteral(".e2b")));
    QVERIFY(!write(QStringLiteral(".e2b/config.json"),
                   R"({"version":2,"projectName":"Nightly","projectId":"p","projectApiKey":"e2b_cli"})")
                 .isEmpty());
    AddAccountDialog *dialog = openAdd();
    auto *key = dialog->findChild<QLineEdit *>(QStringLiteral("accountKey"));
    QVERIFY(key->text().isEmpty()); // there, and not read
    auto *take = dialog->findChild<QPushButton *>(QStringLiteral("accountCli"));
    QVERIFY(take->isVisible());
    take->click();
    QCOMPARE(key->text(), QStringLiteral("e2b_cli"));
    QCOMPARE(dialog->findChild<QLineEdit *>(QStringLiteral("accountName"))->text(), QStringLiteral("Nightly"));
}

void TestAccountProfiles::editsAnAccount()
{
    const QUuid id = addServer();
    auto *dialog = new EditAccountDialog(m_desk->accounts, id, m_desk->window.get());
    dialog->open();
    dialog->findChild<QLineEdit *>(QStringLiteral("accountName"))->setText(QStringLiteral("Lab 2"));
    dialog->findChild<QSpinBox *>(QStringLiteral("accountEnvdPort"))->setValue(8080);
    dialog->findChild<QLineEdit *>(QStringLiteral("accountUser"))->setText(QString());
    dialog->findChild<QLineEdit *>(QStringLiteral("accountTemplate"))->setText(QStringLiteral("python"));
    auto *gateway = dialog->findChild<QLineEdit *>(QStringLiteral("accountGateway"));
    gateway->setText(QStringLiteral("ftp://10.0.0.1"));
    auto *save = dialog->findChild<QPushButton *>(QStringLiteral("editAccountSave"));
    QVERIFY(!save->isEnabled());
    const auto *problem = dialog->findChild<QLabel *>(QStringLiteral("editAccountProblem"));
    QVERIFY2(problem->text().startsWith(QLatin1String("Gateway")), qPrintable(problem->text()));
    gateway->setText(QString());

    // The test uses the key that is kept, and what was typed.
    auto *report = dialog->findChild<TestReportView *>(QStringLiteral("editAccountReport"));
    dialog->findChild<QPushButton *>(QStringLiteral("editAccountTest"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(report->summary().contains(QLatin1String("Everything works")), patience);
    save->click();
    const auto profile = m_desk->accounts.profile(id);
    QCOMPARE(profile->name, QStringLiteral("Lab 2"));
    QCOMPARE(profile->envdPort, 8080);
    QCOMPARE(profile->user, QString());
    QCOMPARE(profile->defaultTemplate, QStringLiteral("python"));
    QVERIFY(!profile->gateway);
    QCOMPARE(m_desk->profiles.find(id), profile); // saved, too
}

void TestAccountProfiles::aCaFileThatCantBeUsedIsRefused()
{
    const QUuid id = addServer();
    auto *dialog = new EditAccountDialog(m_desk->accounts, id, m_desk->window.get());
    dialog->open();
    auto *ca = dialog->findChild<QLineEdit *>(QStringLiteral("accountCaFile"));
    ca->setText(m_files->filePath(QStringLiteral("missing.pem")));
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("editAccountSave"))->isEnabled());
    ca->setText(write(QStringLiteral("empty.pem"), "nothing"));
    dialog->findChild<QPushButton *>(QStringLiteral("editAccountSave"))->click();
    auto *error = dialog->findChild<ErrorBar *>(QStringLiteral("editAccountError"));
    QVERIFY2(error->text().contains(QLatin1String("no certificate")), qPrintable(error->text()));
    QCOMPARE(m_desk->accounts.profile(id)->caFile, QString());
}

void TestAccountProfiles::aCaFileThatWentMissingOpensNothing()
{
    const QUuid id = addServer();
    auto profile = *m_desk->accounts.profile(id);
    profile.caFile = m_files->filePath(QStringLiteral("gone.pem"));
    m_desk.reset();
    {
        session::ProfileStore store(m_dir->filePath(QStringLiteral("profiles.json")));
        QVERIFY(store.load() && store.save(profile));
    }
    startDesk();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->accounts.state(id), session::Accounts::State::Failed, patience);
    QVERIFY(!m_desk->accounts.session(id)); // not with the system's trust instead
    QCOMPARE(accountLook(m_desk->accounts, id).word, QStringLiteral("CA file not usable"));
    auto *empty = m_desk->find<EmptyState>("sandboxesAccount");
    QVERIFY(empty);
    QVERIFY2(empty->accessibleDescription().contains(QLatin1String("gone.pem")),
             qPrintable(empty->accessibleDescription()));
}

void TestAccountProfiles::exportsWithoutTheKey()
{
    addServer();
    m_desk->window->manageAccounts();
    auto *manage = m_desk->find<QDialog>("manageAccountsDialog");
    manage->findChild<QPushButton *>(QStringLiteral("manageAccountExport"))->click();
    auto *chooser = manage->findChild<QDialog *>(QStringLiteral("manageAccountExportDialog"));
    QVERIFY(chooser);
    const QString path = m_files->filePath(QStringLiteral("out.json"));
    QVERIFY(QMetaObject::invokeMethod(chooser, "fileSelected", Q_ARG(QString, path)));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    QVERIFY(content.contains(m_server.endpoint().apiUrl.toString().toUtf8()));
    QVERIFY(!content.contains(m_server.endpoint().apiKey.reveal()));
    QVERIFY(content.contains("E2B_API_KEY"));
    chooser->close();
}

void TestAccountProfiles::saysWhatTheServerCanDo()
{
    addServer();
    QVERIFY(m_desk->becomesReady());
    m_desk->window->manageAccounts();
    auto *manage = m_desk->find<QDialog>("manageAccountsDialog");
    const auto *view = manage->findChild<QTreeWidget *>(QStringLiteral("capabilitiesView"));
    QCOMPARE(view->topLevelItemCount(), int(api::allFeatures().size()));
    auto *check = manage->findChild<QPushButton *>(QStringLiteral("capabilitiesCheck"));
    QTRY_VERIFY_WITH_TIMEOUT(check->isEnabled(), patience);
    check->click();
    QVERIFY(!check->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(check->isEnabled(), patience);
    QCOMPARE(cell(*view, QStringLiteral("Pausing and resuming"), 1), QStringLiteral("Yes"));
    QCOMPARE(cell(*view, QStringLiteral("Teams"), 1), QStringLiteral("Unknown"));
    QVERIFY(cell(*view, QStringLiteral("Teams"), 2)->contains(QLatin1String("asking would change")));
    // Kept for the next run, without a secret.
    QVERIFY(m_desk->settings.flush());
    QVERIFY(test::filesHolding(m_dir->path(), {m_server.endpoint().apiKey.reveal()}).isEmpty());
    m_desk.reset();
    startDesk();
    QVERIFY(m_desk->becomesReady());
    QCOMPARE(m_desk->session()->capabilities().find(api::Feature::Pause).support, api::Support::Yes);
}

void TestAccountProfiles::disablesWhatTheServerLacksAndSaysWhy()
{
    addServer();
    QVERIFY(m_desk->becomesReady());
    auto &capabilities = m_desk->session()->capabilities();
    QAction action;
    offerAction(&action, &capabilities, api::Feature::Volumes, true, QStringLiteral("hint"));
    QVERIFY(action.isEnabled()); // not known: offered
    capabilities.learnMissing(api::Feature::Volumes, 405);
    offerAction(&action, &capabilities, api::Feature::Volumes, true, QStringLiteral("hint"));
    QVERIFY(!action.isEnabled());
    QVERIFY2(action.toolTip().contains(QLatin1String("HTTP 405")), qPrintable(action.toolTip()));
    QCOMPARE(action.statusTip(), lackReason(capabilities, api::Feature::Volumes));
}

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    TestAccountProfiles test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_account_profiles.moc"
