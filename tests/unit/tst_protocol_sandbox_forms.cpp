// SPDX-License-Identifier: GPL-3.0-or-later
// What goes out about sandboxes: create, network rules, list filters; and what no server takes.
#include "backend/protocol/list_filter.h"
#include "backend/protocol/new_sandbox_check.h"
#include "backend/protocol/sandbox_codec.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::protocol;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

SandboxSummary entry(const char *id, const char *startedAt, const QMap<QString, QString> &metadata = {})
{
    return {.id = {QString::fromLatin1(id)},
            .state = SandboxState::Running,
            .startedAt = QDateTime::fromString(QString::fromLatin1(startedAt), Qt::ISODate),
            .metadata = metadata};
}

QStringList idsOf(const QList<SandboxSummary> &items)
{
    QStringList ids;
    for (const SandboxSummary &item : items)
        ids.append(item.id.value);
    return ids;
}

} // namespace

class TestProtocolSandboxForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void createBodies_data();
    void createBodies();
    void refusedCombinations_data();
    void refusedCombinations();
    void networkUpdateClearsWhatIsEmpty();
    void detailTellsItsNetwork();
    void networkInAWordIsKeptAsAnExtra();
    void metadataFilterIsEncodedThreeTimes_data();
    void metadataFilterIsEncodedThreeTimes();
    void whatServersIgnoreIsDoneHere();
    void forksAreMadeOrNot();
};

void TestProtocolSandboxForms::createBodies_data()
{
    QTest::addColumn<NewSandbox>("sandbox");
    QTest::addColumn<CreateDialect>("dialect");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const NewSandbox &sandbox, const char *more,
                        const CreateDialect &dialect = {}) {
        QTest::newRow(name) << sandbox << dialect
                            << QByteArray(R"({"templateID":"base","timeout":300,"secure":true)") + more + '}';
    };
    row("what always goes", {}, "");
    row("disk only", {.autoPause = true, .autoPauseMemory = false}, R"(,"autoPause":true,"autoPauseMemory":false)");
    row("wakes on traffic", {.autoPause = true, .autoResume = true, .autoPauseMemory = true},
        R"(,"autoPause":true,"autoResume":{"enabled":true},"autoPauseMemory":true)");
    row("metadata and variables", {.metadata = {{u"owner"_s, u"ci-17"_s}}, .envVars = {{u"LANG"_s, u"C.UTF-8"_s}}},
        R"(,"metadata":{"owner":"ci-17"},"envVars":{"LANG":"C.UTF-8"})");
    row("no internet", {.allowInternetAccess = false}, R"(,"allow_internet_access":false)");
    row("volumes", {.volumeMounts = {{u"data"_s, u"/mnt/data"_s}, {u"cache"_s, u"/var/cache/x"_s}}},
        R"(,"volumeMounts":[{"name":"data","path":"/mnt/data"},{"name":"cache","path":"/var/cache/x"}])");
    row("MCP", {.mcp = Secret(R"({"github":{"token":"t"}})")}, R"(,"mcp":{"github":{"token":"t"}})");
    row("identity tokens", {.iamTokens = {{u"aws"_s, {.audience = u"sts"_s}}}},
        R"(,"iam":{"tokens":{"aws":{"audience":"sts","tokenType":"JWT-SVID"}}})");

    NetworkConfig network;
    row("a network with nothing set", {.network = network}, "");
    network.allowPublicTraffic = false;
    network.allowOut = {u"index.example"_s, u"*.files.example"_s};
    network.denyOut = {u"0.0.0.0/0"_s};
    network.maskRequestHost = u"app.local:${PORT}"_s;
    network.httpsPorts = {8443};
    network.egressProxy = EgressProxy{.address = u"proxy:1080"_s, .username = u"u"_s, .password = Secret("p")};
    network.rules = {{u"*.corp.example"_s, {{u"Authorization"_s, Secret("Bearer x")}}}, {u"empty.example"_s, {}}};
    row("a whole network", {.network = network},
        R"(,"network":{"allowOut":["index.example","*.files.example"],"denyOut":["0.0.0.0/0"],)"
        R"("egressProxy":{"address":"proxy:1080","username":"u","password":"p"},)"
        R"("rules":{"*.corp.example":[{"transform":{"headers":{"Authorization":"Bearer x"}}}]},)"
        R"("allowPublicTraffic":false,"maskRequestHost":"app.local:${PORT}","httpsPorts":[8443]})");

    // compat.md 2.41: strict servers refuse what they do not know.
    row("plain fields only", {.autoPause = true, .autoResume = true, .autoPauseMemory = true, .network = network},
        R"(,"autoPause":true)", {.plainFieldsOnly = true});
    row("lifecycle as an object", {.autoPause = true, .autoResume = true},
        R"(,"lifecycle":{"onTimeout":"pause","autoResume":true})", {.lifecycleObject = true});
    row("lifecycle at its default is left out", {}, "", {.lifecycleObject = true});
}

void TestProtocolSandboxForms::createBodies()
{
    QFETCH(NewSandbox, sandbox);
    QFETCH(CreateDialect, dialect);
    QFETCH(QByteArray, body);
    const QByteArray encoded = encodeNewSandbox(sandbox, dialect);
    const QJsonObject expected = QJsonDocument::fromJson(body).object();
    QVERIFY2(!expected.isEmpty(), body);
    QVERIFY2(QJsonDocument::fromJson(encoded).object() == expected, encoded);
    QVERIFY(!encoded.contains("null"));
}

void TestProtocolSandboxForms::refusedCombinations_data()
{
    QTest::addColumn<NewSandbox>("sandbox");
    QTest::addColumn<QString>("code"); // empty: taken
    const auto row = [](const char *name, const NewSandbox &sandbox, const char *code) {
        QTest::newRow(name) << sandbox << QString::fromLatin1(code);
    };
    const auto with = [](auto change) {
        NewSandbox sandbox;
        sandbox.network.emplace();
        change(*sandbox.network);
        return sandbox;
    };
    row("the default", {}, "");
    row("no template", {.templateId = u" "_s}, "no_template");
    row("no life", {.timeout = 0s}, "bad_timeout");
    row("negative life", {.timeout = -3600s}, "bad_timeout");
    row("wakes but does not pause", {.autoResume = true}, "auto_resume_without_pause");
    row("disk of what does not pause", {.autoPauseMemory = false}, "disk_only_without_pause");
    row("disk only and wakes", {.autoPause = true, .autoResume = true, .autoPauseMemory = false},
        "disk_only_with_auto_resume");
    row("memory and wakes", {.autoPause = true, .autoResume = true, .autoPauseMemory = true}, "");
    NewSandbox open = with([](NetworkConfig &n) { n.allowPublicTraffic = false; });
    row("closed and secure", open, "");
    open.secure = false;
    row("closed but not secure", open, "private_needs_secure");
    row("a domain without denying all", with([](NetworkConfig &n) { n.allowOut = {u"index.example"_s}; }),
        "domains_need_deny_all");
    row("addresses without denying all", with([](NetworkConfig &n) {
            n.allowOut = {u"10.0.0.0/8"_s, u"1.1.1.1"_s, u"fd00::/8"_s};
        }),
        "");
    row("a domain denied", with([](NetworkConfig &n) { n.denyOut = {u"evil.example"_s}; }), "domain_denied");
    row("a proxy without a port", with([](NetworkConfig &n) { n.egressProxy = EgressProxy{.address = u"p"_s}; }),
        "bad_proxy");
    row("a password without a user",
        with([](NetworkConfig &n) { n.egressProxy = EgressProxy{.address = u"p:1"_s, .password = Secret("x")}; }),
        "bad_proxy");
    row("rules for 11 hosts", with([](NetworkConfig &n) {
            for (int i = 0; i < 11; ++i)
                n.rules.insert(u"h%1.example"_s.arg(i), {});
        }),
        "bad_rules");
    row("a header that splits", with([](NetworkConfig &n) {
            n.rules = {{u"a.example"_s, {{u"X-A"_s, Secret("1\r\nX-B: 2")}}}};
        }),
        "bad_rules");
    row("a header name with a space", with([](NetworkConfig &n) {
            n.rules = {{u"a.example"_s, {{u"X A"_s, Secret("1")}}}};
        }),
        "bad_rules");
    row("a rule for a path", with([](NetworkConfig &n) { n.rules = {{u"a.example/x"_s, {}}}; }), "bad_rules");
    row("a wildcard rule", with([](NetworkConfig &n) { n.rules = {{u"*.a.example"_s, {}}}; }), "");
    row("HTTPS on envd's port", with([](NetworkConfig &n) { n.httpsPorts = {49983}; }), "bad_port");
    row("a mount that climbs", {.volumeMounts = {{u"v"_s, u"/mnt/../etc"_s}}}, "bad_mount");
    row("a relative mount", {.volumeMounts = {{u"v"_s, u"data"_s}}}, "bad_mount");
    row("a mount twice", {.volumeMounts = {{u"v"_s, u"/a"_s}, {u"w"_s, u"/a"_s}}}, "bad_mount");
    row("a mount with a slash behind", {.volumeMounts = {{u"v"_s, u"/a/"_s}}}, "bad_mount");
    row("MCP that is no object", {.mcp = Secret("[1]")}, "bad_mcp");
    NewSandbox tokens;
    for (int i = 0; i < 6; ++i)
        tokens.iamTokens.insert(QString::number(i), {});
    row("six identity tokens", tokens, "too_many_tokens");
}

void TestProtocolSandboxForms::refusedCombinations()
{
    QFETCH(NewSandbox, sandbox);
    QFETCH(QString, code);
    const auto wrong = checkNewSandbox(sandbox);
    QCOMPARE(wrong ? wrong->code : QString(), code);
    if (wrong) {
        QCOMPARE(wrong->kind, ErrorKind::InvalidRequest);
        QCOMPARE(wrong->delivery, Delivery::NotSent);
        QVERIFY(!wrong->message.isEmpty());
    }
}

void TestProtocolSandboxForms::networkUpdateClearsWhatIsEmpty()
{
    QCOMPARE(encodeNetworkUpdate({}), "{}"_ba);
    NetworkUpdate update;
    update.denyOut = {u"0.0.0.0/0"_s};
    update.allowInternetAccess = false;
    QCOMPARE(encodeNetworkUpdate(update), R"({"allow_internet_access":false,"denyOut":["0.0.0.0/0"]})"_ba);
}

void TestProtocolSandboxForms::detailTellsItsNetwork()
{
    const auto detail = decodeSandboxDetail(
        R"({"sandboxID":"i1","network":{"allowPublicTraffic":false,"allowOut":["a.example"],"denyOut":null,
            "egressProxy":{"address":"p:1080","username":"u"},"httpsPorts":[8443],"maskRequestHost":"x",
            "rules":{"a.example":[{"transform":{"headers":{"X-Key":"v"}}}]}},
            "volumeMounts":[{"name":"data","path":"/mnt"}],"later":1})");
    QVERIFY(detail.has_value());
    QVERIFY(detail->network.has_value());
    NetworkConfig expected;
    expected.allowPublicTraffic = false;
    expected.allowOut = {u"a.example"_s};
    expected.egressProxy = EgressProxy{.address = u"p:1080"_s, .username = u"u"_s};
    expected.httpsPorts = {8443};
    expected.maskRequestHost = u"x"_s;
    expected.rules = {{u"a.example"_s, {{u"X-Key"_s, Secret("v")}}}};
    QVERIFY(*detail->network == expected);
    QCOMPARE(detail->volumeMounts, (QList<VolumeMount>{{u"data"_s, u"/mnt"_s}}));
    QCOMPARE(detail->extras.keys(), QStringList{u"later"_s});
}

void TestProtocolSandboxForms::networkInAWordIsKeptAsAnExtra()
{
    const auto detail = decodeSandboxDetail(R"({"sandboxID":"i1","network":"none","volumeMounts":null})");
    QVERIFY(detail.has_value());
    QVERIFY(!detail->network);
    QCOMPARE(detail->extras.value("network"_L1).toString(), u"none"_s);
}

void TestProtocolSandboxForms::metadataFilterIsEncodedThreeTimes_data()
{
    using Map = QMap<QString, QString>;
    QTest::addColumn<Map>("metadata");
    QTest::addColumn<MetadataSending>("sending");
    QTest::addColumn<QByteArray>("parameter");
    const auto plain = MetadataSending::PlainPairs;
    const auto all = MetadataSending::All;
    QTest::newRow("nothing") << Map{} << plain << ""_ba;
    QTest::newRow("plain") << Map{{u"owner"_s, u"ci-17"_s}} << plain << "owner%3Dci-17"_ba;
    QTest::newRow("two plain") << Map{{u"a"_s, u"1"_s}, {u"b"_s, u"2.0~x_y"_s}} << plain << "a%3D1%26b%3D2.0~x_y"_ba;
    QTest::newRow("what is not plain stays here")
        << Map{{u"team"_s, u"a b&c"_s}, {u"owner"_s, u"me"_s}} << plain << "owner%3Dme"_ba;
    QTest::newRow("told to") << Map{{u"team"_s, u"a b&c"_s}} << all << "team%3Da%252520b%252526c"_ba;
    QTest::newRow("percent and plus") << Map{{u"k"_s, u"1+1=100%"_s}} << all << "k%3D1%25252B1%25253D100%252525"_ba;
    QTest::newRow("Unicode") << Map{{u"k"_s, u"\u00e9"_s}} << all << "k%3D%2525C3%2525A9"_ba;
    QTest::newRow("told not to") << Map{{u"owner"_s, u"me"_s}} << MetadataSending::None << ""_ba;
}

void TestProtocolSandboxForms::metadataFilterIsEncodedThreeTimes()
{
    using Map = QMap<QString, QString>;
    QFETCH(Map, metadata);
    QFETCH(MetadataSending, sending);
    QFETCH(QByteArray, parameter);
    QCOMPARE(metadataFilter(metadata, sending), parameter);
    if (sending != MetadataSending::All)
        return;
    // As the reference server reads it: query, whole value, each key and value.
    QMap<QString, QString> read;
    const QByteArray twice = QByteArray::fromPercentEncoding(QByteArray::fromPercentEncoding(parameter));
    for (const QByteArray &pair : twice.split('&')) {
        QCOMPARE(pair.count('='), 1);
        const QByteArrayList parts = pair.split('=');
        read.insert(QString::fromUtf8(QByteArray::fromPercentEncoding(parts.at(0))),
                    QString::fromUtf8(QByteArray::fromPercentEncoding(parts.at(1))));
    }
    QCOMPARE(read, metadata);
}

void TestProtocolSandboxForms::whatServersIgnoreIsDoneHere()
{
    const QList<SandboxSummary> all{entry("old", "2026-03-01T00:00:00Z", {{u"owner"_s, u"a b"_s}}), entry("none", ""),
                                    entry("new", "2026-03-03T00:00:00Z", {{u"owner"_s, u"a b"_s}, {u"x"_s, u"1"_s}}),
                                    entry("mid", "2026-03-02T00:00:00Z", {{u"owner"_s, u"other"_s}})};
    const auto listed = [&](const ListQuery &query) {
        QList<SandboxSummary> items = all;
        applyQuery(items, query);
        return idsOf(items);
    };
    QCOMPARE(listed({}), (QStringList{u"new"_s, u"mid"_s, u"old"_s, u"none"_s}));
    QCOMPARE(listed({.order = ListOrder::OldestFirst}), (QStringList{u"old"_s, u"mid"_s, u"new"_s, u"none"_s}));
    QCOMPARE(listed({.metadata = {{u"owner"_s, u"a b"_s}}}), (QStringList{u"new"_s, u"old"_s}));
    QCOMPARE(listed({.metadata = {{u"owner"_s, u"a b"_s}, {u"x"_s, u"1"_s}}}), QStringList{u"new"_s});
    QCOMPARE(listed({.metadata = {{u"owner"_s, u"a"_s}}}), QStringList());
    QCOMPARE(listed({.startedAfter = all.at(3).startedAt}), (QStringList{u"new"_s, u"mid"_s, u"none"_s}));
    QCOMPARE(listed({.states = {SandboxState::Paused}}), QStringList());
}

void TestProtocolSandboxForms::forksAreMadeOrNot()
{
    const auto forks = decodeForks(R"([{"sandbox":{"templateID":"t1","sandboxID":"if1","envdVersion":"0.6.13"}},
        {"error":{"code":503,"message":"Failed to place sandbox: no capacity"}}])");
    QVERIFY(forks.has_value());
    QCOMPARE(forks->size(), 2);
    QCOMPARE(forks->at(0)->id.value, u"if1"_s);
    QVERIFY(!forks->at(1));
    QCOMPARE(forks->at(1).error().kind, ErrorKind::Capacity);
    QCOMPARE(forks->at(1).error().message, u"Failed to place sandbox: no capacity"_s);
    QVERIFY(!decodeForks(R"([{"sandbox":{}}])"));
}

QTEST_APPLESS_MAIN(TestProtocolSandboxForms)
#include "tst_protocol_sandbox_forms.moc"
