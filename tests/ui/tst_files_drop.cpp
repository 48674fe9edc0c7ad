// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/drop_rules.h"
#include "ui/files/file_preview.h"

#include <QMimeData>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::ui;

class TestFilesDrop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAreDecodedOnce_data();
    void namesAreDecodedOnce();
    void onlyFilesOfThisComputerAreTaken_data();
    void onlyFilesOfThisComputerAreTaken();
    void aDropOnAFolderGoesIntoIt();
    void nothingIsMovedIntoItself();
    void previewTellsTextFromBinary_data();
    void previewTellsTextFromBinary();
};

namespace {

RemotePath path(const char *text)
{
    return RemotePath::parse(QByteArray(text)).value();
}

} // namespace

void TestFilesDrop::namesAreDecodedOnce_data()
{
    QTest::addColumn<QByteArray>("uri"); // as a file manager writes it
    QTest::addColumn<QString>("file");
    const auto row = [](const char *name, const char *uri, const QString &file) {
        QTest::newRow(name) << QByteArray(uri) << file;
    };
    row("hash, brackets, percent", "file:///d/a%23b%20%5B1%5D%20100%25.txt", QStringLiteral("/d/a#b [1] 100%.txt"));
    row("brackets as they are", "file:///d/a%23b%20[1]%20100%25.txt", QStringLiteral("/d/a#b [1] 100%.txt"));
    row("a literal escape", "file:///d/50%2525.txt", QStringLiteral("/d/50%25.txt"));
    row("plus stays plus", "file:///d/caf%C3%A9%20+1.txt", QStringLiteral("/d/caf\u00e9 +1.txt"));
    row("ampersand and equals", "file:///d/x&y=z.txt", QStringLiteral("/d/x&y=z.txt"));
    row("question mark", "file:///d/what%3F.txt", QStringLiteral("/d/what?.txt"));
    row("host is this computer", "file://localhost/d/a", QStringLiteral("/d/a"));
    row("line feed", "file:///d/a%0Ab", QStringLiteral("/d/a\nb"));
}

void TestFilesDrop::namesAreDecodedOnce()
{
    QFETCH(QByteArray, uri);
    QFETCH(QString, file);
    QMimeData mime;
    mime.setData(QStringLiteral("text/uri-list"), uri + "\r\n");
    const DropContent content = readDrop(mime.urls());
    QCOMPARE(content.paths, QStringList{file});
    QVERIFY(content.refused.isEmpty());
}

void TestFilesDrop::onlyFilesOfThisComputerAreTaken_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("web") << QStringLiteral("https://example.org/a.txt");
    QTest::newRow("other computer") << QStringLiteral("file://server/share/a.txt");
    QTest::newRow("trash") << QStringLiteral("trash:///a.txt");
    QTest::newRow("nul") << QStringLiteral("file:///a%00b");
    QTest::newRow("relative") << QStringLiteral("a.txt");
}

void TestFilesDrop::onlyFilesOfThisComputerAreTaken()
{
    QFETCH(QString, url);
    const DropContent content = readDrop({QUrl(url), QUrl(QStringLiteral("file:///good"))});
    QCOMPARE(content.paths, QStringList{QStringLiteral("/good")});
    QCOMPARE(content.refused.size(), 1);
}

void TestFilesDrop::aDropOnAFolderGoesIntoIt()
{
    protocol::EntryInfo folder;
    folder.path = path("/home/user/sub");
    folder.type = protocol::FileType::Directory;
    protocol::EntryInfo file = folder;
    file.type = protocol::FileType::File;
    QCOMPARE(dropFolder(path("/home/user"), folder), path("/home/user/sub"));
    QCOMPARE(dropFolder(path("/home/user"), file), path("/home/user"));
    QCOMPARE(dropFolder(path("/home/user"), std::nullopt), path("/home/user"));
}

void TestFilesDrop::nothingIsMovedIntoItself()
{
    QVERIFY(mayMoveInto(path("/a/sub"), {path("/a/file")}));
    QVERIFY(!mayMoveInto(path("/a"), {path("/a/file")}));         // there already
    QVERIFY(!mayMoveInto(path("/a/sub"), {path("/a/sub")}));      // into itself
    QVERIFY(!mayMoveInto(path("/a/sub/deep"), {path("/a/sub")})); // below itself
    QVERIFY(mayMoveInto(path("/a/subway"), {path("/a/sub")}));    // only the name begins the same
    QVERIFY(!mayMoveInto(path("/a/x"), {path("/b/f"), path("/a/x")}));
}

void TestFilesDrop::previewTellsTextFromBinary_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("binary");
    QTest::addColumn<QString>("shown");
    QTest::newRow("text") << QByteArray("caf\xc3\xa9\n\tx\r\n") << false << QStringLiteral("caf\u00e9\n\tx\n");
    QTest::newRow("png") << QByteArray("\x89PNG\x00\xff\xfe\n", 8) << true << QString();
    QTest::newRow("latin 1") << QByteArray("caf\xe9") << true << QString();
    QTest::newRow("nul") << QByteArray("a\0b", 3) << true << QString();
    QTest::newRow("empty") << QByteArray() << false << QString();
    QTest::newRow("escape is shown, not obeyed") << QByteArray("a\x1b[2Jb") << false << QStringLiteral("a\\u001b[2Jb");
    QTest::newRow("direction is shown") << QByteArray("exe\xe2\x80\xaetxt") << false << QStringLiteral("exe\\u202etxt");
}

void TestFilesDrop::previewTellsTextFromBinary()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, binary);
    QFETCH(QString, shown);
    const PreviewText preview = previewOf(bytes);
    QCOMPARE(preview.binary, binary);
    QCOMPARE(preview.text, shown);
}

QTEST_MAIN(TestFilesDrop)
#include "tst_files_drop.moc"
