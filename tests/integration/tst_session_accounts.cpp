// SPDX-License-Identifier: GPL-3.0-or-later
// Accounts with a real keyring and the real boxdeck-host. Each function needs a desktop in another state;
// CMakeLists.txt says which, and runs it there.
#include "backend/session/accounts.h"
#include "tests/support/byte_scan.h"
#include "tests/support/keyring.h"
#include "tests/support/outcome.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <csignal>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;
using boxdeck::test::entriesFor;
using boxdeck::test::filesHolding;
using boxdeck::test::lockKeyring;
using boxdeck::test::Outcome;

using State = Accounts::State;

namespace {

constexpr int patience = 30'000; // ms; a loaded machine starts a host slowly

QByteArray everythingLogged; // by this process, all categories
QtMessageHandler printing = nullptr;

void remember(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    everythingLogged += text.toUtf8() + '\n';
    printing(type, context, text);
}

/// One run of the app, as its composition root would put it together.
struct Run
{
    explicit Run(const QString &dataDir)
        : profiles(dataDir + QStringLiteral("/profiles.json"))
        , settings(dataDir + QStringLiteral("/settings.json"))
        , localHost(LocalHost::Options{.dataDir = dataDir}, transport)
        , accounts(Accounts::Parts{profiles, vault, localHost, settings, transport, clock})
    {
    }

    SystemClock clock;
    net::HttpTransport transport;
    ProfileStore profiles;
    Settings settings;
    SecretVault vault;
    LocalHost localHost;
    Accounts accounts;
};

} // namespace

class TestSessionAccounts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    // an unlocked keyring
    void comesUpOnThisComputerWithoutAnAccount();
    void keepsAnAccountFromRunToRunAndNoSecretOnDisk();
    void followsItsHostThroughAKill();
    void aRunForOneConnectionLeavesNothing();
    void aRunForOneConnectionStartsNoHost();
    void finishesAnAddWhoseDialogWasClosed();
    void renamesAndUpdates();
    void keepsAnAccountWhoseKeyCantBeDeletedNow();
    // a locked keyring, and nobody to ask
    void aLockedKeyringAddsNothingAndMemoryWorks();
    // a bus without a keychain
    void worksWithoutAKeychain();
    // a keyring that owns its name and never answers
    void aKeyThatComesLateOpensItsAccount();
    // any
    void offersTheEnvironmentsKeyAndTakesNothing();

private:
    std::unique_ptr<Run> run() { return std::make_unique<Run>(m_dir->path()); }
    /// Waits until the host of "This computer" is up; its address and key serve as those of another server.
    bool startLocal(Run &run) const
    {
        if (run.accounts.ids().isEmpty() && !run.accounts.load(QStringLiteral("This computer")))
            return false;
        return QTest::qWaitFor([&] { return run.localHost.state() == LocalHost::State::Ready; }, patience);
    }
    ConnectionProfile serverOf(const Run &run) const
    {
        auto profile = ConnectionProfile::selfHosted(QStringLiteral("Box"), run.localHost.apiUrl());
        profile.sandboxUrl = run.localHost.sandboxUrl();
        return profile;
    }
    void stop(Run &run) const
    {
        run.localHost.stop();
        QTRY_COMPARE_WITH_TIMEOUT(run.localHost.state(), LocalHost::State::Off, patience);
    }
    QString hostKeyFile() const { return m_dir->filePath(QStringLiteral("host/api-key")); }

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestSessionAccounts::initTestCase()
{
    printing = qInstallMessageHandler(remember);
}

void TestSessionAccounts::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    qunsetenv("E2B_API_KEY");
}

void TestSessionAccounts::cleanup()
{
    if (!QFile::exists(m_dir->filePath(QStringLiteral("local-host.json"))))
        return;
    Run last(m_dir->path());
    last.localHost.start();
    QTRY_COMPARE_WITH_TIMEOUT(last.localHost.state(), LocalHost::State::Ready, patience);
    stop(last);
}

void TestSessionAccounts::comesUpOnThisComputerWithoutAnAccount()
{
    const auto app = run();
    QSignalSpy ready(&app->accounts, &Accounts::sessionReady);
    QVERIFY(app->accounts.load(QStringLiteral("This computer")));
    QCOMPARE(app->accounts.ids().size(), 1);
    const QUuid id = app->accounts.current();
    QCOMPARE(app->accounts.profile(id)->kind, ConnectionProfile::Kind::ThisComputer);
    QCOMPARE(app->accounts.state(id), State::Connecting);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
    Session *session = app->accounts.currentSession();
    QVERIFY(session);
    QTRY_VERIFY(session->sandboxes().hasLoaded() && session->templates().hasLoaded());
    QVERIFY(session->templates().findByName(QStringLiteral("base")));
    Outcome removed(app->accounts.remove(id));
    QTRY_COMPARE(removed.error().kind, ErrorKind::Unsupported);
    stop(*app);
}

void TestSessionAccounts::keepsAnAccountFromRunToRunAndNoSecretOnDisk()
{
    everythingLogged.clear();
    QList<QByteArray> secrets;
    QUuid id;
    {
        const auto app = run();
        QVERIFY(startLocal(*app));
        secrets.append(app->localHost.apiKey().reveal());
        QSignalSpy current(&app->accounts, &Accounts::currentChanged);
        Outcome added(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::Keychain));
        QTRY_VERIFY2(added.done(), qPrintable(added.code()));
        QVERIFY2(added.ok(), qPrintable(added.code()));
        id = added.value();
        QCOMPARE(app->accounts.current(), id);
        QCOMPARE(current.count(), 1);
        QVERIFY(!app->accounts.keyIsInMemoryOnly(id));
        QTRY_VERIFY(app->accounts.session(id));

        // A sandbox, with the tokens that come with it.
        Session &session = *app->accounts.session(id);
        Outcome created(session.create({}));
        QTRY_VERIFY_WITH_TIMEOUT(created.done(), patience);
        QVERIFY2(created.ok(), qPrintable(created.error().message));
        secrets.append(created.value().envdAccessToken.reveal());
        QVERIFY(!secrets.last().isEmpty());
        Outcome envd(session.envd(created.value().id));
        QTRY_VERIFY(envd.ok());
        Outcome health(envd.value()->health());
        QTRY_VERIFY(health.ok());
        Outcome killed(session.kill(created.value().id));
        QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
        app->localHost.keepRunning();
    }
    {
        const auto app = run();
        QVERIFY(app->accounts.load(QStringLiteral("This computer")));
        QCOMPARE(app->accounts.ids().size(), 2);
        QCOMPARE(app->accounts.current(), id);
        QTRY_COMPARE(app->accounts.state(id), State::Ready);
        QTRY_VERIFY(app->accounts.session(id)->sandboxes().hasLoaded());
        QCOMPARE(app->localHost.state(), LocalHost::State::Off); // not started for an account that needs it not

        QCOMPARE(filesHolding(m_dir->path(), secrets), QStringList{hostKeyFile()});
        QCOMPARE(filesHolding(qEnvironmentVariable("HOME"), secrets), QStringList());
        for (const QByteArray &secret : secrets)
            QVERIFY2(!everythingLogged.contains(secret), everythingLogged.constData());

        QSignalSpy removed(&app->accounts, &Accounts::removed);
        Outcome forgotten(app->accounts.remove(id));
        QTRY_VERIFY2(forgotten.done(), qPrintable(forgotten.code()));
        QCOMPARE(removed.count(), 1);
        QVERIFY(!app->accounts.session(id));
        QCOMPARE(app->accounts.ids().size(), 1);
        Outcome key(app->vault.read(id));
        QTRY_COMPARE(key.code(), QStringLiteral("not_found"));
        QVERIFY(startLocal(*app)); // it is current again
        stop(*app);
    }
}

void TestSessionAccounts::followsItsHostThroughAKill()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    const QUuid id = app->accounts.current();
    Session *session = app->accounts.session(id);
    QVERIFY(session);
    Outcome created(session->create({}));
    QTRY_VERIFY_WITH_TIMEOUT(created.done(), patience);
    QVERIFY2(created.ok(), qPrintable(created.error().message));
    const auto sandbox = created.value().id;
    QTRY_VERIFY(session->sandboxes().find(sandbox));

    QSignalSpy ready(&app->accounts, &Accounts::sessionReady);
    QSignalSpy removed(&session->sandboxes(), &SandboxStore::removed);
    QCOMPARE(::kill(pid_t(app->localHost.pid()), SIGKILL), 0);
    QTRY_COMPARE(app->accounts.state(id), State::Connecting);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
    QSignalSpy updated(&session->sandboxes(), &SandboxStore::updated);
    QTRY_VERIFY(updated.count() > 0); // within five seconds
    QCOMPARE(app->accounts.session(id), session);
    QCOMPARE(removed.count(), 0);
    QVERIFY(session->sandboxes().find(sandbox));
    Outcome envd(session->envd(sandbox));
    QTRY_VERIFY_WITH_TIMEOUT(envd.ok(), patience);
    Outcome killed(session->kill(sandbox));
    QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
    stop(*app);
}

void TestSessionAccounts::aRunForOneConnectionLeavesNothing()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    const QUuid before = app->settings.currentAccount();
    const QUuid id = app->accounts.addEphemeral(serverOf(*app), app->localHost.apiKey());
    QCOMPARE(app->accounts.current(), id);
    QTRY_COMPARE(app->accounts.state(id), State::Ready);
    QTRY_VERIFY(app->accounts.session(id)->sandboxes().hasLoaded());
    QVERIFY(app->accounts.keyIsInMemoryOnly(id));
    QVERIFY(app->settings.flush());
    QCOMPARE(filesHolding(m_dir->path(), {id.toByteArray(QUuid::WithoutBraces)}), QStringList());
    QCOMPARE(app->settings.currentAccount(), before);
    Outcome removed(app->accounts.remove(id));
    QTRY_VERIFY(removed.ok());
    QVERIFY(!app->vault.isInMemory(id));
    stop(*app);
}

void TestSessionAccounts::aRunForOneConnectionStartsNoHost()
{
    const auto app = run();
    app->accounts.holdBack();
    QVERIFY(app->accounts.load(QStringLiteral("This computer")).has_value());
    const QUuid local = app->accounts.ids().constFirst();
    const auto elsewhere =
        ConnectionProfile::selfHosted(QStringLiteral("elsewhere"), QUrl(QStringLiteral("http://127.0.0.1:1")));
    app->accounts.addEphemeral(elsewhere, Secret(QByteArray("e2b_00")));
    app->accounts.letGo();
    QCOMPARE(app->accounts.state(local), State::Idle);
    QCOMPARE(app->localHost.state(), LocalHost::State::Off);
    // Chosen, it is used as ever.
    app->accounts.setCurrent(local);
    QTRY_COMPARE_WITH_TIMEOUT(app->accounts.state(local), State::Ready, 30'000);
    stop(*app);
}

void TestSessionAccounts::finishesAnAddWhoseDialogWasClosed()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    QSignalSpy added(&app->accounts, &Accounts::added);
    auto dialog = std::make_unique<QObject>();
    app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::Keychain)
        .then(dialog.get(), [](const Result<QUuid> &) { QFAIL("nobody is there any more"); });
    dialog.reset();
    QTRY_COMPARE(added.count(), 1);
    const QUuid id = added.first().first().toUuid();
    QCOMPARE(entriesFor(id), 1); // no key without its account, and no account without its key
    QTRY_COMPARE(app->accounts.state(id), State::Ready);
    stop(*app);
}

void TestSessionAccounts::renamesAndUpdates()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    Outcome added(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::ThisSession));
    QTRY_VERIFY(added.ok());
    QTRY_VERIFY(app->accounts.session(added.value()));
    QVERIFY(app->accounts.rename(added.value(), QStringLiteral(" This computer ")));
    QCOMPARE(app->accounts.profile(added.value())->name, QStringLiteral("This computer (2)"));
    QSignalSpy moved(app->accounts.session(added.value()), &Session::endpointChanged);
    ConnectionProfile profile = *app->accounts.profile(added.value());
    profile.user = QStringLiteral("root");
    QVERIFY(app->accounts.update(profile));
    QCOMPARE(moved.count(), 1);
    ProfileStore saved(m_dir->filePath(QStringLiteral("profiles.json")));
    QVERIFY(saved.load());
    QCOMPARE(saved.find(added.value())->user, QStringLiteral("root"));
    for (const ConnectionProfile &entry : saved.profiles()) {
        if (entry.kind == ConnectionProfile::Kind::ThisComputer)
            QVERIFY(entry.apiUrl.isEmpty()); // another one each day
    }
    stop(*app);
}

void TestSessionAccounts::keepsAnAccountWhoseKeyCantBeDeletedNow()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    Outcome added(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::Keychain));
    QTRY_VERIFY2(added.ok(), qPrintable(added.code()));
    QVERIFY(lockKeyring());
    Outcome removed(app->accounts.remove(added.value()));
    QTRY_VERIFY_WITH_TIMEOUT(removed.done(), 8000);
    QCOMPARE(removed.code(), QStringLiteral("locked"));
    QVERIFY(app->accounts.profile(added.value()));
    QVERIFY(app->accounts.session(added.value()));
    Outcome anyway(app->accounts.remove(added.value(), true));
    QTRY_VERIFY_WITH_TIMEOUT(anyway.ok(), 8000);
    QVERIFY(!app->accounts.profile(added.value()));
    stop(*app);
}

void TestSessionAccounts::aLockedKeyringAddsNothingAndMemoryWorks()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    Outcome refused(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::Keychain));
    QTRY_VERIFY_WITH_TIMEOUT(refused.done(), 8000);
    QCOMPARE(refused.code(), QStringLiteral("locked"));
    QCOMPARE(app->accounts.ids().size(), 1);

    Outcome added(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::ThisSession));
    QTRY_VERIFY(added.ok());
    QTRY_COMPARE(app->accounts.state(added.value()), State::Ready);
    QTRY_VERIFY(app->accounts.session(added.value())->sandboxes().hasLoaded());
    QCOMPARE(filesHolding(m_dir->path(), {app->localHost.apiKey().reveal()}), QStringList{hostKeyFile()});
    app->localHost.keepRunning();
    QVERIFY(app->settings.flush());

    // The next run has the account, says why there is no key, and goes on when it is given one.
    const auto next = run();
    QVERIFY(next->accounts.load(QStringLiteral("This computer")));
    QCOMPARE(next->accounts.current(), added.value());
    QTRY_COMPARE_WITH_TIMEOUT(next->accounts.state(added.value()), State::NeedsKey, 8000);
    QCOMPARE(next->accounts.error(added.value())->code, QStringLiteral("locked"));
    Outcome given(next->accounts.setKey(added.value(), app->localHost.apiKey(), KeyPlace::ThisSession));
    QTRY_VERIFY(given.ok());
    QCOMPARE(next->accounts.state(added.value()), State::Ready);
    Outcome removed(next->accounts.remove(added.value())); // the keyring can tell that it has no key of it
    QTRY_VERIFY_WITH_TIMEOUT(removed.ok(), 8000);
    QVERIFY(startLocal(*next));
    stop(*next);
}

void TestSessionAccounts::worksWithoutAKeychain()
{
    const auto app = run();
    QVERIFY(startLocal(*app));
    Outcome refused(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::Keychain));
    QTRY_COMPARE(refused.code(), QStringLiteral("no_service"));
    Outcome added(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::ThisSession));
    QTRY_VERIFY(added.ok());
    QTRY_COMPARE(app->accounts.state(added.value()), State::Ready);
    Outcome removed(app->accounts.remove(added.value()));
    QTRY_VERIFY(removed.ok()); // there is no keychain that could still hold its key
    stop(*app);
}

void TestSessionAccounts::aKeyThatComesLateOpensItsAccount()
{
    const auto keyring = pid_t(qEnvironmentVariableIntValue("BOXDECK_TEST_KEYRING_PID"));
    QVERIFY(keyring > 0);
    QCOMPARE(::kill(keyring, SIGCONT), 0);
    QUuid id;
    {
        const auto app = run();
        QVERIFY(startLocal(*app));
        Outcome added(app->accounts.add(serverOf(*app), app->localHost.apiKey(), KeyPlace::Keychain));
        QTRY_VERIFY2(added.ok(), qPrintable(added.code()));
        id = added.value();
        app->localHost.keepRunning();
    }
    QCOMPARE(::kill(keyring, SIGSTOP), 0);
    const auto app = run();
    app->vault.setDeadline(200ms);
    QVERIFY(app->accounts.load(QStringLiteral("This computer")));
    QTRY_COMPARE(app->accounts.state(id), State::NeedsKey);
    QCOMPARE(app->accounts.error(id)->code, QStringLiteral("timeout"));
    QCOMPARE(::kill(keyring, SIGCONT), 0);
    QTRY_COMPARE(app->accounts.state(id), State::Ready); // nobody had to ask again
    QTRY_VERIFY(app->accounts.session(id)->sandboxes().hasLoaded());
}

void TestSessionAccounts::offersTheEnvironmentsKeyAndTakesNothing()
{
    QVERIFY(!Accounts::offeredEnvKey());
    qputenv("E2B_API_KEY", " e2b_from_the_environment\n");
    QCOMPARE(Accounts::offeredEnvKey()->reveal(), QByteArray("e2b_from_the_environment"));
    const auto app = run();
    QVERIFY(startLocal(*app));
    QCOMPARE(app->accounts.ids().size(), 1);
    QVERIFY(app->localHost.apiKey().reveal() != "e2b_from_the_environment");
    QCOMPARE(filesHolding(m_dir->path(), {"e2b_from_the_environment"}), QStringList());
    stop(*app);
}

QTEST_GUILESS_MAIN(TestSessionAccounts)
#include "tst_session_accounts.moc"
