// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes and their content through the clients, against a real boxdeck-host.
#include "backend/net/request_body.h"
#include "tests/support/real_host.h"
#include "tests/support/remote_paths.h"
#include "tests/support/waiting.h"

#include <QRandomGenerator>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

template <typename T> QByteArray reason(const Result<T> &result)
{
    return result ? QByteArray() : (result.error().code + u": "_s + result.error().message).toUtf8();
}

/// A whole file, or why there is none.
Result<QByteArray> read(VolumeContentClient &client, const RemotePath &file)
{
    const auto stream = client.download(file);
    QByteArray bytes;
    std::optional<Error> failed;
    bool finished = false;
    QObject::connect(stream.get(), &net::ByteStream::readyRead, stream.get(), [&] { bytes += stream->read(1 << 20); });
    QObject::connect(stream.get(), &net::ByteStream::finished, stream.get(), [&] { finished = true; });
    QObject::connect(stream.get(), &net::ByteStream::failed, stream.get(), [&](const Error &e) { failed = e; });
    eventually([&] { return finished || failed; }, 30s);
    if (failed)
        return tl::unexpected(*failed);
    for (QByteArray more; !(more = stream->read(1 << 20)).isEmpty();)
        bytes += more;
    return bytes;
}

} // namespace

class TestApiHostVolumes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void volumesComeAndGo();
    void contentIsWrittenAndRead();
    void contentIsWhatSandboxesSee();
    void foreignTokenOpensNothing();
    void linksLeadNowhereOutside();

private:
    ControlPlaneClient &control() { return m_host.control(); }

    RealHost m_host;
};

void TestApiHostVolumes::initTestCase()
{
    QVERIFY2(m_host.isUp(), qPrintable(m_host.failure()));
}

void TestApiHostVolumes::volumesComeAndGo()
{
    VolumesClient volumes = control().volumes();
    const auto made = outcome(volumes.create(u"comes-and-goes"_s));
    QVERIFY2(made.has_value(), reason(made));
    QVERIFY(!made->token.isEmpty());
    QCOMPARE(outcome(volumes.create(u"comes-and-goes"_s)).error().kind, ErrorKind::InvalidRequest);
    const auto list = outcome(volumes.list());
    QVERIFY2(list.has_value(), reason(list));
    QVERIFY(list->contains(Volume{made->id, u"comes-and-goes"_s}));
    QCOMPARE(outcome(volumes.access(made->id))->name, u"comes-and-goes"_s);
    QVERIFY(outcome(volumes.remove(made->id)).has_value());
    QVERIFY(outcome(volumes.remove(made->id)).has_value()); // gone already
    QCOMPARE(outcome(volumes.access(made->id)).error().kind, ErrorKind::NotFound);
}

void TestApiHostVolumes::contentIsWrittenAndRead()
{
    const auto made = outcome(control().volumes().create(u"content"_s));
    QVERIFY2(made.has_value(), reason(made));
    VolumeContentClient content = control().volumes().content(*made);
    const auto folder = outcome(content.makeFolder(path("/a/b c"), true, {.mode = 0750}));
    QVERIFY2(folder.has_value(), reason(folder));
    QCOMPARE(folder->type, VolumeEntryType::Directory);

    QByteArray bytes(1'500'000, Qt::Uninitialized);
    for (char &byte : bytes)
        byte = static_cast<char>(QRandomGenerator::global()->bounded(256));
    const RemotePath file = path("/a/b c/100% \xc3\xa9.bin");
    const auto written = outcome(content.upload(file, net::sourceOf(bytes)));
    QVERIFY2(written.has_value(), reason(written));
    QCOMPARE(written->size, bytes.size());
    QCOMPARE(written->name, u"100% \u00e9.bin"_s);
    const auto got = read(content, file);
    QVERIFY2(got.has_value(), reason(got));
    QVERIFY(*got == bytes);
    const auto again = outcome(content.upload(file, net::sourceOf("x"), false));
    QVERIFY(!again); // not over what is there, unless told to
    QCOMPARE(read(content, file)->size(), bytes.size());

    const auto owned = outcome(content.setOwnership(file, {.mode = 0600}));
    QVERIFY2(owned.has_value(), reason(owned));
    QCOMPARE(owned->mode & 0777, 0600U);
    const auto top = outcome(content.list(path("/")));
    QVERIFY2(top.has_value(), reason(top));
    QCOMPARE(top->size(), 1);
    QVERIFY(outcome(content.list(path("/"), 3))->size() >= 3);
    QVERIFY(outcome(content.remove(file)).has_value());
    QVERIFY(outcome(content.remove(file)).has_value());
    QCOMPARE(outcome(content.stat(file)).error().kind, ErrorKind::NotFound);
    QCOMPARE(read(content, file).error().kind, ErrorKind::NotFound);
    QVERIFY(outcome(control().volumes().remove(made->id)).has_value());
}

void TestApiHostVolumes::contentIsWhatSandboxesSee()
{
    const auto made = outcome(control().volumes().create(u"shared"_s));
    QVERIFY2(made.has_value(), reason(made));
    VolumeContentClient content = control().volumes().content(*made);
    QVERIFY(outcome(content.upload(path("/in.txt"), net::sourceOf("from outside"))).has_value());
    const auto envd = m_host.newSandbox({.volumeMounts = {{u"shared"_s, u"/mnt/shared"_s}}});
    QVERIFY2(envd, qPrintable(m_host.failure()));
    QCOMPARE(m_host.run(*envd, u"cat /mnt/shared/in.txt"_s).value_or("failed"), "from outside"_ba);
    const auto detail = outcome(control().sandbox(envd->target().id));
    QCOMPARE(detail->volumeMounts, (QList<VolumeMount>{{u"shared"_s, u"/mnt/shared"_s}}));
    const auto kept = outcome(control().volumes().remove(made->id));
    QVERIFY(!kept);
    QCOMPARE(kept.error().kind, ErrorKind::Conflict);
    QVERIFY(outcome(control().kill(envd->target().id), 60s).has_value());
    QVERIFY(outcome(control().volumes().remove(made->id)).has_value());
    QCOMPARE(outcome(control().create({.volumeMounts = {{u"shared"_s, u"/mnt/shared"_s}}}), 60s).error().kind,
             ErrorKind::InvalidRequest);
}

void TestApiHostVolumes::foreignTokenOpensNothing()
{
    const auto one = outcome(control().volumes().create(u"one"_s));
    const auto two = outcome(control().volumes().create(u"two"_s));
    QVERIFY(one && two);
    VolumeAccess mixed = *one;
    mixed.token = two->token;
    QCOMPARE(outcome(control().volumes().content(mixed).list(path("/"))).error().kind, ErrorKind::Authentication);
    mixed.token = control().endpoint().apiKey;
    QCOMPARE(outcome(control().volumes().content(mixed).list(path("/"))).error().kind, ErrorKind::Authentication);
    QVERIFY(outcome(control().volumes().remove(one->id)).has_value());
    QVERIFY(outcome(control().volumes().remove(two->id)).has_value());
}

void TestApiHostVolumes::linksLeadNowhereOutside()
{
    const auto made = outcome(control().volumes().create(u"inside"_s));
    QVERIFY(made);
    VolumeContentClient content = control().volumes().content(*made);
    const auto envd = m_host.newSandbox({.volumeMounts = {{u"inside"_s, u"/mnt/v"_s}}});
    QVERIFY2(envd, qPrintable(m_host.failure()));
    QVERIFY(m_host.run(*envd, u"cd /mnt/v && ln -s /etc/hostname file && ln -s /etc folder && ln -s ../../.. up"_s));
    const auto entry = outcome(content.stat(path("/file")));
    QVERIFY2(entry.has_value(), reason(entry));
    QCOMPARE(entry->type, VolumeEntryType::Symlink);
    QCOMPARE(entry->target, u"/etc/hostname"_s);
    for (const char *link : {"/file", "/folder/hostname", "/up/etc/hostname"})
        QVERIFY2(!read(content, path(link)), link);
    QVERIFY(!outcome(content.upload(path("/folder/boxdeck-test"), net::sourceOf("x"))));
    QVERIFY(outcome(control().kill(envd->target().id), 60s).has_value());
    QVERIFY(outcome(control().volumes().remove(made->id)).has_value());
}

QTEST_GUILESS_MAIN(TestApiHostVolumes)
#include "tst_api_host_volumes.moc"
