// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots, forks, tags and deletions through the clients, against a real boxdeck-host.
#include "backend/api/build_watch.h"
#include "backend/api/standard_template.h"
#include "tests/support/real_host.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr auto patience = 60s;

/// What went wrong, for a failing test to say.
template <typename T> QByteArray reason(const Result<T> &result)
{
    return result ? QByteArray() : (result.error().code + u": "_s + result.error().message).toUtf8();
}

} // namespace

class TestApiHostCopies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void snapshotKeepsFilesAndOutlivesItsSource();
    void snapshotsAreListedBySourceAndName();
    void snapshotInUseStays();
    void forksStandAlone();
    void pausedSourceIsNotForkedNorWoken();
    void diskOnlyPauseKeepsFilesAlone();
    void tagsMoveAndGo();
    void visibilityIsChanged();
    void supersededTemplatesGo();

private:
    std::shared_ptr<Envd> sandbox(const QString &templateId = u"base"_s);
    SandboxId idOf(const std::shared_ptr<Envd> &envd) { return envd->target().id; }
    std::shared_ptr<Envd> open(const SandboxAccess &access);
    QByteArray run(const std::shared_ptr<Envd> &envd, const QString &line)
    {
        return m_host.run(*envd, line).value_or("failed");
    }
    std::optional<TemplateRequested> build(const QString &name, const QString &command);

    ControlPlaneClient &control() { return m_host.control(); }

    RealHost m_host;
};

void TestApiHostCopies::initTestCase()
{
    QVERIFY2(m_host.isUp(), qPrintable(m_host.failure()));
}

std::shared_ptr<Envd> TestApiHostCopies::sandbox(const QString &templateId)
{
    auto envd = m_host.newSandbox({.templateId = templateId});
    if (!envd)
        qWarning("%s", qPrintable(m_host.failure()));
    return envd;
}

std::shared_ptr<Envd> TestApiHostCopies::open(const SandboxAccess &access)
{
    return std::make_shared<Envd>(m_host.transport(), targetOf(control().endpoint(), access));
}

std::optional<TemplateRequested> TestApiHostCopies::build(const QString &name, const QString &command)
{
    TemplatesClient templates = control().templates();
    const auto made = outcome(templates.create({.name = name}));
    if (!made)
        return std::nullopt;
    const BuildStart start{.fromTemplate = u"base"_s, .steps = {BuildStep::run(command)}};
    if (!outcome(templates.startBuild(made->templateId, made->buildId, start)))
        return std::nullopt;
    BuildWatch watch(templates, made->templateId, made->buildId, BuildWatch::Pace{.interval = 50ms});
    eventually([&] { return watch.end().has_value(); }, 120s);
    return watch.end() == BuildWatch::End::Ready ? std::optional(*made) : std::nullopt;
}

void TestApiHostCopies::snapshotKeepsFilesAndOutlivesItsSource()
{
    const auto source = sandbox();
    QVERIFY(source);
    run(source, u"echo before > /home/user/a"_s);
    const auto snapshot = outcome(control().snapshots().create(idOf(source), u"copies/state:v1"_s), patience);
    const auto unnamed = outcome(control().snapshots().create(idOf(source)), patience);
    QVERIFY2(unnamed.has_value(), reason(unnamed));
    // The namespace is this host's alone: a foreign one is refused with a sentence.
    QVERIFY(!snapshot);
    QCOMPARE(snapshot.error().kind, ErrorKind::InvalidRequest);
    const auto named = outcome(control().snapshots().create(idOf(source), u"state:v1"_s), patience);
    QVERIFY2(named.has_value(), reason(named));
    run(source, u"echo after > /home/user/a"_s);
    QCOMPARE(run(source, u"cat /home/user/a"_s), "after\n"_ba); // it went on
    QVERIFY(outcome(control().kill(idOf(source))).has_value());

    for (const Snapshot &kept : {*unnamed, *named}) {
        const auto again = sandbox(kept.id.value);
        QVERIFY(again);
        QCOMPARE(run(again, u"cat /home/user/a"_s), "before\n"_ba);
        QVERIFY(idOf(again) != idOf(source));
        QVERIFY(outcome(control().kill(idOf(again)), patience).has_value());
        QVERIFY(outcome(control().snapshots().remove(kept.id)).has_value());
        QVERIFY(outcome(control().snapshots().remove(kept.id)).has_value()); // gone already
        QCOMPARE(outcome(control().create({.templateId = kept.id.value}), patience).error().kind,
                 ErrorKind::InvalidRequest);
    }
}

void TestApiHostCopies::snapshotsAreListedBySourceAndName()
{
    const auto one = sandbox();
    const auto two = sandbox();
    QVERIFY(one && two);
    QList<SnapshotId> ofOne;
    for (int i = 0; i < 3; ++i) {
        const auto made = outcome(control().snapshots().create(idOf(one)), patience);
        QVERIFY2(made.has_value(), reason(made));
        ofOne.prepend(made->id); // newest first
    }
    const auto named = outcome(control().snapshots().create(idOf(two), u"listed"_s), patience);
    QVERIFY2(named.has_value(), reason(named));
    const auto idsOf = [](const QList<Snapshot> &list) {
        QList<SnapshotId> ids;
        for (const Snapshot &snapshot : list)
            ids.append(snapshot.id);
        return ids;
    };
    const auto listed = outcome(control().snapshots().listAll({.source = idOf(one), .limit = 1}));
    QVERIFY2(listed.has_value(), reason(listed));
    QCOMPARE(idsOf(*listed), ofOne); // three pages
    QCOMPARE(idsOf(*outcome(control().snapshots().listAll({.name = u"listed"_s}))), QList<SnapshotId>{named->id});
    QVERIFY(outcome(control().snapshots().listAll({.name = u"no-such"_s}))->isEmpty());
    for (const SnapshotId &id : ofOne + QList<SnapshotId>{named->id})
        QVERIFY(outcome(control().snapshots().remove(id)).has_value());
    QVERIFY(outcome(control().kill(idOf(one))).has_value());
    QVERIFY(outcome(control().kill(idOf(two))).has_value());
}

void TestApiHostCopies::snapshotInUseStays()
{
    const auto source = sandbox();
    const auto snapshot = outcome(control().snapshots().create(idOf(source)), patience);
    QVERIFY2(snapshot.has_value(), reason(snapshot));
    const auto user = sandbox(snapshot->id.value);
    QVERIFY(user);
    const auto refused = outcome(control().snapshots().remove(snapshot->id));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Conflict);
    QVERIFY(!refused.error().message.isEmpty());
    QVERIFY(outcome(control().kill(idOf(user)), patience).has_value());
    QVERIFY(outcome(control().snapshots().remove(snapshot->id)).has_value());
    QVERIFY(outcome(control().kill(idOf(source))).has_value());
}

void TestApiHostCopies::forksStandAlone()
{
    const auto source = sandbox();
    run(source, u"echo shared > /home/user/a"_s);
    const auto forks = outcome(control().fork(idOf(source), {.count = 2, .timeout = 10min}), patience);
    QVERIFY2(forks.has_value(), reason(forks));
    QCOMPARE(forks->size(), 2);
    for (const ForkResult &fork : *forks) {
        QVERIFY2(fork.has_value(), reason(fork));
        const auto envd = open(*fork);
        QCOMPARE(run(envd, u"cat /home/user/a; echo own > /home/user/a"_s), "shared\n"_ba);
        const auto detail = outcome(control().sandbox(fork->id));
        QVERIFY(detail.has_value());
        QVERIFY(detail->startedAt.secsTo(detail->endAt) > 500);
    }
    QVERIFY(forks->at(0)->id != forks->at(1)->id);
    QCOMPARE(run(source, u"cat /home/user/a"_s), "shared\n"_ba);
    for (const ForkResult &fork : *forks)
        QVERIFY(outcome(control().kill(fork->id)).has_value());
    QVERIFY(outcome(control().kill(idOf(source))).has_value());
}

void TestApiHostCopies::pausedSourceIsNotForkedNorWoken()
{
    const auto source = sandbox();
    QVERIFY(outcome(control().pause(idOf(source)), patience).has_value());
    const auto forks = outcome(control().fork(idOf(source)), patience);
    QVERIFY(!forks);
    QCOMPARE(forks.error().kind, ErrorKind::Conflict);
    QCOMPARE(outcome(control().sandbox(idOf(source)))->state, SandboxState::Paused);
    QVERIFY(outcome(control().kill(idOf(source))).has_value());
    QCOMPARE(outcome(control().fork(idOf(source))).error().kind, ErrorKind::NotFound);
}

void TestApiHostCopies::diskOnlyPauseKeepsFilesAlone()
{
    const auto box = sandbox();
    run(box, u"echo kept > /home/user/a; nohup sleep 1234 > /dev/null 2>&1 &"_s);
    QVERIFY(run(box, u"pgrep -f 'sleep 123[4]' | wc -l"_s).trimmed() != "0");
    const auto paused = outcome(control().pause(idOf(box), false), patience);
    QVERIFY2(paused.has_value(), reason(paused));
    const auto woken = outcome(control().connect(idOf(box), 5min), patience);
    QVERIFY2(woken.has_value(), reason(woken));
    const auto again = open(*woken);
    QCOMPARE(run(again, u"cat /home/user/a"_s), "kept\n"_ba);
    QCOMPARE(run(again, u"pgrep -f 'sleep 123[4]' | wc -l"_s).trimmed(), "0"_ba);
    QVERIFY(outcome(control().kill(idOf(box))).has_value());
}

void TestApiHostCopies::tagsMoveAndGo()
{
    TemplatesClient templates = control().templates();
    const auto first = build(u"tagged"_s, u"echo 1 > /home/user/n"_s);
    QVERIFY(first);
    const auto kept = outcome(templates.assignTags(u"tagged:default"_s, {u"v1"_s, u"stable"_s}));
    QVERIFY2(kept.has_value(), reason(kept));
    QCOMPARE(kept->value, first->buildId.value);
    const auto second = build(u"tagged"_s, u"echo 2 > /home/user/n"_s);
    QVERIFY(second);
    const auto numberOf = [&](const QString &name) {
        const auto envd = sandbox(name);
        const QByteArray number = envd ? run(envd, u"cat /home/user/n"_s).trimmed() : "none";
        if (envd)
            outcome(control().kill(idOf(envd)));
        return number;
    };
    QCOMPARE(numberOf(u"tagged"_s), "2"_ba);
    QCOMPARE(numberOf(u"tagged:v1"_s), "1"_ba);
    // Rolled back by moving the tag.
    QVERIFY(outcome(templates.assignTags(u"tagged:v1"_s, {u"default"_s})).has_value());
    QCOMPARE(numberOf(u"tagged"_s), "1"_ba);

    const auto tags = outcome(templates.tags(u"tagged"_s));
    QVERIFY2(tags.has_value(), reason(tags));
    QStringList names;
    for (const TemplateTag &tag : *tags)
        names.append(tag.tag);
    names.sort();
    QCOMPARE(names, (QStringList{u"default"_s, u"stable"_s, u"v1"_s}));
    QVERIFY(outcome(templates.removeTags(u"tagged"_s, {u"stable"_s})).has_value());
    QVERIFY(outcome(templates.removeTags(u"tagged"_s, {u"stable"_s})).has_value()); // gone already
    QCOMPARE(outcome(templates.tags(u"tagged"_s))->size(), 2);
    QVERIFY(!outcome(templates.assignTags(u"tagged:no-such"_s, {u"x"_s})));
    QCOMPARE(outcome(templates.wholeDetail(first->templateId))->builds.size(), 2);
}

void TestApiHostCopies::visibilityIsChanged()
{
    TemplatesClient templates = control().templates();
    const auto made = build(u"shown"_s, u"true"_s);
    QVERIFY(made);
    for (const bool isPublic : {true, false}) {
        const auto names = outcome(templates.setPublic(made->templateId, isPublic));
        QVERIFY2(names.has_value(), reason(names));
        QVERIFY(!names->isEmpty());
        QCOMPARE(outcome(templates.detail(made->templateId))->isPublic, isPublic);
    }
}

void TestApiHostCopies::supersededTemplatesGo()
{
    const auto kept = build(u"std"_s, u"true"_s);
    const auto other = build(u"std-other"_s, u"true"_s);
    QVERIFY(kept && other);
    const auto removed = outcome(removeSuperseded(control().templates(), u"std-other"_s, kept->templateId));
    QVERIFY2(removed.has_value(), reason(removed));
    QVERIFY(removed->isEmpty());
    QCOMPARE(outcome(control().templates().detail(other->templateId)).error().kind, ErrorKind::NotFound);
    QVERIFY(outcome(control().templates().detail(kept->templateId)).has_value());
}

QTEST_GUILESS_MAIN(TestApiHostCopies)
#include "tst_api_host_copies.moc"
