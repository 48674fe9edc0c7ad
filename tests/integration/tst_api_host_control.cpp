// SPDX-License-Identifier: GPL-3.0-or-later
// The control plane's clients against a real boxdeck-host: builds that run, filters it decodes, logs and metrics it
// keeps.
#include "backend/api/build_watch.h"
#include "backend/api/standard_template.h"
#include "backend/net/request_body.h"
#include "tests/support/real_host.h"
#include "tests/support/waiting.h"

#include <QCryptographicHash>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr auto buildTime = 120s;
constexpr auto createTime = 60s;

/// A gzip-compressed tar of one file.
QByteArray archiveOf(const QByteArray &name, const QByteArray &content)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QString::fromUtf8(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return {};
    file.close();
    QProcess tar;
    tar.start(u"tar"_s, {u"-czf"_s, u"-"_s, u"-C"_s, folder.path(), QString::fromUtf8(name)});
    return tar.waitForFinished() ? tar.readAllStandardOutput() : QByteArray();
}

QStringList messages(const QList<LogEntry> &log)
{
    QStringList list;
    for (const LogEntry &entry : log)
        list.append(entry.message);
    return list;
}

} // namespace

class TestApiHostControl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void templateIsBuiltFollowedAndStarted();
    void failedBuildTellsItsStep();
    void longBuildLogIsWholeInBothDirections();
    void buildNobodyKnowsIsGone();
    void standardTemplateIsBuiltOnce();
    void metadataOfAllSortsIsFilteredByTheServer();
    void pagesAreFollowed();
    void lifeIsMovedAndNeverShortened();
    void metricsAreOfTheWindow();
    void logsTellOfTheLife();
    void networkRulesAreReplacedOrRefused();

private:
    SandboxAccess create(const NewSandbox &wanted = {});
    /// Registers and starts; watches to the end.
    std::optional<BuildWatch::End> build(const NewTemplate &wanted, const BuildStart &start);

    ControlPlaneClient &control() { return m_host.control(); }

    RealHost m_host;
    TemplateRequested m_made;
    std::unique_ptr<BuildWatch> m_watch;
};

void TestApiHostControl::initTestCase()
{
    QVERIFY2(m_host.isUp(), qPrintable(m_host.failure()));
}

SandboxAccess TestApiHostControl::create(const NewSandbox &wanted)
{
    auto created = outcome(control().create(wanted), createTime);
    if (!created)
        qWarning("%s: %s", qPrintable(created.error().code), qPrintable(created.error().message));
    return created.value_or(SandboxAccess());
}

std::optional<BuildWatch::End> TestApiHostControl::build(const NewTemplate &wanted, const BuildStart &start)
{
    TemplatesClient templates = control().templates();
    const auto made = outcome(templates.create(wanted));
    if (!made)
        return std::nullopt;
    m_made = *made;
    m_watch = std::make_unique<BuildWatch>(templates, made->templateId, made->buildId,
                                           BuildWatch::Pace{.interval = 50ms, .patience = 20s});
    if (!outcome(templates.startBuild(made->templateId, made->buildId, start)))
        return std::nullopt;
    eventually([this] { return m_watch->end().has_value(); }, buildTime);
    return m_watch->end();
}

void TestApiHostControl::templateIsBuiltFollowedAndStarted()
{
    TemplatesClient templates = control().templates();
    const QByteArray content = "from the layer\n";
    const QByteArray archive = archiveOf("note.txt", content);
    QVERIFY(!archive.isEmpty());
    const QString hash = QString::fromLatin1(QCryptographicHash::hash(archive, QCryptographicHash::Sha256).toHex());
    const auto made = outcome(templates.create({.name = u"clients-tools"_s, .cpuCount = 2, .memoryMB = 512}));
    QVERIFY2(made.has_value(), qPrintable(made ? QString() : made.error().message));
    const auto layer = outcome(templates.layer(made->templateId, hash));
    QVERIFY(layer.has_value());
    QVERIFY(!layer->present);
    const auto uploaded = outcome(templates.uploadLayer(*layer, net::sourceOf(archive)));
    QVERIFY2(uploaded.has_value(), qPrintable(uploaded ? QString() : uploaded.error().message));
    QVERIFY(outcome(templates.layer(made->templateId, hash))->present);

    const auto end =
        build({.name = u"clients-tools"_s},
              {.fromTemplate = u"base"_s,
               .steps = {BuildStep::env({{u"GREETING"_s, u"hello = world"_s}}), BuildStep::workdir(u"/home/user/app"_s),
                         BuildStep::copy(u"note.txt"_s, u"copied.txt"_s, hash),
                         BuildStep::run(u"echo said-in-the-build; cat copied.txt > made.txt"_s)}});
    QVERIFY2(end == BuildWatch::End::Ready, qPrintable(messages(m_watch->log()).join(u'\n')));
    QCOMPARE(m_made.templateId, made->templateId); // the name is ours already
    QVERIFY2(messages(m_watch->log()).join(u'\n').contains(u"said-in-the-build"), "the log misses a step's output");

    const auto list = outcome(templates.list());
    QVERIFY(list.has_value());
    const auto at = std::find_if(list->begin(), list->end(),
                                 [&](const TemplateSummary &entry) { return entry.id == made->templateId; });
    QVERIFY(at != list->end());
    QCOMPARE(at->buildStatus, BuildStatus::Ready);
    QVERIFY(at->isSpawnable());
    const auto detail = outcome(templates.wholeDetail(made->templateId));
    QVERIFY(detail.has_value());
    QVERIFY(detail->builds.size() >= 1);
    QCOMPARE(outcome(templates.lookUpName(u"clients-tools"_s))->owner, NameOwner::Us);
    QCOMPARE(outcome(templates.lookUpName(u"nobody-has-this"_s))->owner, NameOwner::Nobody);

    const auto envd = m_host.newSandbox({.templateId = u"clients-tools"_s});
    QVERIFY2(envd, qPrintable(m_host.failure()));
    QCOMPARE(m_host.run(*envd, u"cat /home/user/app/made.txt; printf %s \"$GREETING\""_s).value_or("failed"),
             content + "hello = world");
}

void TestApiHostControl::failedBuildTellsItsStep()
{
    const auto end = build({.name = u"clients-broken"_s},
                           {.fromTemplate = u"base"_s,
                            .steps = {BuildStep::run(u"true"_s), BuildStep::run(u"echo about-to-fail; exit 3"_s)}});
    QCOMPARE(end, BuildWatch::End::Failed);
    QCOMPARE(m_watch->reason().step, u"2"_s);
    QVERIFY(!m_watch->reason().message.isEmpty());
    QVERIFY(messages(m_watch->log()).join(u'\n').contains(u"about-to-fail"));
    // It is there, and can't be started.
    const auto created = outcome(control().create({.templateId = u"clients-broken"_s}), createTime);
    QVERIFY(!created);
    QCOMPARE(created.error().kind, ErrorKind::InvalidRequest);
    // An unknown base is no refusal of the start, but a failed build.
    QCOMPARE(build({.name = u"clients-baseless"_s}, {.fromTemplate = u"no-such-template"_s}), BuildWatch::End::Failed);
    QCOMPARE(m_watch->reason().step, u"base"_s);
}

void TestApiHostControl::longBuildLogIsWholeInBothDirections()
{
    const auto end =
        build({.name = u"clients-talker"_s},
              {.fromTemplate = u"base"_s, .steps = {BuildStep::run(u"for i in $(seq 250); do echo n-$i; done"_s)}});
    QCOMPARE(end, BuildWatch::End::Ready);
    QStringList expected;
    for (int i = 1; i <= 250; ++i)
        expected.append(u"n-%1"_s.arg(i));
    const auto numbered = [](const QList<LogEntry> &log) {
        QStringList lines;
        for (const QString &text : messages(log).join(u'\n').split(u'\n')) {
            if (const qsizetype at = text.indexOf(u"n-"_s); at >= 0 && !text.contains(u"seq"))
                lines.append(text.mid(at).trimmed());
        }
        return lines;
    };
    QCOMPARE(numbered(m_watch->log()), expected);

    for (const LogDirection direction : {LogDirection::Forward, LogDirection::Backward}) {
        LogBook book;
        QDateTime cursor;
        for (int page = 0; page < 20; ++page) {
            const auto lines = outcome(control().templates().buildLogs(
                m_made.templateId, m_made.buildId, {.cursor = cursor, .limit = 100, .direction = direction}));
            QVERIFY(lines.has_value());
            const qsizetype before = book.entries().size();
            book.add(*lines, direction);
            if (book.entries().size() == before)
                break;
            cursor =
                direction == LogDirection::Forward ? book.entries().last().timestamp : book.entries().first().timestamp;
        }
        QCOMPARE(numbered(book.entries()), expected);
    }
}

void TestApiHostControl::buildNobodyKnowsIsGone()
{
    BuildWatch watch(control().templates(), {u"aaaaaaaaaaaaaaaaaaaa"_s}, {u"11111111-1111-4111-8111-111111111111"_s});
    QVERIFY(eventually([&] { return watch.end().has_value(); }, 20s));
    QCOMPARE(watch.end(), BuildWatch::End::NoSuchBuild);
}

void TestApiHostControl::standardTemplateIsBuiltOnce()
{
    const StandardTemplate wanted{
        .name = u"clients-standard"_s, .recipe = {.fromTemplate = u"base"_s}, .cpuCount = 2, .memoryMB = 512};
    const auto first = outcome(ensureStandardTemplate(control().templates(), wanted));
    QVERIFY2(first.has_value(), qPrintable(first ? QString() : first.error().message));
    QCOMPARE(first->buildStatus, BuildStatus::Building);
    std::optional<TemplateSummary> again;
    QVERIFY(eventually(
        [&] {
            const auto now = outcome(ensureStandardTemplate(control().templates(), wanted));
            if (now)
                again = *now;
            return now && now->buildStatus == BuildStatus::Ready;
        },
        buildTime));
    QCOMPARE(again->id, first->id);
    QCOMPARE(outcome(control().templates().detail(first->id))->builds.size(), 1);
}

void TestApiHostControl::metadataOfAllSortsIsFilteredByTheServer()
{
    const QMap<QString, QString> odd{{u"te am"_s, u"a b&c=d+e%25 \u00e9\u4e2d"_s}, {u"owner"_s, u"ci-17"_s}};
    const SandboxAccess ours = create({.metadata = odd});
    const SandboxAccess other = create({.metadata = {{u"owner"_s, u"ci-17"_s}}});
    QVERIFY(!ours.id.isEmpty() && !other.id.isEmpty());
    for (const MetadataSending sending : {MetadataSending::All, MetadataSending::PlainPairs, MetadataSending::None}) {
        const auto found = outcome(control().listAllSandboxes({.metadata = odd, .sending = sending}));
        QVERIFY2(found.has_value(), qPrintable(found ? QString() : found.error().message));
        QCOMPARE(found->size(), 1);
        QCOMPARE(found->first().id, ours.id);
    }
    // The server itself counts them: nothing is left to do here.
    const auto page = outcome(control().listSandboxes({.metadata = odd, .sending = MetadataSending::All}));
    QCOMPARE(page->totalRunning, std::optional(1));
    QVERIFY(outcome(control().kill(ours.id)).has_value());
    QVERIFY(outcome(control().kill(other.id)).has_value());
}

void TestApiHostControl::pagesAreFollowed()
{
    QStringList made;
    for (int i = 0; i < 5; ++i)
        made.append(create({.metadata = {{u"set"_s, u"pages"_s}}}).id.value);
    for (const ListOrder order : {ListOrder::NewestFirst, ListOrder::OldestFirst}) {
        const auto all =
            outcome(control().listAllSandboxes({.limit = 2, .metadata = {{u"set"_s, u"pages"_s}}, .order = order}));
        QVERIFY2(all.has_value(), qPrintable(all ? QString() : all.error().message));
        QStringList ids;
        for (const SandboxSummary &item : *all)
            ids.append(item.id.value);
        if (order == ListOrder::NewestFirst)
            std::reverse(ids.begin(), ids.end());
        QCOMPARE(ids, made);
    }
    for (const QString &id : made)
        QVERIFY(outcome(control().kill({id})).has_value());
}

void TestApiHostControl::lifeIsMovedAndNeverShortened()
{
    const SandboxAccess box = create({.timeout = 600s});
    const auto endAt = [&] { return outcome(control().sandbox(box.id))->endAt; };
    const QDateTime first = endAt();
    QVERIFY(outcome(control().refresh(box.id, 60s)).has_value());
    QCOMPARE(endAt(), first);
    QVERIFY(outcome(control().refresh(box.id, 1h)).has_value());
    QVERIFY(first.secsTo(endAt()) > 2900);
    QVERIFY(outcome(control().setTimeout(box.id, 120s)).has_value());
    QVERIFY(endAt() < first);

    const auto running = outcome(control().resume(box.id, 60s));
    QVERIFY(!running);
    QCOMPARE(running.error().kind, ErrorKind::Conflict);
    QVERIFY(outcome(control().pause(box.id), createTime).has_value());
    const auto resumed = outcome(control().resume(box.id, 900s), createTime);
    QVERIFY2(resumed.has_value(), qPrintable(resumed ? QString() : resumed.error().message));
    QCOMPARE(resumed->id, box.id);
    QVERIFY(outcome(control().kill(box.id)).has_value());
    QCOMPARE(outcome(control().refresh(box.id, 60s)).error().kind, ErrorKind::NotFound);
}

void TestApiHostControl::metricsAreOfTheWindow()
{
    const SandboxAccess box = create();
    TelemetryClient telemetry = control().telemetry();
    QVERIFY(eventually(
        [&] {
            const auto latest = outcome(telemetry.latest({box.id, {u"iaaaaaaaaaaaaaaaaaaaa"_s}}));
            return latest && latest->size() == 1 && latest->contains(box.id);
        },
        30s));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto samples = outcome(telemetry.metrics(box.id, {now.addSecs(-600), now.addSecs(60)}));
    QVERIFY(samples.has_value());
    QVERIFY(!samples->isEmpty());
    QVERIFY(samples->first().cpuCount > 0);
    const auto before = outcome(telemetry.metrics(box.id, {now.addSecs(-7200), now.addSecs(-3600)}));
    QVERIFY(before.has_value()); // an empty chart, no error
    QVERIFY(before->isEmpty());
    QVERIFY(outcome(control().kill(box.id)).has_value());
}

void TestApiHostControl::logsTellOfTheLife()
{
    const SandboxAccess box = create();
    TelemetryClient telemetry = control().telemetry();
    QList<LogEntry> lines;
    QVERIFY(eventually(
        [&] {
            lines = outcome(telemetry.logs(box.id)).value_or(QList<LogEntry>());
            return !lines.isEmpty();
        },
        30s));
    QVERIFY(lines.first().timestamp.isValid());
    QVERIFY(std::is_sorted(lines.begin(), lines.end(),
                           [](const LogEntry &a, const LogEntry &b) { return a.timeNs < b.timeNs; }));
    const auto forward = outcome(telemetry.logs(box.id, {.direction = LogDirection::Forward}));
    QVERIFY(forward.has_value());
    QCOMPARE(messages(*forward).mid(0, lines.size()), messages(lines));
    QVERIFY(outcome(telemetry.logs(box.id, {.search = u"no line says this"_s}))->isEmpty());
    QVERIFY(outcome(control().kill(box.id)).has_value());
}

void TestApiHostControl::networkRulesAreReplacedOrRefused()
{
    const SandboxAccess box = create();
    NetworkUpdate none;
    none.allowInternetAccess = false;
    const auto closed = outcome(control().updateNetwork(box.id, none));
    QVERIFY2(closed.has_value(), qPrintable(closed ? QString() : closed.error().message));
    // Rules that open something can't be kept by a host without a network: it says so and changes nothing.
    NetworkUpdate open;
    open.allowOut = {u"1.1.1.1"_s};
    const auto opened = outcome(control().updateNetwork(box.id, open));
    const auto detail = outcome(control().sandbox(box.id));
    QVERIFY(detail.has_value());
    const QStringList kept = detail->network.value_or(NetworkConfig()).allowOut;
    if (opened) {
        QCOMPARE(kept, open.allowOut);
    } else {
        QCOMPARE(opened.error().kind, ErrorKind::InvalidRequest);
        QVERIFY(!opened.error().message.isEmpty());
        QCOMPARE(kept, QStringList());
    }
    QVERIFY(outcome(control().updateNetwork(box.id, {})).has_value());
    QVERIFY(outcome(control().kill(box.id)).has_value());
    QCOMPARE(outcome(control().updateNetwork(box.id, {})).error().kind, ErrorKind::NotFound);
}

QTEST_GUILESS_MAIN(TestApiHostControl)
#include "tst_api_host_control.moc"
