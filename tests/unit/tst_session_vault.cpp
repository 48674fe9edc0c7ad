// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/secret_vault.h"
#include "tests/support/outcome.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::session;
using boxdeck::test::Outcome;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(boxdeck::session::Keychain::Status)

namespace {

/// A keychain whose answers come when the test says so, for the states no real one can be asked to take.
class ScriptedKeychain : public Keychain
{
public:
    struct Script
    {
        Status status = Status::NotFound;
        Secret value;
        bool silent = false; ///< answers are held back in `waiting`
        std::vector<std::function<void()>> waiting;
        int writes = 0;
        int removes = 0;
    };

    explicit ScriptedKeychain(std::shared_ptr<Script> script)
        : m_script(std::move(script))
    {
    }
    void read(const QString &, Sink sink) override
    {
        reply([script = m_script, sink] { sink({.status = script->status, .value = script->value}); });
    }
    void write(const QString &, const Secret &value, Sink sink) override
    {
        ++m_script->writes;
        m_script->value = value;
        m_script->status = Status::Done;
        reply([sink] { sink({.status = Status::Done}); });
    }
    void remove(const QString &, Sink sink) override
    {
        ++m_script->removes;
        reply([script = m_script, sink] { sink({.status = script->status}); });
    }

private:
    void reply(std::function<void()> answer)
    {
        if (m_script->silent)
            m_script->waiting.push_back(std::move(answer));
        else
            answer();
    }
    std::shared_ptr<Script> m_script;
};

} // namespace

class TestSessionVault : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void tellsTheStatesApart_data();
    void tellsTheStatesApart();
    void onlyNotFoundLeadsToAWrite_data();
    void onlyNotFoundLeadsToAWrite();
    void neverOverwritesAnotherKeyUnasked();
    void replacesAKeyWhenAsked();
    void answersTimeoutWhenNobodyAnswers();
    void takesAKeyThatComesLate();
    void ignoresALateKeyOfAForgottenAccount();
    void survivesAnswersAfterItsDeath();
    void writesNothingAfterItSaidTimeout();
    void keepsKeysInMemoryOnRequest();
    void forgetsAKeyThatIsAlreadyGone();

private:
    std::shared_ptr<ScriptedKeychain::Script> m_script;
    std::unique_ptr<SecretVault> m_vault;
    const QUuid m_id = QUuid::createUuid();
    const Secret m_key{"e2b_0123456789abcdef"};
};

void TestSessionVault::init()
{
    m_script = std::make_shared<ScriptedKeychain::Script>();
    m_vault = std::make_unique<SecretVault>(std::make_unique<ScriptedKeychain>(m_script));
    m_vault->setDeadline(60ms);
}

void TestSessionVault::cleanup()
{
    m_vault.reset();
    m_script->waiting.clear(); // they hold the script that holds them
}

void TestSessionVault::tellsTheStatesApart_data()
{
    QTest::addColumn<Keychain::Status>("status");
    QTest::addColumn<QString>("code");
    QTest::newRow("not found") << Keychain::Status::NotFound << QStringLiteral("not_found");
    QTest::newRow("locked") << Keychain::Status::Locked << QStringLiteral("locked");
    QTest::newRow("denied") << Keychain::Status::Denied << QStringLiteral("denied");
    QTest::newRow("no service") << Keychain::Status::NoService << QStringLiteral("no_service");
    QTest::newRow("failed") << Keychain::Status::Failed << QStringLiteral("failed");
}

void TestSessionVault::tellsTheStatesApart()
{
    QFETCH(Keychain::Status, status);
    QFETCH(QString, code);
    m_script->status = status;
    Outcome read(m_vault->read(m_id));
    QTRY_VERIFY(read.done());
    QCOMPARE(read.code(), code);
}

void TestSessionVault::onlyNotFoundLeadsToAWrite_data()
{
    tellsTheStatesApart_data();
}

void TestSessionVault::onlyNotFoundLeadsToAWrite()
{
    QFETCH(Keychain::Status, status);
    QFETCH(QString, code);
    m_script->status = status;
    Outcome written(m_vault->write(m_id, m_key));
    QTRY_VERIFY(written.done());
    const bool mayWrite = status == Keychain::Status::NotFound;
    QCOMPARE(m_script->writes, mayWrite ? 1 : 0);
    QCOMPARE(written.code(), mayWrite ? QString() : code);
    QCOMPARE(m_script->removes, 0);

    m_script->status = status;
    Outcome replaced(m_vault->replace(m_id, m_key));
    QTRY_VERIFY(replaced.done());
    QCOMPARE(replaced.code(), mayWrite ? QString() : code);
}

void TestSessionVault::neverOverwritesAnotherKeyUnasked()
{
    m_script->status = Keychain::Status::Done;
    m_script->value = Secret("e2b_older");
    Outcome written(m_vault->write(m_id, m_key));
    QTRY_VERIFY(written.done());
    QCOMPARE(written.code(), QStringLiteral("exists"));
    QCOMPARE(m_script->writes, 0);

    Outcome same(m_vault->write(m_id, Secret("e2b_older")));
    QTRY_VERIFY(same.done());
    QVERIFY(same.ok());
}

void TestSessionVault::replacesAKeyWhenAsked()
{
    m_script->status = Keychain::Status::Done;
    m_script->value = Secret("e2b_older");
    Outcome replaced(m_vault->replace(m_id, m_key));
    QTRY_VERIFY(replaced.done());
    QVERIFY(replaced.ok());
    QVERIFY(m_script->value == m_key);
}

void TestSessionVault::answersTimeoutWhenNobodyAnswers()
{
    m_script->silent = true;
    Outcome read(m_vault->read(m_id));
    Outcome written(m_vault->write(m_id, m_key));
    Outcome removed(m_vault->remove(m_id));
    QTRY_VERIFY(read.done() && written.done() && removed.done());
    QCOMPARE(read.code(), QStringLiteral("timeout"));
    QCOMPARE(written.code(), QStringLiteral("timeout"));
    QCOMPARE(removed.code(), QStringLiteral("timeout"));
}

void TestSessionVault::takesAKeyThatComesLate()
{
    m_script->silent = true;
    Outcome read(m_vault->read(m_id));
    QTRY_COMPARE(read.code(), QStringLiteral("timeout"));
    QSignalSpy late(m_vault.get(), &SecretVault::arrivedLate);
    m_script->status = Keychain::Status::Done;
    m_script->value = m_key;
    m_script->waiting.front()();
    QCOMPARE(late.count(), 1);
    QCOMPARE(late.first().first().toUuid(), m_id);
    m_script->silent = true;
    Outcome again(m_vault->read(m_id));
    QTRY_VERIFY(again.ok());
    QVERIFY(again.value() == m_key);
}

void TestSessionVault::ignoresALateKeyOfAForgottenAccount()
{
    m_script->silent = true;
    Outcome read(m_vault->read(m_id));
    QTRY_COMPARE(read.code(), QStringLiteral("timeout"));
    Outcome removed(m_vault->remove(m_id));
    QSignalSpy late(m_vault.get(), &SecretVault::arrivedLate);
    m_script->status = Keychain::Status::Done;
    m_script->value = m_key;
    m_script->waiting.front()();
    QCOMPARE(late.count(), 0);
    QVERIFY(!m_vault->isInMemory(m_id));
}

void TestSessionVault::survivesAnswersAfterItsDeath()
{
    m_script->silent = true;
    auto owner = std::make_unique<QObject>();
    m_vault->read(m_id).then(owner.get(), [](const Result<Secret> &) { QFAIL("nobody asks any more"); });
    m_vault->write(m_id, m_key).then(owner.get(), [](const Result<void> &) { QFAIL("nobody asks any more"); });
    owner.reset();
    m_vault.reset();
    m_script->status = Keychain::Status::NotFound;
    for (const auto &answer : std::exchange(m_script->waiting, {}))
        answer();
    QCOMPARE(m_script->writes, 0);
}

void TestSessionVault::writesNothingAfterItSaidTimeout()
{
    m_script->silent = true;
    Outcome written(m_vault->write(m_id, m_key));
    QTRY_COMPARE(written.code(), QStringLiteral("timeout"));
    m_script->waiting.front()(); // "not found", but too late
    QCOMPARE(m_script->writes, 0);
}

void TestSessionVault::keepsKeysInMemoryOnRequest()
{
    m_script->status = Keychain::Status::NoService;
    m_vault->keepInMemory(m_id, m_key);
    Outcome read(m_vault->read(m_id));
    QTRY_VERIFY(read.ok());
    QVERIFY(read.value() == m_key);
    QVERIFY(m_vault->isInMemory(m_id));
    QCOMPARE(m_script->writes, 0);

    m_vault->forgetMemory(m_id);
    Outcome again(m_vault->read(m_id));
    QTRY_COMPARE(again.code(), QStringLiteral("no_service"));
}

void TestSessionVault::forgetsAKeyThatIsAlreadyGone()
{
    m_script->status = Keychain::Status::NotFound;
    Outcome removed(m_vault->remove(m_id));
    QTRY_VERIFY(removed.done());
    QVERIFY(removed.ok());
}

QTEST_GUILESS_MAIN(TestSessionVault)
#include "tst_session_vault.moc"
