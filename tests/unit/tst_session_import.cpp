// SPDX-License-Identifier: GPL-3.0-or-later
// Connection profiles as JSON: which option wins, what is refused and how it is said, and that no key leaks.
#include "backend/session/profile_import.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::session;

using Source = ImportedProfile::Source;

namespace {

/// "A=1 B=2" as an environment.
EnvironmentReader environmentOf(const QString &text)
{
    QHash<QByteArray, QByteArray> values;
    for (const QString &pair : text.split(u' ', Qt::SkipEmptyParts))
        values.insert(pair.section(u'=', 0, 0).toLatin1(), pair.section(u'=', 1).toUtf8());
    return [values](const char *name) { return values.value(name); };
}

QByteArray bytesOf(const QString &text)
{
    return text.toUtf8();
}

/// One value of an imported profile, as text.
QString valueOf(const ImportedProfile &imported, const QString &what)
{
    const ConnectionProfile &profile = imported.profile;
    const auto choice = [](const std::optional<bool> &value) {
        return value ? QString(QLatin1String(*value ? "true" : "false")) : QStringLiteral("unset");
    };
    const QHash<QString, QString> values = {
        {QStringLiteral("key"), QString::fromUtf8(imported.key.reveal())},
        {QStringLiteral("keyVariable"), imported.keyVariable},
        {QStringLiteral("api"), profile.apiUrl.toString()},
        {QStringLiteral("domain"), profile.domain},
        {QStringLiteral("sandboxUrl"), profile.sandboxUrl.value_or(QUrl()).toString()},
        {QStringLiteral("gateway"), profile.gateway.value_or(QUrl()).toString()},
        {QStringLiteral("template"), profile.defaultTemplate},
        {QStringLiteral("lifetime"), QString::number(profile.lifetime.count())},
        {QStringLiteral("secure"), choice(profile.secure)},
        {QStringLiteral("internet"), choice(profile.allowInternetAccess)},
        {QStringLiteral("autoPause"), choice(profile.autoPause)},
        {QStringLiteral("autoResume"), choice(profile.autoResume)},
        {QStringLiteral("port"), QString::number(profile.envdPort)},
        {QStringLiteral("scheme"), profile.envdScheme},
        {QStringLiteral("workspace"), profile.workspaceRoot},
        {QStringLiteral("home"), profile.homeDir},
        {QStringLiteral("temp"), profile.tempRoot},
        {QStringLiteral("shell"), profile.shell},
        {QStringLiteral("multipart"), choice(profile.forceMultipart)},
        {QStringLiteral("user"), profile.user},
        {QStringLiteral("strict"), choice(profile.strict)},
        {QStringLiteral("kind"), QString::number(int(profile.kind))},
    };
    return values.value(what, QStringLiteral("?"));
}

} // namespace

class TestSessionImport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesTheFirstThatIsGiven_data();
    void takesTheFirstThatIsGiven();
    void takesEverySpelling_data();
    void takesEverySpelling();
    void refusesAndNamesTheOption_data();
    void refusesAndNamesTheOption();
    void readsMapsAndRawParts();
    void saysWhereEachValueCameFrom();
    void showsNoSecret();
    void comesBackFromAnExport();
    void readsTheCommandLineToolsAccount_data();
    void readsTheCommandLineToolsAccount();
};

void TestSessionImport::takesTheFirstThatIsGiven_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *json, const char *environment, const char *what,
                        const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(json) << QString::fromUtf8(environment) << QString::fromUtf8(what)
                            << QString::fromUtf8(expected);
    };
    row("key given", R"({"api_key":" k1 "})", "E2B_API_KEY=k2", "key", "k1");
    row("key blank", R"({"api_key":"  "})", "E2B_API_KEY=k2", "key", "k2");
    row("key of the environment", "{}", "E2B_API_KEY=k2", "key", "k2");
    row("key of another variable", R"({"api_key_env":"MINE"})", "E2B_API_KEY=k2 MINE=k3", "key", "k3");
    row("key of another variable that is empty", R"({"api_key_env":"MINE"})", "E2B_API_KEY=k2", "key", "");
    row("the variable to be named", R"({"api_key_env":"MINE"})", "", "keyVariable", "MINE");
    row("blank variable name", R"({"api_key_env":" "})", "E2B_API_KEY=k2", "key", "k2");

    row("domain given", R"({"domain":" box.example. "})", "E2B_DOMAIN=env.example", "domain", "box.example");
    row("domain blank", R"({"domain":" "})", "E2B_DOMAIN=env.example", "domain", "env.example");
    row("domain of the environment", "{}", "E2B_DOMAIN=env.example.", "domain", "env.example");
    row("domain by default", "{}", "", "domain", "e2b.app");
    row("domain with a port", R"({"domain":"box.example:8443"})", "", "domain", "box.example:8443");

    row("API given", R"({"api_base":"https://a.example/e2b/v1/"})", "E2B_API_URL=https://b.example", "api",
        "https://a.example/e2b/v1");
    row("API of the environment", "{}", "E2B_API_URL=https://b.example", "api", "https://b.example");
    row("API of the given domain", R"({"domain":"box.example"})", "", "api", "https://api.box.example");
    row("API of the environment's domain", "{}", "E2B_DOMAIN=env.example", "api", "https://api.env.example");
    row("API by default", "null", "", "api", "https://api.e2b.app");
    row("the cloud is known", "{}", "", "kind", "1");
    row("another server is known", R"({"domain":"box.example"})", "", "kind", "2");

    row("sandbox URL given", R"({"sandbox_url":"http://s.example:3002"})", "E2B_SANDBOX_URL=http://t.example",
        "sandboxUrl", "http://s.example:3002");
    row("sandbox URL of the environment", "{}", "E2B_SANDBOX_URL=http://127.0.0.1:3002", "sandboxUrl",
        "http://127.0.0.1:3002");
    row("a domain in the sandbox URL's variable", "{}", "E2B_SANDBOX_URL=box.example", "domain", "box.example");
    row("no URL then", "{}", "E2B_SANDBOX_URL=box.example", "sandboxUrl", "");
    row("the domain's own variable first", "{}", "E2B_SANDBOX_URL=box.example E2B_DOMAIN=env.example", "domain",
        "env.example");
    row("a URL is no domain", "{}", "E2B_SANDBOX_URL=http://127.0.0.1:3002", "domain", "e2b.app");
    row("API of such a domain", "{}", "E2B_SANDBOX_URL=box.example", "api", "https://api.box.example");

    row("gateway", R"({"proxy_url":"https://10.0.0.1:8443"})", "", "gateway", "https://10.0.0.1:8443");
    row("gateway without a scheme", R"({"proxy_url":"10.0.0.1:80"})", "", "gateway", "http://10.0.0.1:80");
    row("gateway by default", "{}", "", "gateway", "");

    row("template by default", "{}", "", "template", "base");
    row("template blank", R"({"template_id":" "})", "", "template", "base");
    row("template", R"({"template_id":" python "})", "", "template", "python");
    row("lifetime by default", "{}", "", "lifetime", "300");
    row("lifetime 0 is the default", R"({"timeout_secs":0})", "", "lifetime", "300");
    row("lifetime", R"({"timeout_secs":3600})", "", "lifetime", "3600");
    row("secure by default", "{}", "", "secure", "true");
    row("not secure", R"({"secure":false})", "", "secure", "false");
    row("internet not sent", "{}", "", "internet", "unset");
    row("internet", R"({"allow_internet_access":false})", "", "internet", "false");
    row("auto-pause not sent", "{}", "", "autoPause", "unset");
    row("null is not given", R"({"auto_pause":null})", "", "autoPause", "unset");
    row("auto-resume", R"({"auto_pause":true,"auto_resume":true})", "", "autoResume", "true");
    row("port by default", "{}", "", "port", "49983");
    row("port", R"({"envd_port":80})", "", "port", "80");
    row("scheme by default", "{}", "", "scheme", "https");
    row("scheme blank", R"({"envd_scheme":""})", "", "scheme", "https");
    row("scheme", R"({"envd_scheme":" HTTP "})", "", "scheme", "http");
    row("workspace by default", "{}", "", "workspace", "/home/user/workspace");
    row("workspace normalised", R"({"workspace_root":"/a/./b/../c//"})", "", "workspace", "/a/c");
    row("the root itself", R"({"home_dir":"/"})", "", "home", "/");
    row("home by default", "{}", "", "home", "/home/user");
    row("temp by default", "{}", "", "temp", "/tmp");
    row("shell by default", R"({"default_shell":""})", "", "shell", "/bin/sh");
    row("uploads by default", "{}", "", "multipart", "false");
    row("uploads as forms", R"({"envd_file_upload":" Multipart "})", "", "multipart", "true");
    row("user by default", "{}", "", "user", "user");
    row("user blank is none", R"({"username":"  "})", "", "user", "");
    row("user", R"({"username":" root "})", "", "user", "root");
    row("strict", R"({"strict":true})", "", "strict", "true");
}

void TestSessionImport::takesTheFirstThatIsGiven()
{
    QFETCH(QString, json);
    QFETCH(QString, environment);
    QFETCH(QString, what);
    QFETCH(QString, expected);
    const auto imported = importProfile(bytesOf(json), environmentOf(environment));
    QVERIFY2(imported, imported ? "" : qPrintable(imported.error().code + u' ' + imported.error().message));
    QCOMPARE(valueOf(*imported, what), expected);
}

void TestSessionImport::takesEverySpelling_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("json"); // a value for it
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("expected");
    const auto rows = [](std::initializer_list<const char *> spellings, const char *json, const char *what,
                         const char *expected) {
        for (const char *spelling : spellings)
            QTest::newRow(spelling) << QString::fromLatin1(spelling) << QString::fromLatin1(json)
                                    << QString::fromLatin1(what) << QString::fromLatin1(expected);
    };
    rows({"api_key"}, R"("k")", "key", "k");
    rows({"api_base", "apiBase", "api_url", "apiUrl"}, R"("https://a.example")", "api", "https://a.example");
    rows({"domain", "sandbox_domain", "sandboxDomain"}, R"("box.example")", "domain", "box.example");
    rows({"template_id", "templateID", "template"}, R"("t")", "template", "t");
    rows({"timeout_secs", "timeout", "sandbox_ttl_seconds"}, "60", "lifetime", "60");
    rows({"allow_internet_access", "allowInternetAccess"}, "true", "internet", "true");
    rows({"auto_pause", "autoPause"}, "true", "autoPause", "true");
    rows({"auto_resume", "autoResume"}, "true", "autoResume", "true");
    rows({"envd_port", "envdPort"}, "81", "port", "81");
    rows({"envd_scheme", "envdScheme"}, R"("http")", "scheme", "http");
    rows({"workspace_root", "workspaceRoot", "remoteWorkspaceRoot"}, R"("/w")", "workspace", "/w");
    rows({"home_dir", "homeDir"}, R"("/h")", "home", "/h");
    rows({"temp_root", "tempRoot"}, R"("/t")", "temp", "/t");
    rows({"default_shell", "defaultShell"}, R"("/bin/bash")", "shell", "/bin/bash");
    rows({"envd_file_upload", "envdFileUpload"}, R"("multipart")", "multipart", "true");
    rows({"proxy_url", "gateway"}, R"("http://g.example")", "gateway", "http://g.example");
    rows({"sandbox_url", "sandboxUrl"}, R"("http://s.example")", "sandboxUrl", "http://s.example");
}

void TestSessionImport::takesEverySpelling()
{
    QFETCH(QString, option);
    QFETCH(QString, json);
    QFETCH(QString, what);
    QFETCH(QString, expected);
    const auto imported =
        importProfile(bytesOf(QStringLiteral("{\"%1\":%2}").arg(option, json)), environmentOf(QString()));
    QVERIFY(imported);
    QCOMPARE(valueOf(*imported, what), expected);
}

void TestSessionImport::refusesAndNamesTheOption_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *json, const char *code, const char *named) {
        QTest::newRow(json) << QString::fromUtf8(json) << QString::fromLatin1(code) << QString::fromLatin1(named);
    };
    row("{", "not_json", "");
    row("[]", "not_object", "");
    row("17", "not_object", "");
    row(R"({"api_kee":"x"})", "unknown", "api_kee");
    row(R"({"apiKey":"x"})", "unknown", "apiKey"); // has one spelling only
    row(R"({"api_base":"https://a.example","apiUrl":"https://a.example"})", "twice", "api_base, apiUrl");
    row(R"({"env_vars":{},"envVars":null})", "twice", "env_vars, envVars");
    row(R"({"timeout":1,"timeout_secs":1})", "twice", "timeout_secs, timeout");
    row(R"({"api_key":5})", "type", "api_key");
    row(R"({"api_base":5})", "type", "api_base");
    row(R"({"secure":"yes"})", "type", "secure");
    row(R"({"timeout_secs":"60"})", "type", "timeout_secs");
    row(R"({"timeout_secs":-1})", "number", "timeout_secs");
    row(R"({"timeout_secs":1.5})", "number", "timeout_secs");
    row(R"({"envd_port":65536})", "number", "envd_port");
    row(R"({"envd_port":0})", "number", "envd_port");
    row(R"({"api_base":"ftp://a.example"})", "url", "api_base");
    row(R"({"api_base":"https://me:hunter2@a.example"})", "url", "api_base");
    row(R"({"proxy_url":"https://"})", "url", "proxy_url");
    row(R"({"domain":"https://box.example"})", "domain", "domain");
    row(R"({"domain":"box.example/x"})", "domain", "domain");
    row(R"({"domain":"box.example?x"})", "domain", "domain");
    row(R"({"domain":"box.example#x"})", "domain", "domain");
    row(R"({"domain":"..."})", "domain", "domain");
    row(R"({"envd_scheme":"ws"})", "scheme", "envd_scheme");
    row(R"({"envd_file_upload":"chunked"})", "upload", "envd_file_upload");
    row(R"({"workspace_root":"work"})", "path", "workspace_root");
    row(R"({"workspace_root":" "})", "path", "workspace_root");
    row(R"({"home_dir":"/a/../.."})", "path", "home_dir");
    row(R"({"temp_root":7})", "type", "temp_root");
    row(R"({"metadata":["a"]})", "type", "metadata");
    row(R"({"env_vars":{"PIN":1}})", "type", "env_vars.PIN");
    row(R"({"network":"all"})", "type", "network");
    row(R"({"volume_mounts":{}})", "type", "volume_mounts");
    row(R"({"allow_private_endpoints":"yes"})", "type", "allow_private_endpoints");
}

void TestSessionImport::refusesAndNamesTheOption()
{
    QFETCH(QString, json);
    QFETCH(QString, code);
    QFETCH(QString, named);
    const auto imported = importProfile(bytesOf(json), environmentOf(QStringLiteral("E2B_API_KEY=k")));
    QVERIFY(!imported);
    QCOMPARE(imported.error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(imported.error().code, code);
    if (!named.isEmpty())
        QCOMPARE(imported.error().message, named);
    QVERIFY(!imported.error().message.contains(QLatin1String("hunter2")));
}

void TestSessionImport::readsMapsAndRawParts()
{
    const auto imported = importProfile(R"({"metadata":{"team":"a"},"envVars":{"A":"1","B":""},
        "network":{"allowOut":["1.1.1.1"]},"mcp":{"x":{}},"volumeMounts":[{"name":"v","path":"/v"}]})",
                                        environmentOf(QString()));
    QVERIFY(imported);
    const CreateDefaults &defaults = imported->defaults;
    QCOMPARE(defaults.metadata.value(QStringLiteral("team")), QStringLiteral("a"));
    QCOMPARE(defaults.envVars.size(), 2);
    QCOMPARE(defaults.network.value(QLatin1String("allowOut")).toArray().size(), 1);
    QVERIFY(defaults.mcp.contains(QLatin1String("x")));
    QCOMPARE(defaults.volumeMounts.size(), 1);
    QCOMPARE(CreateDefaults::fromJson(defaults.toJson()), defaults);
}

void TestSessionImport::saysWhereEachValueCameFrom()
{
    const auto imported = importProfile(R"({"apiUrl":"https://a.example","http_timeout_seconds":30})",
                                        environmentOf(QStringLiteral("E2B_DOMAIN=env.example E2B_API_KEY=k")));
    QVERIFY(imported);
    QHash<QString, ImportedProfile::Line> lines;
    for (const auto &line : imported->lines) {
        QVERIFY2(!lines.contains(line.option), qPrintable(line.option));
        lines.insert(line.option, line);
    }
    QCOMPARE(lines.value(QStringLiteral("api_base")).source, Source::File);
    QCOMPARE(lines.value(QStringLiteral("api_base")).value, QStringLiteral("https://a.example"));
    QCOMPARE(lines.value(QStringLiteral("domain")).source, Source::Environment);
    QCOMPARE(lines.value(QStringLiteral("domain")).detail, QStringLiteral("E2B_DOMAIN"));
    QCOMPARE(lines.value(QStringLiteral("api_key")).source, Source::Environment);
    QCOMPARE(lines.value(QStringLiteral("api_key")).detail, QStringLiteral("E2B_API_KEY"));
    QCOMPARE(lines.value(QStringLiteral("template_id")).source, Source::Default);
    QCOMPARE(lines.value(QStringLiteral("http_timeout_seconds")).source, Source::NotUsed);
}

void TestSessionImport::showsNoSecret()
{
    const QByteArray json = R"({"api_key":"hunter2","env_vars":{"A":"hunter2"},"metadata":{"m":"hunter2"},
        "network":{"rules":{"h":[{"transform":{"headers":{"X":"hunter2"}}}]}},"mcp":{"a":{"token":"hunter2"}},
        "volume_mounts":[{"name":"hunter2"}]})";
    const auto imported = importProfile(json, environmentOf(QStringLiteral("E2B_API_KEY=hunter2")));
    QVERIFY(imported);
    for (const auto &line : imported->lines)
        QVERIFY2(!(line.value + line.detail).contains(QLatin1String("hunter2")), qPrintable(line.option));
    // What is saved of it holds none either.
    for (const QJsonObject &object : {toJson(imported->profile), exportProfile(imported->profile)})
        QVERIFY(!QJsonDocument(object).toJson().contains("hunter2"));
}

void TestSessionImport::comesBackFromAnExport()
{
    auto own = ConnectionProfile::selfHosted(QStringLiteral("Büro"), QUrl(QStringLiteral("http://box.example:81/e2b")));
    own.domain = QStringLiteral("box.example:8443");
    own.sandboxUrl = QUrl(QStringLiteral("http://box.example:82"));
    own.gateway = QUrl(QStringLiteral("https://10.0.0.1:8443"));
    own.envdScheme = QStringLiteral("https");
    own.caFile = QStringLiteral("/etc/ca.pem");
    own.user = QString();
    own.envdPort = 80;
    own.forceMultipart = true;
    own.strict = true;
    own.defaultTemplate = QStringLiteral("python");
    own.lifetime = std::chrono::seconds(900);
    own.allowInternetAccess = false;
    own.autoPause = true;
    own.autoResume = true;
    own.secure = false;
    own.workspaceRoot = QStringLiteral("/w");
    own.homeDir = QStringLiteral("/h");
    own.tempRoot = QStringLiteral("/t");
    own.shell = QStringLiteral("/bin/zsh");
    const QByteArray text = QJsonDocument(exportProfile(own)).toJson();
    auto imported = importProfile(text, environmentOf(QString()));
    QVERIFY2(imported, imported ? "" : qPrintable(imported.error().message));
    imported->profile.id = own.id;
    QCOMPARE(toJson(imported->profile), toJson(own));

    const auto cloud = ConnectionProfile::cloud(QStringLiteral("Cloud"));
    auto again = importProfile(QJsonDocument(exportProfile(cloud)).toJson(), environmentOf(QString()));
    QVERIFY(again);
    QCOMPARE(again->profile.kind, ConnectionProfile::Kind::E2bCloud);
}

void TestSessionImport::readsTheCommandLineToolsAccount_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("project");
    const auto row = [](const char *name, const char *json, const char *code, const char *project = "") {
        QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(code) << QString::fromLatin1(project);
    };
    row("version 2", R"({"version":2,"projectName":"Work","projectId":"p","projectApiKey":"e2b_1","tokens":{}})", "",
        "Work");
    row("version 1", R"({"version":1,"teamName":"Old","teamId":"t","teamApiKey":"e2b_1"})", "", "Old");
    row("signed out", R"({"version":2,"projectName":"Work"})", "cli_format");
    row("before versions", R"({"email":"a@b","teamApiKey":"e2b_1"})", "cli_format");
    row("of a later day", R"({"version":3,"projectApiKey":"e2b_1"})", "cli_format");
    row("broken", "{", "not_json");
}

void TestSessionImport::readsTheCommandLineToolsAccount()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, code);
    QFETCH(QString, project);
    const auto account = readCliConfig(json);
    QCOMPARE(account ? QString() : account.error().code, code);
    if (account) {
        QCOMPARE(account->project, project);
        QCOMPARE(account->key.reveal(), QByteArray("e2b_1"));
    }
}

QTEST_GUILESS_MAIN(TestSessionImport)
#include "tst_session_import.moc"
