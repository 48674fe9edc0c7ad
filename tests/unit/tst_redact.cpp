// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown, copied or logged of profiles and requests holds no secret, however it was put there.
#include "backend/core/redact.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;

namespace {

QByteArray textOf(const QJsonValue &value)
{
    return QJsonDocument(QJsonObject{{QStringLiteral("it"), value}}).toJson(QJsonDocument::Compact);
}

} // namespace

class TestRedact : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theMarkIsReadable() { QCOMPARE(QString(redactedMark), QStringLiteral("***")); } // Latin-1 holds no bullets
    void hidesSecretsWhereverTheyAre_data();
    void hidesSecretsWhereverTheyAre();
    void keepsWhatHelps_data();
    void keepsWhatHelps();
    void isNotLedDeep();
    void endsOnHostileText();
};

void TestRedact::hidesSecretsWhereverTheyAre_data()
{
    QTest::addColumn<QByteArray>("json"); // hunter2 must not be in what is shown
    const auto row = [](const char *name, const char *text) { QTest::newRow(name) << QByteArray(text); };
    row("key", R"({"api_key":"hunter2"})");
    row("other spellings", R"({"apiKey":"hunter2","API-KEY":"hunter2","X-Api-Key":"hunter2"})");
    row("token in a list", R"([{"tokens":["hunter2",{"a":"hunter2"}]}])");
    row("secret as an object", R"({"credentials":{"user":"hunter2"}})");
    row("variables", R"({"env_vars":{"HARMLESS":"hunter2"},"envVars":{"A":{"B":["hunter2"]}},"envs":"hunter2"})");
    row("metadata", R"({"metadata":{"owner":"hunter2"}})");
    row("mcp", R"({"mcp":{"github":{"argument":"hunter2"}}})");
    row("volume mounts", R"({"volume_mounts":[{"name":"hunter2"}],"volumeMounts":[["hunter2"]]})");
    row("rule headers", R"({"network":{"rules":{"h.example":[{"transform":{"headers":{"X-A":"hunter2"}}}]}}})");
    row("unknown network member", R"({"network":{"upstream":"socks5://me:hunter2@proxy"}})");
    row("egress proxy", R"({"network":{"egressProxy":{"url":"http://x","user":"hunter2"}}})");
    row("network as text", R"({"network":"hunter2"})");
    row("number", R"({"env_vars":{"PIN":1234}})");
    row("address with a password", R"({"api_base":"https://me:hunter2@api.example/x"})");
    row("address with a query", R"({"link":"https://files.example/a?signature=hunter2&x=hunter2"})");
    row("headers", R"({"headers":{"Cookie":"hunter2","Other":"hunter2"}})");
    row("JSON in a text", R"({"note":"{\"api_key\":\"hunter2\"}"})");
    row("bearer in a text", R"({"note":"Authorization: Bearer hunter2hunter2"})");
    row("basic in a text", R"({"note":"basic aHVudGVyMg== hunter"})");
    row("registry", R"({"fromImageRegistry":{"type":"registry","username":"u","password":"hunter2"}})");
    row("name of a member", R"({"e2b_hunter2hunter2hunter2":1})");
}

void TestRedact::hidesSecretsWhereverTheyAre()
{
    QFETCH(QByteArray, json);
    const auto document = QJsonDocument::fromJson(json);
    QVERIFY(!document.isNull());
    const QJsonValue value = document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
    const QByteArray shown = textOf(redacted(value));
    QVERIFY2(!shown.contains("hunter2"), shown.constData());
    QVERIFY2(!shown.contains("1234"), shown.constData());
    QVERIFY2(!shown.contains("aHVudGVyMg"), shown.constData());
    QCOMPARE(redacted(redacted(value)), redacted(value));
}

void TestRedact::keepsWhatHelps_data()
{
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *name, const char *text) { QTest::newRow(name) << QByteArray(text); };
    row("addresses", R"({"api_base":"https://api.box.example:8443/e2b/v1","domain":"box.example"})");
    row("numbers and switches", R"({"timeout_secs":300,"secure":true,"auto_pause":null})");
    row("where the key is", R"({"api_key_env":"MY_KEY","api_key_configured":true})");
    row("allow lists", R"({"network":{"allowOut":["1.1.1.1/32"],"denyOut":["0.0.0.0/0"],"allowPublicTraffic":false}})");
    row("words that only look alike", R"({"template":"monkey","keyboard":"us"})");
}

void TestRedact::keepsWhatHelps()
{
    QFETCH(QByteArray, json);
    const QJsonValue value = QJsonDocument::fromJson(json).object();
    QCOMPARE(textOf(redacted(value)), textOf(value));
}

void TestRedact::isNotLedDeep()
{
    QJsonValue value = QStringLiteral("hunter2");
    for (int i = 0; i < 400; ++i)
        value = i % 2 ? QJsonValue(QJsonArray{value}) : QJsonValue(QJsonObject{{QStringLiteral("a"), value}});
    QVERIFY(!textOf(redacted(value)).contains("hunter2"));
}

void TestRedact::endsOnHostileText()
{
    // Whatever the expressions make of it, they end, and what they gave up on is not shown.
    const QString text = QStringLiteral("://").repeated(20'000) + QStringLiteral("?x=hunter2");
    QVERIFY(!redactedText(text).contains(QLatin1String("hunter2")));
    const QString spaces = QStringLiteral("bearer ").repeated(50'000) + QStringLiteral("hunter2hunter2");
    QVERIFY(!redactedText(spaces).contains(QLatin1String("hunter2hunter2")));
}

QTEST_GUILESS_MAIN(TestRedact)
#include "tst_redact.moc"
