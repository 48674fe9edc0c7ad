// SPDX-License-Identifier: GPL-3.0-or-later
// Files, folders and watches as the protocol tells them, asked through Boxdeck's own client. See wire_sandbox.h for
// what is asked.
#include "backend/api/watches.h"
#include "backend/net/request_body.h"
#include "tests/integration/wire_sandbox.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class TestEnvdWireFiles : public QObject, private WireSandbox
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(open(), qPrintable(failure())); }
    void cleanupTestCase() { close(); }

    void filesOfBothForms_data();
    void filesOfBothForms();
    void overwritingKeepsTheMode();
    void filesThatCantBe();
    void downloadsFromTheMiddle();
    void metadataStaysWithAFile();
    void partsAreJoined();
    void signedLinksOpenOneFile();
    void foldersAndMoves();
    void linksAreTold();
    void foldersThatCantBe();
    void watchTellsEachChange_data();
    void watchTellsEachChange();
    void watchersAreAskedAndRemoved();
    void otherWaysToWatchTellTheSame_data();
    void otherWaysToWatchTellTheSame();
};

void TestEnvdWireFiles::filesOfBothForms_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("plain") << "plain.txt"_ba
                           << "hello\n"_ba;
    QTest::newRow("empty") << "empty"_ba
                           << ""_ba;
    QTest::newRow("binary") << "b\"in\\ +&?=%20;\n"_ba
                            << "\0\r\n--x\xff"_ba;
    QTest::newRow("not ASCII, 3 MB") << QString(60, QChar(0x6f22)).toUtf8() << QByteArray(3'000'000, 'z');
}

void TestEnvdWireFiles::filesOfBothForms()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, content);
    SandboxTarget target = envd().target();
    for (const bool form : {false, true}) {
        target.forceMultipart = form;
        HttpTransport transport;
        Envd one(transport, target);
        const RemotePath file = in("deep").child(form ? "form" : "raw")->child(name).value();
        QVERIFY(outcome(one.files().writeSmall(file, content)).has_value());
        QVERIFY(outcome(one.files().readSmall(file, 10'000'000)).value() == content);
        const auto entry = outcome(one.filesystem().stat(file));
        QCOMPARE(entry->size, content.size());
        QCOMPARE(entry->type, FileType::File);
        QCOMPARE(entry->name, name);
        QCOMPARE(entry->path, file);
        QCOMPARE(entry->owner, envd().target().user);
        QVERIFY(!entry->isSymlink());
        const auto listed = outcome(one.filesystem().list(file.parent()));
        QVERIFY(std::any_of(listed->begin(), listed->end(), [&](const EntryInfo &e) { return e.name == name; }));
    }
}

void TestEnvdWireFiles::overwritingKeepsTheMode()
{
    const RemotePath file = in("mode");
    QVERIFY(outcome(envd().files().writeSmall(file, "long content")).has_value());
    QVERIFY(run(u"chmod 750 "_s + shellWord(file.toString())).succeeded());
    QVERIFY(outcome(envd().files().writeSmall(file, "short")).has_value());
    QCOMPARE(outcome(envd().files().readSmall(file, 100)).value(), "short"_ba);
    QCOMPARE(outcome(envd().filesystem().stat(file))->mode, 0750u);
    QCOMPARE(outcome(envd().filesystem().stat(file))->permissions, u"-rwxr-x---"_s);
}

void TestEnvdWireFiles::filesThatCantBe()
{
    EnvdFilesClient &files = envd().files();
    QVERIFY(outcome(files.writeSmall(in("file"), "x")).has_value());
    QCOMPARE(kindOf(outcome(files.readSmall(in("none"), 10))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.readSmall(folder(), 10))), ErrorKind::InvalidRequest);
    QCOMPARE(kindOf(outcome(files.writeSmall(folder(), "x"))), ErrorKind::InvalidRequest);
    QVERIFY(!outcome(files.writeSmall(in("file").child("below").value(), "x")));
    QVERIFY(!outcome(files.readSmall(in("file").child("below").value(), 10)));
}

void TestEnvdWireFiles::downloadsFromTheMiddle()
{
    QVERIFY(outcome(envd().files().writeSmall(in("range"), "hello world")).has_value());
    const auto fetch = [&](qint64 offset, int &status) {
        const auto stream = envd().files().download(in("range"), offset);
        bool over = false;
        connect(stream.get(), &ByteStream::head, this, [&](int code, const HeaderList &) { status = code; });
        connect(stream.get(), &ByteStream::finished, this, [&] { over = true; });
        connect(stream.get(), &ByteStream::failed, this, [&](const Error &error) {
            status = error.httpStatus;
            over = true;
        });
        if (!eventually([&] { return over; }))
            return "no end"_ba;
        return stream->read(100);
    };
    int status = 0;
    QCOMPARE(fetch(6, status), "world"_ba);
    QCOMPARE(status, 206);
    QCOMPARE(fetch(0, status), "hello world"_ba);
    QCOMPARE(status, 200);
    (void)fetch(500, status);
    QCOMPARE(status, 416);
}

void TestEnvdWireFiles::metadataStaysWithAFile()
{
    const RemotePath file = in("noted");
    if (!envd().target().envdVersion.mayHave(EnvdFeature::FileMetadata))
        return;
    QVERIFY(outcome(envd().files().upload(file, sourceOf("x"), {}, {{u"Origin"_s, u"demo 1"_s}, {u"b"_s, u"2"_s}}))
                .has_value());
    const QMap<QString, QString> noted{{u"origin"_s, u"demo 1"_s}, {u"b"_s, u"2"_s}};
    QCOMPARE(outcome(envd().filesystem().stat(file))->metadata, noted);
    // The next upload's set replaces it, also an empty one.
    QVERIFY(outcome(envd().files().upload(file, sourceOf("y"), {}, {{u"c"_s, u"3"_s}})).has_value());
    QCOMPARE(outcome(envd().filesystem().stat(file))->metadata, (QMap<QString, QString>{{u"c"_s, u"3"_s}}));
    QVERIFY(outcome(envd().files().upload(file, sourceOf("z"))).has_value());
    QVERIFY(outcome(envd().filesystem().stat(file))->metadata.isEmpty());
}

void TestEnvdWireFiles::partsAreJoined()
{
    EnvdFilesClient &files = envd().files();
    QByteArray whole;
    QList<RemotePath> parts;
    for (int i = 0; i < 3; ++i) {
        const QByteArray content(100'000 + i, static_cast<char>('a' + i));
        parts << in("part" + QByteArray::number(i));
        QVERIFY(outcome(files.writeSmall(parts.last(), content)).has_value());
        whole += content;
    }
    const RemotePath target = in("new folder").child("whole").value();
    const auto joined = outcome(files.compose(parts, target));
    QVERIFY2(joined.has_value(), joined ? "" : qPrintable(joined.error().message));
    QVERIFY(outcome(files.readSmall(target, 1'000'000)).value() == whole);
    QCOMPARE(outcome(envd().filesystem().stat(target))->owner, envd().target().user);
    for (const RemotePath &part : parts)
        QCOMPARE(kindOf(outcome(envd().filesystem().stat(part))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.compose(parts, target))), ErrorKind::NotFound);
    QVERIFY(outcome(files.readSmall(target, 1'000'000)).value() == whole); // untouched
    QCOMPARE(kindOf(outcome(files.compose({folder()}, target))), ErrorKind::InvalidRequest);
}

void TestEnvdWireFiles::signedLinksOpenOneFile()
{
    const RemotePath file = in("a +b&c.txt");
    QVERIFY(outcome(envd().files().writeSmall(file, "shared")).has_value());
    EnvdFilesClient &files = envd().files();
    const QString user = envd().target().user;
    if (envd().target().envdAccessToken.isEmpty()) {
        QCOMPARE(files.signedUrl(file, LinkUse::Read, user).error().kind, ErrorKind::Unsupported);
        return;
    }
    HttpTransport stranger;
    const auto fetch = [&](const Result<QUrl> &url, const QByteArray &method, const QByteArray &body) {
        HttpRequest request{.method = method, .url = url.value(), .body = body};
        // The way to the sandbox, where it is not in the name; no token and no user.
        for (const auto &[name, value] : envd().target().headers()) {
            if (name.startsWith("E2b-"))
                request.headers.append({name, value});
        }
        if (!body.isEmpty())
            request.headers.emplace_back("Content-Type", "application/octet-stream");
        return outcome(stranger.send(std::move(request))).value_or(HttpResponse{});
    };
    const QDateTime later = QDateTime::currentDateTimeUtc().addSecs(60);
    const QDateTime past = QDateTime::currentDateTimeUtc().addSecs(-60);
    for (const QString &name : {user, QString()}) {
        QCOMPARE(fetch(files.signedUrl(file, LinkUse::Read, name), "GET", {}).body, "shared"_ba);
        QCOMPARE(fetch(files.signedUrl(file, LinkUse::Read, name, later), "GET", {}).body, "shared"_ba);
    }
    QCOMPARE(fetch(files.signedUrl(file, LinkUse::Read, user, past), "GET", {}).status, 401);
    QCOMPARE(fetch(files.signedUrl(file, LinkUse::Write, user), "GET", {}).status, 401);
    QCOMPARE(fetch(files.signedUrl(file, LinkUse::Read, user), "POST", "x").status, 401);
    QCOMPARE(fetch(files.signedUrl(file, LinkUse::Write, user, later), "POST", "written").status, 200);
    QCOMPARE(outcome(files.readSmall(file, 100)).value(), "written"_ba);
    QUrl other = files.signedUrl(file, LinkUse::Read, user).value();
    other.setQuery(other.query(QUrl::FullyEncoded).replace(u"c.txt"_s, u"d.txt"_s), QUrl::StrictMode);
    QCOMPARE(fetch(other, "GET", {}).status, 401);
}

void TestEnvdWireFiles::foldersAndMoves()
{
    EnvdFilesystemClient &files = envd().filesystem();
    const RemotePath top = in("tree");
    QCOMPARE(outcome(files.makeDir(top.child("a")->child("b").value()))->path, top.child("a")->child("b").value());
    QCOMPARE(outcome(files.makeDir(top)).error().code, u"already_exists"_s);
    QVERIFY(outcome(envd().files().writeSmall(top.child("f").value(), "1")).has_value());
    QVERIFY(outcome(envd().files().writeSmall(top.child("g").value(), "22")).has_value());
    QCOMPARE(kindOf(outcome(files.makeDir(top.child("f").value()))), ErrorKind::InvalidRequest);
    QCOMPARE(outcome(files.list(top))->size(), 3);
    QCOMPARE(outcome(files.list(top, 2))->size(), 4);
    // Over a file silently, never into a folder; parents are made.
    QCOMPARE(outcome(files.move(top.child("f").value(), top.child("g").value()))->size, 1);
    QVERIFY(!outcome(files.move(top.child("g").value(), top.child("a").value())));
    QVERIFY(outcome(files.move(top.child("g").value(), top.child("n")->child("h").value())).has_value());
    QCOMPARE(kindOf(outcome(files.move(top.child("g").value(), top.child("x").value()))), ErrorKind::NotFound);
    QVERIFY(outcome(files.remove(top)).has_value());
    QCOMPARE(kindOf(outcome(files.stat(top))), ErrorKind::NotFound);
    QVERIFY(outcome(files.remove(top)).has_value());
}

void TestEnvdWireFiles::linksAreTold()
{
    const RemotePath top = in("links");
    QVERIFY(outcome(envd().filesystem().makeDir(top)).has_value());
    QVERIFY(run(u"mkdir d; echo x > f; ln -s /nowhere broken; ln -s d todir; ln -s f tofile; mkfifo pipe; "
                "touch -d '2024-02-03 04:05:06Z' f; chmod 640 f"_s,
                {.cwd = top.toString()})
                .succeeded());
    QMap<QByteArray, EntryInfo> by;
    const auto entries = outcome(envd().filesystem().list(top));
    QVERIFY(entries.has_value());
    for (const EntryInfo &entry : *entries)
        by.insert(entry.name, entry);
    QCOMPARE(by.keys(), QList<QByteArray>({"broken", "d", "f", "pipe", "todir", "tofile"}));
    QVERIFY(by["todir"].isSymlink() && by["todir"].isDirectory());
    QVERIFY(by["tofile"].isSymlink() && by["tofile"].type == FileType::File);
    QCOMPARE(*by["todir"].symlinkTarget, top.child("d")->bytes());
    QVERIFY(by["broken"].isSymlink() && by["broken"].type == FileType::Unknown);
    QCOMPARE(*by["broken"].symlinkTarget, top.child("broken")->bytes());
    QVERIFY(!by["pipe"].isSymlink() && by["pipe"].type == FileType::Unknown);
    QCOMPARE(by["f"].mode, 0640u);
    QCOMPARE(by["f"].modified, QDateTime::fromString(u"2024-02-03T04:05:06Z"_s, Qt::ISODate));
    QVERIFY(by["d"].permissions.startsWith(u'd') && by["todir"].permissions.startsWith(u'L'));
    QVERIFY(outcome(envd().filesystem().stat(top.child("broken").value())).has_value());
}

void TestEnvdWireFiles::foldersThatCantBe()
{
    EnvdFilesystemClient &files = envd().filesystem();
    QVERIFY(outcome(envd().files().writeSmall(in("plain"), "x")).has_value());
    QCOMPARE(kindOf(outcome(files.list(in("none")))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.list(in("plain")))), ErrorKind::InvalidRequest);
    QCOMPARE(kindOf(outcome(files.stat(in("none")))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.stat(in("plain").child("below").value()))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(files.makeDir(in("plain").child("below").value()))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(files.list(in("plain").child("below").value()))), ErrorKind::Internal);
    for (const auto &[folder, kind] :
         {std::pair(in("none"), ErrorKind::NotFound), std::pair(in("plain"), ErrorKind::InvalidRequest)}) {
        const auto watch = files.watch(folder, false);
        std::optional<StreamEnd> end;
        connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
        QTRY_VERIFY_WITH_TIMEOUT(end, patience);
        QCOMPARE(end->kind, StreamEnd::Kind::Failed);
        QCOMPARE(end->error.kind, kind);
        QCOMPARE(kindOf(outcome(files.createWatcher(folder, {}))), kind);
    }
}

void TestEnvdWireFiles::watchTellsEachChange_data()
{
    QTest::addColumn<bool>("recursive");
    QTest::newRow("one folder") << false;
    QTest::newRow("with those below") << true;
}

void TestEnvdWireFiles::watchTellsEachChange()
{
    QFETCH(bool, recursive);
    const RemotePath folder = in(recursive ? "watched deep" : "watched");
    QVERIFY(outcome(envd().filesystem().makeDir(folder.child("sub").value())).has_value());
    const auto watch = envd().filesystem().watch(folder, recursive);
    QList<WatchEvent> events;
    connect(watch.get(), &WatchStream::event, this, [&](const WatchEvent &e) { events << e; });
    connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { QFAIL(qPrintable(e.error.message)); });
    QTRY_VERIFY_WITH_TIMEOUT(!events.isEmpty(), patience);
    QCOMPARE(events.first().kind, WatchEvent::Kind::Started);
    const auto saw = [&](WatchEvent::Kind kind, const QByteArray &name) {
        return std::any_of(events.begin(), events.end(),
                           [&](const WatchEvent &e) { return e.kind == kind && e.name == name; });
    };
    const auto at = [&](const QString &line) { return run(line, {.cwd = folder.toString()}).succeeded(); };
    using Kind = WatchEvent::Kind;
    QVERIFY(at(u"echo x > a"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "a") && saw(Kind::Write, "a"), patience);
    QVERIFY(at(u"chmod 600 a"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Chmod, "a"), patience);
    QVERIFY(at(u"mv a b"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Rename, "a") && saw(Kind::Create, "b"), patience);
    QVERIFY(at(u"rm b"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Remove, "b"), patience);
    const auto created = std::find_if(events.begin(), events.end(), [](const WatchEvent &e) {
        return e.kind == Kind::Create && e.name == "b" && e.entry;
    });
    QVERIFY(created != events.end());
    QCOMPARE(created->entry->path, folder.child("b").value());

    QVERIFY(at(u"echo x > sub/deep"_s));
    if (recursive) {
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "sub/deep"), patience);
        QVERIFY(at(u"mkdir fresh"_s));
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "fresh"), patience);
        QTest::qWait(300); // a folder is followed from a moment after it was made
        QVERIFY(at(u"echo x > fresh/er"_s));
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "fresh/er"), patience);
    } else {
        QVERIFY(at(u"echo x > after"_s));
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "after"), patience);
        QVERIFY(!saw(Kind::Create, "sub/deep") && !saw(Kind::Create, "deep"));
    }
}

void TestEnvdWireFiles::watchersAreAskedAndRemoved()
{
    EnvdFilesystemClient &files = envd().filesystem();
    QVERIFY(outcome(files.makeDir(in("polled"))).has_value());
    const auto id = outcome(files.createWatcher(in("polled"), {.includeEntry = true}));
    QVERIFY(id.has_value() && !id->isEmpty());
    QVERIFY(outcome(envd().files().writeSmall(in("polled").child("f").value(), "x")).has_value());
    QList<WatchEvent> events;
    const auto saw = [&] {
        events += outcome(files.watcherEvents(*id)).value_or(QList<WatchEvent>());
        return std::any_of(events.begin(), events.end(),
                           [](const WatchEvent &e) { return e.kind == WatchEvent::Kind::Create && e.name == "f"; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(saw(), patience);
    // What was taken is gone.
    QTRY_VERIFY_WITH_TIMEOUT(outcome(files.watcherEvents(*id))->isEmpty(), patience);
    QVERIFY(outcome(files.removeWatcher(*id)).has_value());
    QCOMPARE(kindOf(outcome(files.watcherEvents(*id))), ErrorKind::NotFound);
    QVERIFY(outcome(files.removeWatcher(*id)).has_value());
}

void TestEnvdWireFiles::otherWaysToWatchTellTheSame_data()
{
    QTest::addColumn<bool>("polled");
    QTest::newRow("a watcher that is asked") << true;
    QTest::newRow("listing") << false;
}

void TestEnvdWireFiles::otherWaysToWatchTellTheSame()
{
    QFETCH(bool, polled);
    const RemotePath folder = in(polled ? "asked" : "listed");
    QVERIFY(outcome(envd().filesystem().makeDir(folder)).has_value());
    std::unique_ptr<WatchStream> watch;
    if (polled)
        watch = std::make_unique<PolledWatch>(envd().filesystem(), folder, WatchOptions{}, 100ms);
    else
        watch = std::make_unique<ListedWatch>(envd().filesystem(), folder, false, 100ms);
    QList<WatchEvent> events;
    std::optional<StreamEnd> end;
    connect(watch.get(), &WatchStream::event, this, [&](const WatchEvent &e) { events << e; });
    connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
    QTRY_VERIFY_WITH_TIMEOUT(!events.isEmpty(), patience);
    QCOMPARE(events.first().kind, WatchEvent::Kind::Started);
    const auto saw = [&](WatchEvent::Kind kind) {
        return std::any_of(events.begin(), events.end(),
                           [&](const WatchEvent &e) { return e.kind == kind && e.name == "f"; });
    };
    using Kind = WatchEvent::Kind;
    QVERIFY(outcome(envd().files().writeSmall(folder.child("f").value(), "x")).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create), patience);
    QVERIFY(outcome(envd().files().writeSmall(folder.child("f").value(), "longer")).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Write), patience);
    QVERIFY(run(u"chmod 600 f"_s, {.cwd = folder.toString()}).succeeded());
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Chmod), patience);
    QVERIFY(outcome(envd().filesystem().remove(folder.child("f").value())).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Remove), patience);
    QVERIFY(!end);
    if (!polled) {
        QVERIFY(outcome(envd().filesystem().remove(folder)).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(end, patience);
        QCOMPARE(end->error.kind, ErrorKind::NotFound);
    }
}

QTEST_GUILESS_MAIN(TestEnvdWireFiles)
#include "tst_envd_wire_files.moc"
