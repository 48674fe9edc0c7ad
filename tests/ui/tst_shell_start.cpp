// SPDX-License-Identifier: GPL-3.0-or-later
// How the app is started: its command line, one instance per data folder, its texts.
#include "app/boxdeck/command_line.h"
#include "app/boxdeck/single_instance.h"
#include "app/boxdeck/translations.h"

#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::app;

class TestShellStart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheCommandLine();
    void refusesWhatMakesNoSense_data();
    void refusesWhatMakesNoSense();
    void aSecondInstanceHandsOver();
    void otherFoldersAreOtherInstances();
    void aLongFolderNameWorksToo();
    void chineseIsComplete();
};

void TestShellStart::readsTheCommandLine()
{
    const auto read = parseCommandLine(
        {QStringLiteral("boxdeck"), QStringLiteral("--data-dir"), QStringLiteral("d/../x"), QStringLiteral("--connect"),
         QStringLiteral("http://127.0.0.1:3000/"), QStringLiteral("--sandbox-url"),
         QStringLiteral("http://127.0.0.1:3002"), QStringLiteral("--domain=box.example"), QStringLiteral("--open=iabc"),
         QStringLiteral("--lang=zh_CN"), QStringLiteral("--account=Lab")});
    QVERIFY(read.has_value());
    QVERIFY(read->dataDir.startsWith(QLatin1Char('/')) && read->dataDir.endsWith(QLatin1String("/x")));
    QCOMPARE(read->connect->toString(), QStringLiteral("http://127.0.0.1:3000"));
    QCOMPARE(read->sandboxUrl->port(), 3002);
    QCOMPARE(read->domain, QStringLiteral("box.example"));
    QCOMPARE(read->open, QStringLiteral("iabc"));
    QCOMPARE(read->language, QStringLiteral("zh_CN"));
    QCOMPARE(read->account, QStringLiteral("Lab"));
    const auto help = parseCommandLine({QStringLiteral("boxdeck"), QStringLiteral("--help")});
    QVERIFY(help->answer->contains(QLatin1String("--sandbox-url")));
}

void TestShellStart::refusesWhatMakesNoSense_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown") << QStringList{QStringLiteral("--frobnicate")};
    QTest::newRow("stray word") << QStringList{QStringLiteral("iabc")};
    QTest::newRow("no address") << QStringList{QStringLiteral("--connect"), QStringLiteral("ftp://x")};
    QTest::newRow("domain alone") << QStringList{QStringLiteral("--domain"), QStringLiteral("x")};
    QTest::newRow("key in the address") << QStringList{QStringLiteral("--connect"), QStringLiteral("https://k:e@host")};
}

void TestShellStart::refusesWhatMakesNoSense()
{
    QFETCH(QStringList, arguments);
    const auto read = parseCommandLine(QStringList(QStringLiteral("boxdeck")) + arguments);
    QVERIFY(!read.has_value());
    QVERIFY(!read.error().message.isEmpty());
}

void TestShellStart::aSecondInstanceHandsOver()
{
    QTemporaryDir dir;
    SingleInstance first(dir.path());
    QVERIFY(first.claim());
    QSignalSpy requested(&first, &SingleInstance::requested);
    {
        SingleInstance second(dir.path());
        QVERIFY(!second.claim());
        QSignalSpy handed(&second, &SingleInstance::handedOver);
        second.handOver({{QStringLiteral("open"), QStringLiteral("iabc")}});
        QVERIFY(handed.wait());
    }
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested[0][0].toJsonObject().value(QLatin1String("open")).toString(), QStringLiteral("iabc"));
}

void TestShellStart::otherFoldersAreOtherInstances()
{
    QTemporaryDir one, two;
    SingleInstance first(one.path()), second(two.path());
    QVERIFY(first.claim());
    QVERIFY(second.claim());
}

void TestShellStart::aLongFolderNameWorksToo()
{
    QTemporaryDir dir;
    const QString deep = dir.path() + QLatin1Char('/') + QString(120, QLatin1Char('d'));
    QVERIFY(QDir().mkpath(deep));
    SingleInstance first(deep), second(deep);
    QVERIFY(first.claim());
    QVERIFY(!second.claim());
    QSignalSpy handed(&second, &SingleInstance::handedOver);
    second.handOver({});
    QVERIFY2(handed.wait(), "the socket's address must fit");
}

void TestShellStart::chineseIsComplete()
{
    Translations translations;
    translations.install(*qApp, QStringLiteral("zh_CN"));
    // One of ours and one of Qt's: both files are inside the program.
    const QString ours = QCoreApplication::translate("boxdeck::ui::MainWindow", "New sandbox…");
    QVERIFY2(ours != QLatin1String("New sandbox…") && !ours.isEmpty(), qPrintable(ours));
    translations.install(*qApp, QStringLiteral("en"));
    QCOMPARE(QCoreApplication::translate("boxdeck::ui::MainWindow", "New sandbox…"), QStringLiteral("New sandbox…"));
}

QTEST_MAIN(TestShellStart)
#include "tst_shell_start.moc"
