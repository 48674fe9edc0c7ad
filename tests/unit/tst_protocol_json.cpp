// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/envd_version.h"
#include "backend/protocol/json_reader.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::protocol;

namespace {

QLatin1String operator""_key(const char *text, size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

JsonReader read(const QByteArray &json)
{
    auto reader = JsonReader::parse(json);
    return reader ? *reader : JsonReader(QJsonValue());
}

} // namespace

class TestProtocolJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void problemNamesItsPath_data();
    void problemNamesItsPath();
    void onlyTheFirstProblemIsTold();
    void notJsonIsABadAnswer_data();
    void notJsonIsABadAnswer();
    void bareValuesAreRead();
    void integersComeAsNumberOrText_data();
    void integersComeAsNumberOrText();
    void timesAreReadLeniently_data();
    void timesAreReadLeniently();
    void bytesAreReadInBothAlphabets_data();
    void bytesAreReadInBothAlphabets();
    void absentMeansZero();
    void metadataBecomesText();
    void versionGates_data();
    void versionGates();
};

void TestProtocolJson::problemNamesItsPath_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *json, const char *message) {
        QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(message);
    };
    row("time that is an object", R"({"sandboxes":[{},{},{},{"startedAt":{}}]})", "sandboxes[3].startedAt: not a time");
    row("count that is text", R"({"sandboxes":[{"cpuCount":"many"}]})", "sandboxes[0].cpuCount: not a whole number");
    row("count that is no integer", R"({"sandboxes":[{"cpuCount":1.5}]})", "sandboxes[0].cpuCount: not a whole number");
    row("count that is huge", R"({"sandboxes":[{"cpuCount":1e10}]})", "sandboxes[0].cpuCount: out of range");
    row("list that is a text", R"({"sandboxes":"none"})", "sandboxes: not an array");
    row("element that is a number", R"({"sandboxes":[7]})", "sandboxes[0]: not an object");
    row("nothing wrong", R"({"sandboxes":[{"cpuCount":2,"startedAt":"soon"}]})", "");
    row("null list", R"({"sandboxes":null})", "");
}

void TestProtocolJson::problemNamesItsPath()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, message);
    const JsonReader reader = read(json);
    for (const JsonReader &item : reader["sandboxes"_key].items()) {
        (void)item["cpuCount"_key].smallInt();
        (void)item["startedAt"_key].time();
    }
    const auto error = reader.error();
    QCOMPARE(error.has_value(), !message.isEmpty());
    if (error) {
        QCOMPARE(error->message, message);
        QCOMPARE(error->kind, ErrorKind::Internal);
        QCOMPARE(error->code, QStringLiteral("bad_answer"));
        QCOMPARE(error->delivery, Delivery::Answered);
    }
}

void TestProtocolJson::onlyTheFirstProblemIsTold()
{
    const JsonReader reader = read(R"({"a":[],"b":[]})");
    (void)reader["b"_key].text();
    (void)reader["a"_key].text();
    QCOMPARE(reader.error()->message, QStringLiteral("b: not a text"));
}

void TestProtocolJson::notJsonIsABadAnswer_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("html") << QByteArray("<html><body>Sign in</body></html>");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut") << QByteArray(R"([{"sandboxID":"i1)");
    QTest::newRow("two values") << QByteArray("1,2");
    QTest::newRow("invalid UTF-8") << QByteArray("{\"a\":\"\xff\"}");
    QTest::newRow("too deep") << QByteArray(5000, '[');
}

void TestProtocolJson::notJsonIsABadAnswer()
{
    QFETCH(QByteArray, json);
    const auto reader = JsonReader::parse(json);
    QVERIFY(!reader);
    QCOMPARE(reader.error().code, QStringLiteral("bad_answer"));
}

void TestProtocolJson::bareValuesAreRead()
{
    QVERIFY(read("null").isAbsent());
    QVERIFY(JsonReader::parse(" null\n").has_value());
    QCOMPARE(read("\"x\"").text(), QStringLiteral("x"));
    QCOMPARE(read("7").integer(), 7);
}

void TestProtocolJson::integersComeAsNumberOrText_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("number") << QByteArray("1234") << qint64(1234);
    QTest::newRow("int64 as text") << QByteArray("\"9223372036854775807\"") << qint64(9223372036854775807);
    QTest::newRow("above 2^53 as number") << QByteArray("9007199254740993") << qint64(9007199254740993);
    QTest::newRow("negative") << QByteArray("-1") << qint64(-1);
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("exponent") << QByteArray("1e3") << qint64(1000);
    QTest::newRow("empty text") << QByteArray("\"\"") << qint64(0);
    QTest::newRow("null") << QByteArray("null") << qint64(0);
}

void TestProtocolJson::integersComeAsNumberOrText()
{
    QFETCH(QByteArray, json);
    QFETCH(qint64, expected);
    const JsonReader reader = read(json);
    QCOMPARE(reader.integer(), expected);
    QVERIFY(!reader.error());
}

void TestProtocolJson::timesAreReadLeniently_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(expected);
    };
    row("microseconds", "2026-03-02T10:11:12.345678Z", "2026-03-02T10:11:12.345Z");
    row("nanoseconds", "2026-03-02T10:11:12.345678901Z", "2026-03-02T10:11:12.345Z");
    row("one digit", "2026-03-02T10:11:12.5Z", "2026-03-02T10:11:12.500Z");
    row("whole seconds", "2026-03-02T10:11:12Z", "2026-03-02T10:11:12.000Z");
    row("no zone", "2026-03-02T10:11:12", "2026-03-02T10:11:12.000Z");
    row("blank instead of T", "2026-03-02 10:11:12Z", "2026-03-02T10:11:12.000Z");
    row("offset", "2026-03-02T10:11:12+02:00", "2026-03-02T08:11:12.000Z");
    row("offset without colon", "2026-03-02T10:11:12-0130", "2026-03-02T11:41:12.000Z");
    row("lower case", "2026-03-02t10:11:12z", "2026-03-02T10:11:12.000Z");
    row("no time at all", "soon", "");
    row("zone behind a blank", "2026-03-02T10:11:12 +01:00", "2026-03-02T09:11:12.000Z");
    row("half an hour west of a new year", "2025-12-31T23:45:00-00:30", "2026-01-01T00:15:00.000Z");
    row("more digits than there are", "2026-03-02T10:11:12.9999999999Z", "2026-03-02T10:11:12.999Z");
    row("a fraction without digits", "2026-03-02T10:11:12.Z", "");
    row("no such day", "2026-02-30T10:11:12Z", "");
    row("no such hour", "2026-03-02T25:11:12Z", "");
    row("no such offset", "2026-03-02T10:11:12+25:00", "");
    row("something behind it", "2026-03-02T10:11:12Zulu", "");
    row("a date alone", "2026-03-02", "");
    row("nothing", "", "");
    row("empty", "", "");
    row("impossible date", "2026-02-31T10:11:12Z", "");
}

void TestProtocolJson::timesAreReadLeniently()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const JsonReader reader{QJsonValue(text)};
    const QDateTime time = reader.time();
    QVERIFY(!reader.error());
    QCOMPARE(time.isValid(), !expected.isEmpty());
    if (time.isValid()) {
        QCOMPARE(time.toString(Qt::ISODateWithMs), expected);
        QCOMPARE(time.timeSpec(), Qt::UTC);
    }
}

void TestProtocolJson::bytesAreReadInBothAlphabets_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<bool>("good");
    QTest::newRow("standard") << QStringLiteral("+/8=") << QByteArray("\xfb\xff") << true;
    QTest::newRow("url-safe") << QStringLiteral("-_8=") << QByteArray("\xfb\xff") << true;
    QTest::newRow("no padding") << QStringLiteral("+/8") << QByteArray("\xfb\xff") << true;
    QTest::newRow("empty") << QString() << QByteArray() << true;
    QTest::newRow("raw text") << QStringLiteral("hello world!") << QByteArray() << false;
}

void TestProtocolJson::bytesAreReadInBothAlphabets()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, expected);
    QFETCH(bool, good);
    const JsonReader reader{QJsonValue(text)};
    QCOMPARE(reader.bytes(), expected);
    QCOMPARE(!reader.error().has_value(), good);
}

void TestProtocolJson::absentMeansZero()
{
    const JsonReader reader = read("{}");
    QCOMPARE(reader["a"_key].integer(), 0);
    QCOMPARE(reader["a"_key].boolean(), false);
    QCOMPARE(reader["a"_key].text(), QString());
    QVERIFY(reader["a"_key].items().isEmpty());
    QVERIFY(reader["a"_key].textMap().isEmpty());
    QVERIFY(!reader["a"_key].time().isValid());
    QVERIFY(reader["a"_key]["b"_key].isAbsent());
    QVERIFY(!reader.error());
    (void)reader["a"_key].mustText();
    QCOMPARE(reader.error()->message, QStringLiteral("a: missing"));
}

void TestProtocolJson::metadataBecomesText()
{
    const JsonReader reader = read(R"({"a":"x","b":7,"c":true,"d":null,"e":{"k":[1]}})");
    const QMap<QString, QString> expected{{QStringLiteral("a"), QStringLiteral("x")},
                                          {QStringLiteral("b"), QStringLiteral("7")},
                                          {QStringLiteral("c"), QStringLiteral("true")},
                                          {QStringLiteral("d"), QString()},
                                          {QStringLiteral("e"), QStringLiteral("{\"k\":[1]}")}};
    QCOMPARE(reader.textMap(), expected);
    QVERIFY(!reader.error());
}

void TestProtocolJson::versionGates_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("known");
    QTest::addColumn<bool>("surely"); // has 0.5.7
    QTest::addColumn<bool>("may");
    QTest::newRow("newer") << QStringLiteral("0.6.13") << true << true << true;
    QTest::newRow("exact") << QStringLiteral("0.5.7") << true << true << true;
    QTest::newRow("older") << QStringLiteral("0.5.6") << true << false << false;
    QTest::newRow("compares numbers, not text") << QStringLiteral("0.5.10") << true << true << true;
    QTest::newRow("prefix v") << QStringLiteral("v0.6.13") << true << true << true;
    QTest::newRow("two parts") << QStringLiteral("0.6") << true << true << true;
    QTest::newRow("pre-release") << QStringLiteral("0.6.0-rc1") << true << true << true;
    QTest::newRow("free text") << QStringLiteral("test") << false << false << true;
    QTest::newRow("empty") << QString() << false << false << true;
}

void TestProtocolJson::versionGates()
{
    QFETCH(QString, text);
    QFETCH(bool, known);
    QFETCH(bool, surely);
    QFETCH(bool, may);
    const EnvdVersion version(text);
    QCOMPARE(version.isKnown(), known);
    QCOMPARE(version.surelyHas(0, 5, 7), surely);
    QCOMPARE(version.mayHave(0, 5, 7), may);
}

QTEST_GUILESS_MAIN(TestProtocolJson)
#include "tst_protocol_json.moc"
