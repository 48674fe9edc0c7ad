// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/profile_store.h"
#include "backend/session/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::session;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

constexpr auto forOthers =
    QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;

} // namespace

class TestSessionProfiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTypedServerAddresses_data();
    void readsTypedServerAddresses();
    void keepsProfilesAcrossRuns();
    void keepsWhatANewerVersionWrote();
    void leavesOutUnusableEntries();
    void setsABrokenFileAside();
    void keepsTheOldFileWhenTheDiskRefuses();
    void refusesToSaveAnEphemeralProfile();
    void findsFreeNames();
    void filesAreForTheirOwnerOnly();
    void settingsComeBack();
    void settingsSurviveWrongTypes();
    void settingsAreWrittenSoonAfterAChange();
    void themeAndLanguageAreAnnouncedOnce();

private:
    QTemporaryDir m_dir;
    QString path(const QString &name) const
    {
        return m_dir.filePath(QString::fromLatin1(QTest::currentTestFunction()) + u'/' + name);
    }
    QString madePath(const QString &name) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        return path(name);
    }
};

void TestSessionProfiles::readsTypedServerAddresses_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("url"); // empty: refused
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const char *typed, const char *url, const char *code = "") {
        QTest::newRow(name) << QString::fromLatin1(typed) << QString::fromLatin1(url) << QString::fromLatin1(code);
    };
    row("whole", "https://api.e2b.app", "https://api.e2b.app");
    row("no scheme", "api.box.example", "https://api.box.example");
    row("no scheme, port", "api.box.example:8443", "https://api.box.example:8443");
    row("this computer", "localhost:3000", "http://localhost:3000");
    row("this computer by number", "127.0.0.1:3000", "http://127.0.0.1:3000");
    row("IPv6", "http://[::1]:3000", "http://[::1]:3000");
    row("blanks", "  https://api.e2b.app  ", "https://api.e2b.app");
    row("slashes at the end", "https://box.example/e2b/v1//", "https://box.example/e2b/v1");
    row("prefix", "http://box.example:18080/e2b/v1", "http://box.example:18080/e2b/v1");
    row("empty", "   ", "", "empty");
    row("other scheme", "ftp://box.example", "", "scheme");
    row("javascript", "javascript://box.example/%0aalert(1)", "", "scheme");
    row("password", "https://user:hunter2@box.example", "", "credentials");
    row("user", "https://key@box.example", "", "credentials");
    row("query", "https://box.example/?apiKey=e2b_1", "", "query");
    row("fragment", "https://box.example/#x", "", "query");
    row("no host", "https://", "", "host");
    row("blank inside", "https://box .example", "", "host");
}

void TestSessionProfiles::readsTypedServerAddresses()
{
    QFETCH(QString, typed);
    QFETCH(QString, url);
    QFETCH(QString, code);
    const auto parsed = parseServerUrl(typed);
    QCOMPARE(parsed ? parsed->toString() : QString(), url);
    if (!parsed) {
        QCOMPARE(parsed.error().code, code);
        QVERIFY(!parsed.error().message.contains(QLatin1String("hunter2")));
    }
}

void TestSessionProfiles::keepsProfilesAcrossRuns()
{
    auto cloud = ConnectionProfile::cloud(QStringLiteral("Work"));
    auto own = ConnectionProfile::selfHosted(QStringLiteral("Büro · 办公室"),
                                             QUrl(QStringLiteral("http://box.example:81/e2b")));
    own.sandboxUrl = QUrl(QStringLiteral("http://box.example:82"));
    own.gateway = QUrl(QStringLiteral("https://10.0.0.1:8443"));
    own.domain = QStringLiteral("box.example:8443");
    own.user = QString();
    own.envdPort = 49999;
    own.lifetime = std::chrono::seconds(1800);
    own.envdScheme = QStringLiteral("https");
    own.caFile = QStringLiteral("/etc/box/ca.pem");
    own.forceMultipart = true;
    own.strict = true;
    own.secure = false;
    own.defaultTemplate = QStringLiteral("python");
    own.allowInternetAccess = false;
    own.autoPause = true;
    own.workspaceRoot = QStringLiteral("/work");
    own.shell = QStringLiteral("/bin/bash");
    const auto local = ConnectionProfile::thisComputer(QStringLiteral("This computer"));
    {
        ProfileStore store(path(QStringLiteral("profiles.json")));
        QVERIFY(store.load());
        for (const auto &profile : {local, cloud, own})
            QVERIFY(store.save(profile));
        cloud.name = QStringLiteral("Work 2");
        QVERIFY(store.save(cloud));
    }
    ProfileStore again(path(QStringLiteral("profiles.json")));
    QVERIFY(again.load());
    QCOMPARE(again.profiles(), (QList<ConnectionProfile>{local, cloud, own}));
    QVERIFY(again.remove(cloud.id));
    QVERIFY(again.remove(cloud.id)); // twice is no error
    ProfileStore third(path(QStringLiteral("profiles.json")));
    QVERIFY(third.load());
    QCOMPARE(third.profiles(), (QList<ConnectionProfile>{local, own}));
}

void TestSessionProfiles::keepsWhatANewerVersionWrote()
{
    const QString file = madePath(QStringLiteral("profiles.json"));
    put(file, R"({"format":7,"profiles":[{"id":"5bf5d3e0-0000-4000-8000-000000000001","name":"A","kind":"moonbase",
                  "apiUrl":"https://a.example","moonPhase":"full","envdPort":"x","lifetimeSeconds":-5}]})");
    ProfileStore store(file);
    QVERIFY(store.load());
    QCOMPARE(store.profiles().size(), 1);
    ConnectionProfile profile = store.profiles().first();
    QCOMPARE(profile.kind, ConnectionProfile::Kind::SelfHosted);
    QCOMPARE(profile.envdPort, 49983);
    QCOMPARE(profile.lifetime, std::chrono::seconds(300));
    profile.name = QStringLiteral("B");
    QVERIFY(store.save(profile));
    const QJsonObject object = QJsonDocument::fromJson(contentOf(file)).object();
    QCOMPARE(object.value(QLatin1String("format")).toInt(), 7);
    QCOMPARE(object.value(QLatin1String("profiles")).toArray().at(0)[QLatin1String("moonPhase")].toString(),
             QStringLiteral("full"));
}

void TestSessionProfiles::leavesOutUnusableEntries()
{
    const QString file = madePath(QStringLiteral("profiles.json"));
    put(file, R"({"profiles":[17,{"name":"no id"},{"id":"nonsense"},
                  {"id":"5bf5d3e0-0000-4000-8000-000000000001","name":"good","apiUrl":"ftp://x"},
                  {"id":"5bf5d3e0-0000-4000-8000-000000000001","name":"its double"}]})");
    ProfileStore store(file);
    QVERIFY(store.load());
    QCOMPARE(store.profiles().size(), 1);
    QCOMPARE(store.profiles().first().name, QStringLiteral("good"));
    QVERIFY(store.profiles().first().apiUrl.isEmpty());
}

void TestSessionProfiles::setsABrokenFileAside()
{
    const QString file = madePath(QStringLiteral("profiles.json"));
    put(file, "{\"profiles\":[");
    ProfileStore store(file);
    const auto loaded = store.load();
    QVERIFY(!loaded);
    QCOMPARE(loaded.error().kind, ErrorKind::Local);
    QVERIFY(store.profiles().isEmpty());
    QVERIFY(store.save(ConnectionProfile::cloud(QStringLiteral("Work"))));
    QCOMPARE(contentOf(file + QStringLiteral(".unreadable")), QByteArray("{\"profiles\":["));
}

void TestSessionProfiles::keepsTheOldFileWhenTheDiskRefuses()
{
    const QString file = madePath(QStringLiteral("profiles.json"));
    ProfileStore store(file);
    QVERIFY(store.save(ConnectionProfile::cloud(QStringLiteral("Work"))));
    const QByteArray before = contentOf(file);
    // A folder in the place of the file that is written can't be renamed over, whoever runs the test.
    QVERIFY(QFile::remove(file));
    QVERIFY(QDir().mkpath(file + QStringLiteral("/x")));
    const auto saved = store.save(ConnectionProfile::cloud(QStringLiteral("Home")));
    QVERIFY(!saved);
    QCOMPARE(saved.error().kind, ErrorKind::Local);
    QCOMPARE(store.profiles().size(), 1);
    QVERIFY(!before.isEmpty());
}

void TestSessionProfiles::refusesToSaveAnEphemeralProfile()
{
    const QString file = madePath(QStringLiteral("profiles.json"));
    ProfileStore store(file);
    auto profile = ConnectionProfile::selfHosted(QStringLiteral("once"), QUrl(QStringLiteral("https://a.example")));
    profile.ephemeral = true;
    QVERIFY(!store.save(profile));
    QVERIFY(!QFile::exists(file));
}

void TestSessionProfiles::findsFreeNames()
{
    ProfileStore store(path(QStringLiteral("profiles.json")));
    const auto first = ConnectionProfile::cloud(QStringLiteral("Work"));
    QVERIFY(store.save(first));
    QCOMPARE(store.uniqueName(QStringLiteral("Work")), QStringLiteral("Work (2)"));
    QCOMPARE(store.uniqueName(QStringLiteral("Work"), first.id), QStringLiteral("Work"));
    QVERIFY(store.save(ConnectionProfile::cloud(QStringLiteral("Work (2)"))));
    QCOMPARE(store.uniqueName(QStringLiteral("Work")), QStringLiteral("Work (3)"));
}

void TestSessionProfiles::filesAreForTheirOwnerOnly()
{
    const QString file = path(QStringLiteral("new/folder/profiles.json"));
    ProfileStore store(file);
    QVERIFY(store.save(ConnectionProfile::cloud(QStringLiteral("Work"))));
    QVERIFY(!(QFile::permissions(file) & forOthers));
    QVERIFY(!(QFile::permissions(QFileInfo(file).path()) & forOthers));
}

void TestSessionProfiles::settingsComeBack()
{
    const QString file = path(QStringLiteral("settings.json"));
    const QList<Settings::OpenSandbox> open{{QUuid::createUuid(), QStringLiteral("i1")},
                                            {QUuid::createUuid(), QStringLiteral("i2")}};
    const QUuid account = QUuid::createUuid();
    const QByteArray geometry("\x01\x00\xff geometry", 12);
    {
        Settings settings(file);
        QCOMPARE(settings.theme(), Settings::ThemeChoice::System);
        QCOMPARE(settings.localSandboxesAtQuit(), Settings::AtQuit::Ask);
        settings.setWindowGeometry(geometry);
        settings.setWindowState("state");
        settings.setLanguage(QStringLiteral("zh_CN"));
        settings.setTheme(Settings::ThemeChoice::Dark);
        settings.setLocalSandboxesAtQuit(Settings::AtQuit::KeepRunning);
        settings.setCurrentAccount(account);
        settings.setOpenSandboxes(open);
        settings.setViewState(QStringLiteral("files/hidden"), true);
        settings.setViewBytes(QStringLiteral("files/header"), geometry);
    }
    Settings settings(file);
    QCOMPARE(settings.windowGeometry(), geometry);
    QCOMPARE(settings.windowState(), QByteArray("state"));
    QCOMPARE(settings.language(), QStringLiteral("zh_CN"));
    QCOMPARE(settings.theme(), Settings::ThemeChoice::Dark);
    QCOMPARE(settings.localSandboxesAtQuit(), Settings::AtQuit::KeepRunning);
    QCOMPARE(settings.currentAccount(), account);
    QCOMPARE(settings.openSandboxes(), open);
    QCOMPARE(settings.viewState(QStringLiteral("files/hidden")).toBool(), true);
    QCOMPARE(settings.viewBytes(QStringLiteral("files/header")), geometry);
}

void TestSessionProfiles::settingsSurviveWrongTypes()
{
    const QString file = madePath(QStringLiteral("settings.json"));
    put(file,
        R"({"windowGeometry":5,"language":[],"theme":"purple","openSandboxes":[{"account":"x"},3],"views":"no"})");
    Settings settings(file);
    QCOMPARE(settings.windowGeometry(), QByteArray());
    QCOMPARE(settings.language(), QString());
    QCOMPARE(settings.theme(), Settings::ThemeChoice::System);
    QVERIFY(settings.openSandboxes().isEmpty());
    settings.setViewState(QStringLiteral("a"), 1);
    QCOMPARE(settings.viewState(QStringLiteral("a")).toInt(), 1);
}

void TestSessionProfiles::settingsAreWrittenSoonAfterAChange()
{
    const QString file = path(QStringLiteral("settings.json"));
    Settings settings(file);
    settings.setLanguage(QStringLiteral("en"));
    QVERIFY(!QFile::exists(file)); // not at each change
    QTRY_VERIFY2(contentOf(file).contains("\"en\""), "a crash must not lose what was changed seconds ago");
}

void TestSessionProfiles::themeAndLanguageAreAnnouncedOnce()
{
    Settings settings(path(QStringLiteral("settings.json")));
    QSignalSpy theme(&settings, &Settings::themeChanged);
    QSignalSpy language(&settings, &Settings::languageChanged);
    settings.setTheme(Settings::ThemeChoice::Dark);
    settings.setTheme(Settings::ThemeChoice::Dark);
    settings.setLanguage(QStringLiteral("en"));
    settings.setLanguage(QStringLiteral("en"));
    QCOMPARE(theme.count(), 1);
    QCOMPARE(language.count(), 1);
}

QTEST_GUILESS_MAIN(TestSessionProfiles)
#include "tst_session_profiles.moc"
