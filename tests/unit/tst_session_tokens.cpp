// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic tokens of an account, over a keychain that answers as the test says. tests/integration has the real one.
#include "backend/session/traffic_tokens.h"
#include "tests/support/outcome.h"

#include <QSignalSpy>
#include <QTest>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;
using boxdeck::protocol::SandboxId;
using boxdeck::test::Outcome;

namespace {

/// What is in the keychain survives the vault over it, as it does the app.
struct Store
{
    QHash<QString, Secret> entries;
    Keychain::Status trouble = Keychain::Status::Done;
    bool silent = false;
    std::vector<std::function<void()>> waiting;
    int writes = 0;

    void answerAll()
    {
        silent = false;
        for (const auto &answer : std::exchange(waiting, {}))
            answer();
    }
};

class StoredKeychain final : public Keychain
{
public:
    explicit StoredKeychain(Store &store)
        : m_store(store)
    {
    }
    void read(const QString &entry, Sink sink) override
    {
        reply([this, entry, sink] {
            if (m_store.trouble != Status::Done)
                sink({.status = m_store.trouble});
            else if (m_store.entries.contains(entry))
                sink({.status = Status::Done, .value = m_store.entries.value(entry)});
            else
                sink({.status = Status::NotFound});
        });
    }
    void write(const QString &entry, const Secret &value, Sink sink) override
    {
        reply([this, entry, value, sink] {
            ++m_store.writes;
            if (m_store.trouble == Status::Done)
                m_store.entries.insert(entry, value);
            sink({.status = m_store.trouble});
        });
    }
    void remove(const QString &entry, Sink sink) override
    {
        reply([this, entry, sink] {
            m_store.entries.remove(entry);
            sink({.status = m_store.trouble});
        });
    }

private:
    void reply(std::function<void()> answer)
    {
        if (m_store.silent)
            m_store.waiting.push_back(std::move(answer));
        else
            answer();
    }
    Store &m_store;
};

/// One run of the app.
struct Run
{
    Run(Store &store, const QUuid &account)
        : vault(std::make_unique<StoredKeychain>(store))
    {
        vault.setDeadline(80ms);
        tokens.keepIn(vault, account);
    }
    SecretVault vault;
    TrafficTokens tokens;
};

SandboxId id(int number)
{
    return {QStringLiteral("isb%1").arg(number)};
}

QByteArray known(TrafficTokens &tokens, const SandboxId &sandbox)
{
    Outcome outcome(tokens.whenKnown(sandbox));
    [&] { QTRY_VERIFY(outcome.done()); }();
    return outcome.ok() ? outcome.value().reveal() : QByteArray("failed");
}

} // namespace

class TestSessionTokens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comeBackInTheNextRun();
    void anEmptyTokenErasesNothing();
    void areGoneOnceTheSandboxIsDeleted();
    void accountsKeepTheirsApart();
    void areBounded();
    void withoutAKeychainAreKeptInMemoryAndThatIsSaidOnce();
    void aKeychainThatCantBeReadIsNotWrittenOver();
    void askedForEarlyTheyWaitForTheKeychain();
    void aLateKeychainIsWelcome();
    void writesOneAtATime();

private:
    const QUuid m_account = QUuid::createUuid();
};

void TestSessionTokens::comeBackInTheNextRun()
{
    Store store;
    {
        Run run(store, m_account);
        run.tokens.put(id(1), Secret("token-1"));
        run.tokens.put(id(2), Secret("token-2"));
        QTRY_COMPARE(run.tokens.of(id(2)).reveal(), QByteArray("token-2"));
        QTRY_VERIFY(store.entries.size() == 1 && store.writes > 0);
        QTRY_VERIFY(store.entries.begin().value().reveal().contains("token-2"));
    }
    QCOMPARE(store.entries.size(), 1); // one entry per account
    Run next(store, m_account);
    QCOMPARE(known(next.tokens, id(1)), QByteArray("token-1"));
    QCOMPARE(known(next.tokens, id(2)), QByteArray("token-2"));
    QCOMPARE(known(next.tokens, id(3)), QByteArray());
}

void TestSessionTokens::anEmptyTokenErasesNothing()
{
    Store store;
    Run run(store, m_account);
    run.tokens.put(id(1), Secret("token-1"));
    run.tokens.put(id(1), Secret()); // as connect answers
    QCOMPARE(known(run.tokens, id(1)), QByteArray("token-1"));
    run.tokens.put(id(1), Secret("token-9"));
    QCOMPARE(known(run.tokens, id(1)), QByteArray("token-9"));
}

void TestSessionTokens::areGoneOnceTheSandboxIsDeleted()
{
    Store store;
    {
        Run run(store, m_account);
        run.tokens.put(id(1), Secret("token-1"));
        QTRY_COMPARE(store.entries.size(), 1);
        run.tokens.remove(id(1));
        QTRY_COMPARE(store.entries.size(), 0); // nothing left: no empty entry either
        run.tokens.put(id(2), Secret("token-2"));
        QTRY_COMPARE(store.entries.size(), 1);
    }
    store.silent = true;
    Run next(store, m_account);
    next.tokens.remove(id(2)); // before the keychain has answered
    store.answerAll();
    QCOMPARE(known(next.tokens, id(2)), QByteArray());
    QTRY_COMPARE(store.entries.size(), 0);
}

void TestSessionTokens::accountsKeepTheirsApart()
{
    Store store;
    Run one(store, m_account);
    Run other(store, QUuid::createUuid());
    one.tokens.put(id(1), Secret("token-1"));
    other.tokens.put(id(1), Secret("token-2"));
    QTRY_COMPARE(store.entries.size(), 2);
    QCOMPARE(known(one.tokens, id(1)), QByteArray("token-1"));
}

void TestSessionTokens::areBounded()
{
    Store store;
    {
        Run run(store, m_account);
        for (int i = 0; i < TrafficTokens::most + 10; ++i)
            run.tokens.put(id(i), Secret("t" + QByteArray::number(i)));
        QTRY_VERIFY(!store.entries.isEmpty() && store.entries.begin().value().reveal().contains("\"t309\""));
    }
    Run next(store, m_account);
    QCOMPARE(known(next.tokens, id(309)), QByteArray("t309"));
    QCOMPARE(known(next.tokens, id(9)), QByteArray()); // the oldest went
    QCOMPARE(known(next.tokens, id(10)), QByteArray("t10"));
}

void TestSessionTokens::withoutAKeychainAreKeptInMemoryAndThatIsSaidOnce()
{
    Store store;
    store.trouble = Keychain::Status::NoService;
    Run run(store, m_account);
    QSignalSpy told(&run.tokens, &TrafficTokens::notKept);
    QCOMPARE(known(run.tokens, id(1)), QByteArray());
    QCOMPARE(told.count(), 0); // there is nothing to lose yet
    run.tokens.put(id(1), Secret("token-1"));
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(told.first().first().value<Error>().code, QStringLiteral("no_service"));
    run.tokens.put(id(2), Secret("token-2"));
    QCOMPARE(known(run.tokens, id(1)), QByteArray("token-1"));
    QCOMPARE(known(run.tokens, id(2)), QByteArray("token-2"));
    QCOMPARE(told.count(), 1);
}

void TestSessionTokens::aKeychainThatCantBeReadIsNotWrittenOver()
{
    Store store;
    {
        Run run(store, m_account);
        run.tokens.put(id(1), Secret("token-1"));
        QTRY_COMPARE(store.entries.size(), 1);
    }
    store.trouble = Keychain::Status::Locked;
    const int before = store.writes;
    {
        Run run(store, m_account);
        QCOMPARE(known(run.tokens, id(1)), QByteArray());
        store.trouble = Keychain::Status::Done; // unlocked, but what was in it was never read
        run.tokens.put(id(2), Secret("token-2"));
        QCOMPARE(known(run.tokens, id(2)), QByteArray("token-2"));
        QCOMPARE(store.writes, before); // this keychain is written to at once or not at all
    }
    QCOMPARE(store.writes, before);
    Run next(store, m_account);
    QCOMPARE(known(next.tokens, id(1)), QByteArray("token-1"));
}

void TestSessionTokens::askedForEarlyTheyWaitForTheKeychain()
{
    Store store;
    {
        Run run(store, m_account);
        run.tokens.put(id(1), Secret("token-1"));
        QTRY_COMPARE(store.entries.size(), 1);
    }
    store.silent = true;
    Run next(store, m_account);
    Outcome early(next.tokens.whenKnown(id(1)));
    QVERIFY(!early.done());
    store.answerAll();
    QTRY_VERIFY(early.ok());
    QCOMPARE(early.value().reveal(), QByteArray("token-1"));
}

void TestSessionTokens::aLateKeychainIsWelcome()
{
    Store store;
    {
        Run run(store, m_account);
        run.tokens.put(id(1), Secret("token-1"));
        QTRY_COMPARE(store.entries.size(), 1);
    }
    store.silent = true;
    Run next(store, m_account);
    QCOMPARE(known(next.tokens, id(1)), QByteArray()); // given up after the deadline
    next.tokens.put(id(2), Secret("token-2"));
    store.answerAll(); // somebody unlocked it
    QTRY_COMPARE(next.tokens.of(id(1)).reveal(), QByteArray("token-1"));
    QCOMPARE(next.tokens.of(id(2)).reveal(), QByteArray("token-2"));
    QTRY_VERIFY(store.entries.begin().value().reveal().contains("token-2"));
    QVERIFY(store.entries.begin().value().reveal().contains("token-1"));
}

void TestSessionTokens::writesOneAtATime()
{
    Store store;
    Run run(store, m_account);
    QCOMPARE(known(run.tokens, id(0)), QByteArray());
    store.silent = true;
    for (int i = 1; i <= 20; ++i)
        run.tokens.put(id(i), Secret("t" + QByteArray::number(i)));
    QCOMPARE(store.waiting.size(), std::size_t(1));
    store.answerAll();
    QTRY_VERIFY(!store.entries.isEmpty() && store.entries.begin().value().reveal().contains("\"t20\""));
    QVERIFY2(store.writes <= 2, qPrintable(QString::number(store.writes)));
}

QTEST_GUILESS_MAIN(TestSessionTokens)
#include "tst_session_tokens.moc"
