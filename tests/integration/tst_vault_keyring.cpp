// SPDX-License-Identifier: GPL-3.0-or-later
// SecretVault on real buses and a real gnome-keyring. Each function needs a desktop in another state; CMakeLists.txt
// says which, and runs it there.
#include "backend/session/secret_vault.h"
#include "backend/session/traffic_tokens.h"
#include "tests/support/byte_scan.h"
#include "tests/support/keyring.h"
#include "tests/support/outcome.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVirtualObject>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <chrono>
#include <csignal>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;
using boxdeck::test::entriesFor;
using boxdeck::test::filesHolding;
using boxdeck::test::lockKeyring;
using boxdeck::test::Outcome;

namespace {

/// Beats every 10 ms, and remembers the longest it could not.
class Heart : public QObject
{
public:
    Heart()
    {
        m_last.start();
        connect(&m_beat, &QTimer::timeout, this, [this] { m_longest = std::max(m_longest, m_last.restart()); });
        m_beat.start(10ms);
    }
    qint64 longestPauseMs() const { return std::max(m_longest, m_last.elapsed()); }

private:
    QTimer m_beat;
    QElapsedTimer m_last;
    qint64 m_longest = 0;
};

constexpr qint64 noticeableMs = 500;

/// Takes every call and answers none.
class Silent : public QDBusVirtualObject
{
public:
    int calls = 0;
    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &) override
    {
        if (message.type() == QDBusMessage::MethodCallMessage)
            ++calls;
        return true;
    }
};

/// A secret service that says where its collection is and then falls silent, until it is told to refuse everything.
class FallingSilent : public QDBusVirtualObject
{
public:
    explicit FallingSilent(const QDBusConnection &bus)
        : m_bus(bus)
    {
    }
    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &) override
    {
        if (message.type() != QDBusMessage::MethodCallMessage)
            return false;
        if (message.member() == QLatin1String("ReadAlias"))
            m_bus.send(message.createReply(QVariant::fromValue(QDBusObjectPath(QStringLiteral("/")))));
        else if (m_refusing)
            m_bus.send(refusal(message));
        else
            held.append(message);
        return true;
    }
    void refuseEverything()
    {
        m_refusing = true;
        for (const QDBusMessage &message : std::exchange(held, {}))
            m_bus.send(refusal(message));
    }
    QList<QDBusMessage> held;

private:
    static QDBusMessage refusal(const QDBusMessage &message)
    {
        return message.createErrorReply(QStringLiteral("org.freedesktop.DBus.Error.Failed"), QStringLiteral("broken"));
    }
    QDBusConnection m_bus;
    bool m_refusing = false;
};

} // namespace

class TestVaultKeyring : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // an unlocked keyring
    void keepsAKeyUnderItsProfile();
    void aKeyringLockedMeanwhileIsNotEmpty();
    void keepsTrafficTokensFromRunToRun();
    // a locked keyring, and nobody to ask
    void aLockedKeyringIsNotEmpty();
    // a bus without a keychain; no bus
    void saysThatThereIsNoService();
    void trafficTokensAreInMemoryOnlyWithoutAService();
    // a keyring that owns its name and never answers
    void aSilentKeyringFreezesNothing();
    // a KDE session whose wallet owns its name and never answers
    void aSilentWalletFreezesNothing();
    // a bus without a keychain but ours
    void lateAnswersToARunningJobAreIgnored();

private:
    SecretVault m_vault;
    const QUuid m_id = QUuid::createUuid();
    const Secret m_key{"e2b_" + QUuid::createUuid().toByteArray(QUuid::Id128)};
};

void TestVaultKeyring::keepsAKeyUnderItsProfile()
{
    const Heart heart;
    Outcome before(m_vault.read(m_id));
    QTRY_VERIFY(before.done());
    QCOMPARE(before.code(), QStringLiteral("not_found"));

    Outcome written(m_vault.write(m_id, m_key));
    QTRY_VERIFY2(written.ok(), qPrintable(written.code() + written.error().message));
    QCOMPARE(entriesFor(m_id), 1);
    QCOMPARE(entriesFor(QUuid::createUuid()), 0);

    SecretVault nextRun;
    Outcome read(nextRun.read(m_id));
    QTRY_VERIFY(read.ok());
    QVERIFY(read.value() == m_key);
    QVERIFY(!nextRun.isInMemory(m_id));

    const Secret other("e2b_other");
    Outcome refused(m_vault.write(m_id, other));
    QTRY_COMPARE(refused.code(), QStringLiteral("exists"));
    Outcome replaced(m_vault.replace(m_id, other));
    QTRY_VERIFY(replaced.ok());
    QCOMPARE(entriesFor(m_id), 1);
    Outcome again(m_vault.read(m_id));
    QTRY_VERIFY(again.ok());
    QVERIFY(again.value() == other);

    const QString folder = qEnvironmentVariable("BOXDECK_TEST_KEYRING_DIR");
    QVERIFY(!folder.isEmpty());
    QCOMPARE(filesHolding(folder, {m_key.reveal(), other.reveal()}), QStringList());

    Outcome removed(m_vault.remove(m_id));
    QTRY_VERIFY(removed.ok());
    QCOMPARE(entriesFor(m_id), 0);
    Outcome twice(m_vault.remove(m_id));
    QTRY_VERIFY(twice.ok());
    QVERIFY2(heart.longestPauseMs() < noticeableMs, qPrintable(QString::number(heart.longestPauseMs())));
}

void TestVaultKeyring::aKeyringLockedMeanwhileIsNotEmpty()
{
    Outcome written(m_vault.write(m_id, m_key));
    QTRY_VERIFY(written.ok());
    QVERIFY(lockKeyring());

    Outcome read(m_vault.read(m_id));
    QTRY_VERIFY_WITH_TIMEOUT(read.done(), 8000);
    QCOMPARE(read.code(), QStringLiteral("locked"));
    Outcome overwritten(m_vault.replace(m_id, Secret("e2b_other")));
    QTRY_VERIFY_WITH_TIMEOUT(overwritten.done(), 8000);
    QCOMPARE(overwritten.code(), QStringLiteral("locked"));
    Outcome removed(m_vault.remove(m_id)); // libsecret calls it a success, and removes nothing
    QTRY_VERIFY_WITH_TIMEOUT(removed.done(), 8000);
    QCOMPARE(removed.code(), QStringLiteral("locked"));
    QCOMPARE(entriesFor(m_id), 1);
    Outcome other(m_vault.remove(QUuid::createUuid()));
    QTRY_VERIFY_WITH_TIMEOUT(other.ok(), 8000);
}

void TestVaultKeyring::keepsTrafficTokensFromRunToRun()
{
    const protocol::SandboxId sandbox{QStringLiteral("isb1")};
    const QUuid account = QUuid::createUuid();
    const QUuid entry = recordEntry(account, trafficTokensPurpose());
    {
        TrafficTokens tokens;
        tokens.keepIn(m_vault, account);
        tokens.put(sandbox, m_key);
        tokens.put({QStringLiteral("isb2")}, Secret("e2b_other"));
        QTRY_COMPARE(entriesFor(entry), 1);
        // Both are in it once the second write is through.
        QTRY_VERIFY([&] {
            SecretVault look;
            Outcome read(look.read(entry));
            return QTest::qWaitFor([&] { return read.done(); }) && read.ok() &&
                   read.value().reveal().contains("e2b_other");
        }());
    }
    SecretVault nextRun;
    TrafficTokens tokens;
    tokens.keepIn(nextRun, account);
    Outcome known(tokens.whenKnown(sandbox));
    QTRY_VERIFY(known.ok());
    QVERIFY(known.value() == m_key);
    QCOMPARE(filesHolding(qEnvironmentVariable("BOXDECK_TEST_KEYRING_DIR"), {m_key.reveal()}), QStringList());

    tokens.remove(sandbox);
    tokens.remove({QStringLiteral("isb2")});
    QTRY_COMPARE(entriesFor(entry), 0);
}

void TestVaultKeyring::aLockedKeyringIsNotEmpty()
{
    Outcome read(m_vault.read(m_id));
    QTRY_VERIFY_WITH_TIMEOUT(read.done(), 8000);
    QCOMPARE(read.code(), QStringLiteral("locked"));
    QCOMPARE(read.error().kind, ErrorKind::Authentication);

    Outcome written(m_vault.write(m_id, m_key));
    QTRY_VERIFY_WITH_TIMEOUT(written.done(), 8000);
    QCOMPARE(written.code(), QStringLiteral("locked"));
    QCOMPARE(entriesFor(m_id), 0);

    // What is offered instead works.
    m_vault.keepInMemory(m_id, m_key);
    Outcome kept(m_vault.read(m_id));
    QTRY_VERIFY(kept.ok());
    QCOMPARE(filesHolding(qEnvironmentVariable("HOME"), {m_key.reveal()}), QStringList());
}

void TestVaultKeyring::saysThatThereIsNoService()
{
    const Heart heart;
    Outcome read(m_vault.read(m_id));
    Outcome written(m_vault.write(m_id, m_key));
    Outcome removed(m_vault.remove(m_id));
    QTRY_VERIFY(read.done() && written.done() && removed.done());
    for (const QString &code : {read.code(), written.code(), removed.code()})
        QCOMPARE(code, QStringLiteral("no_service"));
    QCOMPARE(filesHolding(qEnvironmentVariable("HOME"), {m_key.reveal()}), QStringList());
    QVERIFY2(heart.longestPauseMs() < noticeableMs, qPrintable(QString::number(heart.longestPauseMs())));
}

void TestVaultKeyring::trafficTokensAreInMemoryOnlyWithoutAService()
{
    const protocol::SandboxId sandbox{QStringLiteral("isb1")};
    TrafficTokens tokens;
    QSignalSpy told(&tokens, &TrafficTokens::notKept);
    tokens.keepIn(m_vault, m_id);
    tokens.put(sandbox, m_key);
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(told.first().first().value<Error>().code, QStringLiteral("no_service"));
    Outcome known(tokens.whenKnown(sandbox));
    QTRY_VERIFY(known.ok());
    QVERIFY(known.value() == m_key);
    QCOMPARE(filesHolding(qEnvironmentVariable("HOME"), {m_key.reveal()}), QStringList());
}

void TestVaultKeyring::aSilentKeyringFreezesNothing()
{
    const auto keyring = pid_t(qEnvironmentVariableIntValue("BOXDECK_TEST_KEYRING_PID"));
    QVERIFY(keyring > 0);
    const Heart heart;
    QElapsedTimer waited;
    waited.start();
    Outcome read(m_vault.read(m_id));
    QTRY_VERIFY_WITH_TIMEOUT(read.done(), 8000);
    QCOMPARE(read.code(), QStringLiteral("timeout"));
    QVERIFY(waited.elapsed() >= 4900);
    QVERIFY(waited.elapsed() < 6500);
    QVERIFY2(heart.longestPauseMs() < noticeableMs, qPrintable(QString::number(heart.longestPauseMs())));

    // Quitting with an answer outstanding.
    auto other = std::make_unique<SecretVault>();
    other->setDeadline(50ms);
    Outcome dropped(other->read(m_id));
    QTRY_COMPARE(dropped.code(), QStringLiteral("timeout"));
    other.reset();

    // Once it wakes, what was asked is answered, and the next jobs run.
    QCOMPARE(::kill(keyring, SIGCONT), 0);
    Outcome written(m_vault.write(m_id, m_key));
    QTRY_VERIFY_WITH_TIMEOUT(written.ok(), 8000);
    Outcome again(m_vault.read(m_id));
    QTRY_VERIFY(again.ok());
    QVERIFY(again.value() == m_key);

    // A key that the keychain gives only after the deadline is announced.
    QCOMPARE(::kill(keyring, SIGSTOP), 0);
    m_vault.setDeadline(100ms);
    QSignalSpy late(&m_vault, &SecretVault::arrivedLate);
    Outcome slow(m_vault.read(m_id));
    QTRY_COMPARE(slow.code(), QStringLiteral("timeout"));
    QCOMPARE(::kill(keyring, SIGCONT), 0);
    QTRY_COMPARE(late.count(), 1);
    Outcome known(m_vault.read(m_id));
    QTRY_VERIFY(known.ok());
    QVERIFY(known.value() == m_key);
}

void TestVaultKeyring::aSilentWalletFreezesNothing()
{
    Silent silent;
    const auto wallet = QStringLiteral("org.kde.kwalletd5");
    auto fake = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("fake wallet"));
    QVERIFY(fake.registerVirtualObject(QStringLiteral("/modules/kwalletd5"), &silent));
    QVERIFY(fake.registerService(wallet));

    const Heart heart;
    m_vault.setDeadline(1s);
    Outcome read(m_vault.read(m_id));
    QTRY_VERIFY(read.done());
    QCOMPARE(read.code(), QStringLiteral("timeout"));
    QVERIFY2(silent.calls > 0, "the wallet was asked");
    QVERIFY2(heart.longestPauseMs() < noticeableMs, qPrintable(QString::number(heart.longestPauseMs())));
    QDBusConnection::disconnectFromBus(QStringLiteral("fake wallet"));
}

// QtKeychain's jobs can't be stopped and must not be deleted: they outlive the vault that started them.
void TestVaultKeyring::lateAnswersToARunningJobAreIgnored()
{
    auto bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("fake service"));
    FallingSilent service(bus);
    QVERIFY(bus.registerVirtualObject(QStringLiteral("/org/freedesktop/secrets"), &service, QDBusConnection::SubPath));
    QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.secrets")));
    const Heart heart;
    auto closed = std::make_unique<SecretVault>();
    closed->setDeadline(100ms);
    QSignalSpy late(closed.get(), &SecretVault::arrivedLate);
    Outcome read(closed->read(m_id));
    QTRY_COMPARE(read.code(), QStringLiteral("timeout"));
    QTRY_VERIFY2(!service.held.isEmpty(), "the job is running");
    closed.reset();

    // The next one waits behind it, and runs when it has ended.
    Outcome next(m_vault.read(QUuid::createUuid()));
    QVERIFY(!next.done());
    service.refuseEverything();
    QTRY_VERIFY(next.done());
    QCOMPARE(next.code(), QStringLiteral("failed"));
    QCOMPARE(late.count(), 0);
    QVERIFY2(heart.longestPauseMs() < noticeableMs, qPrintable(QString::number(heart.longestPauseMs())));
    QDBusConnection::disconnectFromBus(QStringLiteral("fake service"));
}

QTEST_GUILESS_MAIN(TestVaultKeyring)
#include "tst_vault_keyring.moc"
