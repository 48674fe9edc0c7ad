// SPDX-License-Identifier: GPL-3.0-or-later
// The whole story through the real window, against a real boxdeck-host and a real keyring. The functions build on each
// other and run in this order. Needs the private desktop of tests/support/desktop_session.sh.
#include "app/boxdeck/application.h"
#include "tests/support/byte_scan.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_driver.h"
#include "tests/ui/witness.h"

#include <QAction>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QMainWindow>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace boxdeck;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray g_messages; ///< everything that the app logged

void remember(QtMsgType, const QMessageLogContext &, const QString &message)
{
    g_messages += message.toUtf8() + '\n';
    std::fprintf(stderr, "%s\n", qPrintable(message));
}

/// Every file below a folder with its content's hash, and every empty folder.
QMap<QString, QByteArray> treeOf(const QString &folder)
{
    QMap<QString, QByteArray> tree;
    QDirIterator files(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        QFile file(path);
        QByteArray content = "folder";
        if (!files.fileInfo().isDir() && file.open(QIODevice::ReadOnly))
            content = QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256);
        tree.insert(QDir(folder).relativeFilePath(path), content);
    }
    return tree;
}

bool writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    return QFileInfo(path).dir().mkpath(u"."_s) && file.open(QIODevice::WriteOnly) &&
           file.write(content) == content.size();
}

/// Bytes that no encoding leaves alone, the same each time.
QByteArray bytes(qsizetype size)
{
    QByteArray result(size, Qt::Uninitialized);
    quint32 state = 12345;
    for (char &byte : result) {
        state = state * 1664525 + 1013904223;
        byte = char(state >> 24);
    }
    return result;
}

} // namespace

class TestStory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void addsAnAccountWithItsKeyInTheKeyring();
    void createsASandbox();
    void typesAndReadsTheGrid();
    void resizesTheTerminal();
    void dropsAFolderAndReadsItBack();
    void survivesTheDeathOfTheHost();
    void findsTheKeyAgainAtTheNextStart();
    void killsTheSandboxAndLeavesNothing();
    void leavesNoSecretBehind();
    void cleanupTestCase();

private:
    void startApp();
    void trigger(const QString &action);
    bool hasRow(const QString &name) const { return window::column(u"sandboxesView"_s, 1).contains(name); }

    const QString m_name = u"story"_s;
    std::unique_ptr<Witness> m_host;
    std::unique_ptr<QTemporaryDir> m_local;
    QString m_dataDir;
    std::unique_ptr<app::Application> m_app;
    protocol::SandboxId m_sandbox;
    Secret m_token;
};

void TestStory::initTestCase()
{
    QVERIFY2(!qEnvironmentVariable("BOXDECK_TEST_KEYRING_DIR").isEmpty(), "run me in tests/support/desktop_session.sh");
    qInstallMessageHandler(remember);
    m_host = std::make_unique<Witness>();
    QCOMPARE(m_host->start(), QString());
    m_local = std::make_unique<QTemporaryDir>();
    m_dataDir = QDir::homePath() + u"/boxdeck"_s;
    QVERIFY(QDir().mkpath(m_dataDir));
    startApp();
}

void TestStory::startApp()
{
    m_app = std::make_unique<app::Application>(*qApp, app::CommandLine{.dataDir = m_dataDir}, m_dataDir);
    m_app->start();
    WAIT_READY("mainWindow");
    window::find(u"mainWindow"_s)->resize(1200, 800);
}

/// Does what a menu item or shortcut does, once it can be done.
void TestStory::trigger(const QString &name)
{
    QAction *action = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT(
        (action = window::find(u"mainWindow"_s)->findChild<QAction *>(name)) && action->isEnabled(), 20000);
    action->trigger();
}

void TestStory::addsAnAccountWithItsKeyInTheKeyring()
{
    trigger(u"fileAddAccount"_s);
    CLICK("accountKindServer");
    window::fill(u"accountName"_s, u"Test server"_s);
    window::fill(u"accountUrl"_s, m_host->url());
    window::fill(u"accountSandboxUrl"_s, m_host->url());
    window::fill(u"accountKey"_s, QString::fromLatin1(m_host->key().reveal()));
    CLICK("accountAdd");
    QTRY_VERIFY2_WITH_TIMEOUT(!window::find(u"addAccountDialog"_s), qPrintable(window::describe()), 30000);
    QTRY_VERIFY2_WITH_TIMEOUT(window::find(u"sandboxesPane"_s), qPrintable(window::describe()), 10000);
}

void TestStory::createsASandbox()
{
    CLICK("newSandboxButton");
    WAIT_READY("newSandboxName");
    window::fill(u"newSandboxName"_s, m_name);
    CLICK("newSandboxCreate");
    QTRY_VERIFY_WITH_TIMEOUT(hasRow(m_name), 30000);
    const auto all = outcome(m_host->control().listAllSandboxes());
    QVERIFY(all.has_value());
    QCOMPARE(all->size(), 1);
    m_sandbox = all->first().id;
    const auto detail = outcome(m_host->control().sandbox(m_sandbox));
    QVERIFY(detail.has_value());
    m_token = detail->envdAccessToken;
    QVERIFY(!m_token.isEmpty());
}

void TestStory::typesAndReadsTheGrid()
{
    WAIT_READY("terminalView");
    QTRY_VERIFY_WITH_TIMEOUT(
        window::terminalText().contains(QRegularExpression(u"[$#] *$"_s, QRegularExpression::MultilineOption)), 30000);
    window::type(u"terminalView"_s, u"echo grid-$((40 + 2))\n"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(window::terminalText().contains(u"grid-42"_s), qPrintable(window::terminalText()), 20000);
}

void TestStory::resizesTheTerminal()
{
    // What `stty size` said last, as rows and columns.
    const auto sizeSaid = [](const QString &mark) {
        const auto match = QRegularExpression(mark + u"=(\\d+) (\\d+)"_s).match(window::terminalText());
        return match.hasMatch() ? QSize(match.captured(2).toInt(), match.captured(1).toInt()) : QSize();
    };
    window::type(u"terminalView"_s, u"echo small=$(stty size)\n"_s);
    QTRY_VERIFY_WITH_TIMEOUT(sizeSaid(u"small"_s).isValid(), 20000);
    const QSize before = sizeSaid(u"small"_s);
    window::find(u"mainWindow"_s)->resize(1600, 1100);
    // The shell may be asked too early; it is asked again until the new size has reached it.
    QSize after;
    const auto grew = [&] {
        window::type(u"terminalView"_s, u"echo large=$(stty size)\n"_s);
        QTRY_VERIFY_WITH_TIMEOUT(sizeSaid(u"large"_s).isValid(), 20000);
        after = sizeSaid(u"large"_s);
        window::type(u"terminalView"_s, u"clear\n"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!sizeSaid(u"large"_s).isValid(), 20000);
    };
    for (int i = 0; i < 20 && after.width() <= before.width(); ++i)
        grew();
    QVERIFY2(
        after.width() > before.width() && after.height() > before.height(),
        qPrintable(
            u"from %1×%2 to %3×%4"_s.arg(before.width()).arg(before.height()).arg(after.width()).arg(after.height())));
    window::find(u"mainWindow"_s)->resize(1200, 800);
}

void TestStory::dropsAFolderAndReadsItBack()
{
    const QString source = m_local->filePath(u"odd names"_s);
    const QStringList names{u"plain.txt"_s, u"with space"_s,    u"ünï 中文 🦀.txt"_s,
                            u"-rf"_s,       u"new\nline"_s,     u"quote'\"`$x`"_s,
                            u"%41 100%"_s,  u".hidden"_s,       u"trailing. "_s,
                            u"a&b;c|d>e"_s, u"sub/deep/er/x"_s, u"\u202egpj.exe"_s,
                            u"CON"_s};
    for (const QString &name : names)
        QVERIFY(writeFile(source + u'/' + name, bytes(name.size() * 997)));
    QVERIFY(writeFile(source + u"/empty"_s, {}));
    QVERIFY(writeFile(source + u"/big.bin"_s, bytes(3'000'000)));
    QVERIFY(QDir().mkpath(source + u"/empty folder"_s));

    QTRY_VERIFY_WITH_TIMEOUT(window::find(u"filesEmpty"_s), 30000); // a fresh home is empty
    QVERIFY(window::dropFiles(u"filesPane"_s, {source}));
    QTRY_VERIFY2_WITH_TIMEOUT(window::column(u"filesList"_s, 0).contains(u"odd names"_s),
                              qPrintable(window::describe()), 30000);
    QTRY_VERIFY2_WITH_TIMEOUT(window::column(u"transfersList"_s, 0).size() == 1, qPrintable(window::describe()), 30000);

    // A witness that shares nothing with the client: what the sandbox itself says of the files.
    const int entries = int(treeOf(source).size());
    QTRY_COMPARE_WITH_TIMEOUT(
        m_host
            ->run(m_sandbox, u"find '/home/user/odd names' -mindepth 1 -print0 | tr -cd '\\0' | wc -c"_s)

            .trimmed()
            .toInt(),
        entries, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_host
            ->run(m_sandbox, u"cd '/home/user/odd names' && sha256sum -z -- ./* ./.hidden | tr '\\0' '\\n'"_s)

            .contains(QCryptographicHash::hash(bytes(3'000'000), QCryptographicHash::Sha256).toHex()),
        60000);

    const QString target = m_local->filePath(u"back"_s);
    QVERIFY(QDir().mkpath(target));
    QVERIFY(window::clickRow(u"filesList"_s, u"odd names"_s));
    trigger(u"filesSave"_s);
    WAIT_READY("filesSaveDialog");
    QVERIFY(window::chooseFolder(u"filesSaveDialog"_s, target));
    QTRY_COMPARE_WITH_TIMEOUT(treeOf(target + u"/odd names"_s), treeOf(source), 60000);
}

void TestStory::survivesTheDeathOfTheHost()
{
    const QByteArray content = bytes(200'000'000);
    const QString source = m_local->filePath(u"large.bin"_s);
    QVERIFY(writeFile(source, content));
    window::type(u"terminalView"_s, u"clear; while true; do echo tick; sleep 0.2; done\n"_s);
    QTRY_VERIFY_WITH_TIMEOUT(window::terminalText().contains(u"tick\ntick"_s), 20000);
    QVERIFY(window::dropFiles(u"filesPane"_s, {source}));
    QTRY_COMPARE_WITH_TIMEOUT(window::column(u"transfersList"_s, 0).size(), 3, 20000);

    m_host->kill();
    QCOMPARE(m_host->start(), QString());
    QElapsedTimer sinceBack;
    sinceBack.start();
    const auto other = outcome(m_host->control().create({.metadata = {{u"name"_s, u"made meanwhile"_s}}}));
    QVERIFY(other.has_value());
    QTRY_VERIFY2_WITH_TIMEOUT(hasRow(u"made meanwhile"_s) && hasRow(m_name), qPrintable(window::describe()), 5000);
    QVERIFY2(sinceBack.elapsed() < 5000, QByteArray::number(sinceBack.elapsed()).constData());

    // The terminal says what happened and since when, keeps what was there, and Enter opens a new shell.
    QTRY_VERIFY2_WITH_TIMEOUT(window::textOf(u"terminalStateText"_s).contains(u"The shell is gone"_s),
                              qPrintable(window::textOf(u"terminalStateText"_s) + window::terminalText()), 20000);
    QVERIFY(window::textOf(u"terminalStateText"_s).contains(u"was not received"_s));
    QVERIFY(window::terminalText().contains(u"tick"_s));
    window::type(u"terminalView"_s, u"\n"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(!window::find(u"terminalStateText"_s), qPrintable(window::terminalText()), 30000);
    window::type(u"terminalView"_s, u"echo back-$((40 + 3))\n"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(window::terminalText().contains(u"back-43"_s), qPrintable(window::terminalText()), 30000);

    // The upload came through whole, and nothing half-written has its name.
    const QByteArray wanted = QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
    QByteArray got;
    QTRY_VERIFY_WITH_TIMEOUT(
        !(got = m_host->run(m_sandbox, u"sha256sum /home/user/large.bin 2>/dev/null"_s).split(' ').value(0)).isEmpty(),
        120000);
    QCOMPARE(got, wanted);
    QVERIFY(outcome(m_host->control().kill(other->id)).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(!hasRow(u"made meanwhile"_s), 20000);
}

void TestStory::findsTheKeyAgainAtTheNextStart()
{
    m_app.reset();
    startApp();
    // Nobody enters a key: it comes out of the keyring.
    QTRY_VERIFY2_WITH_TIMEOUT(hasRow(m_name), qPrintable(window::describe()), 30000);
}

void TestStory::killsTheSandboxAndLeavesNothing()
{
    QVERIFY(window::clickRow(u"sandboxesView"_s, m_name));
    trigger(u"sandboxKill"_s);
    CLICK("killQuestionAccept");
    QTRY_VERIFY2_WITH_TIMEOUT(!hasRow(m_name), qPrintable(window::describe()), 30000);

    const auto children = [this] {
        QFile file(u"/proc/%1/task/%1/children"_s.arg(m_host->host().pid()));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray("unreadable");
    };
    QTRY_COMPARE_WITH_TIMEOUT(children(), QByteArray(), 15000);
    QFile mounts(u"/proc/%1/mountinfo"_s.arg(m_host->host().pid()));
    QVERIFY(mounts.open(QIODevice::ReadOnly));
    QVERIFY(!mounts.readAll().contains(m_sandbox.value.toUtf8()));
    const auto folders = [this] {
        QStringList named;
        QDirIterator all(m_host->host().dataFolder(),
                         QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
        while (all.hasNext()) {
            if (all.next().contains(m_sandbox.value))
                named.append(all.filePath());
        }
        return named;
    };
    QTRY_COMPARE_WITH_TIMEOUT(folders(), QStringList(), 15000);
}

void TestStory::leavesNoSecretBehind()
{
    m_app.reset();
    const QList<QByteArray> secrets{m_host->key().reveal(), m_token.reveal()};
    // The home folder holds the app's data and the keyring's files.
    QCOMPARE(filesHolding(QDir::homePath(), secrets), QStringList());
    // The host keeps its own key, in one file that only its owner may read.
    QStringList hosts = filesHolding(m_host->host().dataFolder(), {m_token.reveal()});
    QCOMPARE(hosts, QStringList());
    hosts = filesHolding(m_host->host().dataFolder(), {m_host->key().reveal()});
    QCOMPARE(hosts.size(), 1);
    QCOMPARE(QFile::permissions(hosts.first()) &
                 ~(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser),
             QFile::Permissions());
    for (const QByteArray &secret : secrets)
        QVERIFY(!g_messages.contains(secret));
}

void TestStory::cleanupTestCase()
{
    m_app.reset();
    m_host.reset();
}

QTEST_MAIN(TestStory)
#include "tst_story.moc"
