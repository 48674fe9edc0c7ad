// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/call.h"
#include "backend/core/display_text.h"
#include "backend/core/remote_path.h"
#include "backend/core/secret.h"

#include <QTest>

using namespace boxdeck;

class TestCore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pathIsNormalised_data();
    void pathIsNormalised();
    void pathRefusesHostileNames_data();
    void pathRefusesHostileNames();
    void pathContains();
    void displayTextEscapes_data();
    void displayTextEscapes();
    void toolTipsAreNeverHtml_data();
    void toolTipsAreNeverHtml();
    void secretComparesAndCopies();

    void callDeliversOnceAndQueued();
    void callIsAbortedByOwnersDeath();
    void callIsAbortedWhenDropped();
    void callDeliversNothingAfterCancel();
    void callMapsAndChains();
    void cancellingAChainCancelsWhicheverPartRuns();
};

void TestCore::pathIsNormalised_data()
{
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("root") << QByteArray("/") << QByteArray("/");
    QTest::newRow("double slash") << QByteArray("//home//user/") << QByteArray("/home/user");
    QTest::newRow("dots") << QByteArray("/home/./user/../x") << QByteArray("/home/x");
    QTest::newRow("above root") << QByteArray("/../../etc") << QByteArray("/etc");
    QTest::newRow("raw bytes") << QByteArray("/a\xff\xfe") << QByteArray("/a\xff\xfe");
    QTest::newRow("percent") << QByteArray("/%2e%2e/x") << QByteArray("/%2e%2e/x");
    QTest::newRow("relative") << QByteArray("home") << QByteArray();
    QTest::newRow("empty") << QByteArray("") << QByteArray();
    QTest::newRow("nul") << QByteArray("/a\0b", 4) << QByteArray();
}

void TestCore::pathIsNormalised()
{
    QFETCH(QByteArray, given);
    QFETCH(QByteArray, expected);
    const auto path = RemotePath::parse(given);
    QCOMPARE(path.has_value(), !expected.isEmpty());
    if (path)
        QCOMPARE(path->bytes(), expected);
    else
        QCOMPARE(path.error().kind, ErrorKind::InvalidRequest);
}

void TestCore::pathRefusesHostileNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("good");
    QTest::newRow("dot dot") << QByteArray("..") << false;
    QTest::newRow("dot") << QByteArray(".") << false;
    QTest::newRow("climbs") << QByteArray("../../evil") << false;
    QTest::newRow("absolute") << QByteArray("/tmp/abs") << false;
    QTest::newRow("slash") << QByteArray("a/b") << false;
    QTest::newRow("nul") << QByteArray("a\0b", 3) << false;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("backslash is plain here") << QByteArray("back\\slash") << true;
    QTest::newRow("dots and more") << QByteArray("...") << true;
}

void TestCore::pathRefusesHostileNames()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, good);
    QCOMPARE(RemotePath().child(name).has_value(), good);
}

void TestCore::pathContains()
{
    const auto home = RemotePath::parse(QByteArray("/home")).value();
    QVERIFY(home.contains(RemotePath::parse(QByteArray("/home/user")).value()));
    QVERIFY(home.contains(home));
    QVERIFY(!home.contains(RemotePath::parse(QByteArray("/homer")).value()));
    QVERIFY(RemotePath().contains(home));
    QCOMPARE(home.parent(), RemotePath());
    QCOMPARE(RemotePath().parent(), RemotePath());
}

void TestCore::displayTextEscapes_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain") << QStringLiteral("caf\u00e9 +1.txt") << QStringLiteral("caf\u00e9 +1.txt");
    QTest::newRow("escape") << QStringLiteral("a\u001b[2J") << QStringLiteral("a\\u001b[2J");
    QTest::newRow("line feed") << QStringLiteral("a\nb") << QStringLiteral("a\\u000ab");
    QTest::newRow("bidi") << QStringLiteral("exe\u202etxt") << QStringLiteral("exe\\u202etxt");
    QTest::newRow("emoji") << QString::fromUtf8("\xf0\x9f\x98\x80") << QString::fromUtf8("\xf0\x9f\x98\x80");
}

void TestCore::displayTextEscapes()
{
    QFETCH(QString, given);
    QFETCH(QString, expected);
    QCOMPARE(displayText(given), expected);
}

void TestCore::toolTipsAreNeverHtml_data()
{
    QTest::addColumn<QString>("plain");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain text stays") << "a & b > c\nd"
                                      << "a & b > c\nd";
    QTest::newRow("picture of a device") << "x/<img src=/dev/zero>"
                                         << "<qt>x/&lt;img src=/dev/zero&gt;</qt>";
    QTest::newRow("lines are kept") << "<b>\n&"
                                    << "<qt>&lt;b&gt;<br>&amp;</qt>";
}

void TestCore::toolTipsAreNeverHtml()
{
    QFETCH(QString, plain);
    QFETCH(QString, expected);
    QCOMPARE(toolTipText(plain), expected);
}

void TestCore::secretComparesAndCopies()
{
    Secret a(QByteArray("e2b_0011"));
    Secret b = a;
    QVERIFY(a == b);
    a = Secret(QByteArray("e2b_0012"));
    QVERIFY(!(a == b));
    QCOMPARE(b.reveal(), QByteArray("e2b_0011"));
}

void TestCore::callDeliversOnceAndQueued()
{
    Promise<int> promise;
    QObject owner;
    int delivered = 0;
    promise.call().then(&owner, [&](Result<int> value) { delivered += *value; });
    promise.settle(7);
    promise.settle(8);
    QCOMPARE(delivered, 0);
    QTRY_COMPARE(delivered, 7);
}

void TestCore::callIsAbortedByOwnersDeath()
{
    Promise<int> promise;
    bool aborted = false;
    bool ran = false;
    promise.onAbort([&] { aborted = true; });
    {
        QObject owner;
        promise.call().then(&owner, [&](Result<int>) { ran = true; });
    }
    QVERIFY(aborted);
    promise.settle(1);
    QCoreApplication::sendPostedEvents();
    QVERIFY(!ran);
}

void TestCore::callIsAbortedWhenDropped()
{
    bool aborted = false;
    Promise<int> promise;
    promise.onAbort([&] { aborted = true; });
    {
        auto call = promise.call();
        auto moved = std::move(call);
        QVERIFY(!aborted);
    }
    QVERIFY(aborted);
}

void TestCore::callDeliversNothingAfterCancel()
{
    Promise<int> promise;
    QObject owner;
    bool ran = false;
    auto call = promise.call();
    call.then(&owner, [&](Result<int>) { ran = true; });
    promise.settle(1);
    call.cancel(); // settled but not yet delivered
    QCoreApplication::sendPostedEvents();
    QVERIFY(!ran);
}

void TestCore::callMapsAndChains()
{
    Promise<int> first;
    Promise<QString> second;
    QObject owner;
    QString got;
    first.call()
        .map([](Result<int> value) -> Result<int> { return *value + 1; })
        .chain([&](Result<int> value) {
            second.settle(QString::number(*value));
            return second.call();
        })
        .then(&owner, [&](Result<QString> value) { got = *value; });
    first.settle(41);
    QTRY_COMPARE(got, QStringLiteral("42"));
}

void TestCore::cancellingAChainCancelsWhicheverPartRuns()
{
    Promise<int> first;
    Promise<int> second;
    bool secondAborted = false;
    second.onAbort([&] { secondAborted = true; });
    QObject owner;
    auto call = first.call().chain([&](Result<int>) { return second.call(); });
    call.then(&owner, [](Result<int>) {});
    first.settle(1);
    QVERIFY(!secondAborted);
    call.cancel();
    QVERIFY(secondAborted);
}

QTEST_GUILESS_MAIN(TestCore)
#include "tst_core.moc"
