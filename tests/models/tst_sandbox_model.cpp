// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sandbox_model.h"
#include "tests/support/fake_clock.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::models;
using namespace boxdeck::protocol;
using namespace std::chrono_literals;
using boxdeck::session::SandboxStore;
using boxdeck::session::TemplateStore;

namespace {

SandboxId id(const char *text)
{
    return {QString::fromLatin1(text)};
}

SandboxSummary sandbox(const char *name, const char *startedAt = "", SandboxState state = SandboxState::Running)
{
    SandboxSummary summary;
    summary.id = id(name);
    summary.state = state;
    summary.startedAt = QDateTime::fromString(QString::fromLatin1(startedAt), Qt::ISODate);
    return summary;
}

} // namespace

class TestSandboxModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsOneRowPerSandbox();
    void movesNeitherSelectionNorOrderWhenAListArrives();
    void rowsKeepTheirIdWhileOthersComeAndGo();
    void sortsTimesAsInstants_data();
    void sortsTimesAsInstants();
    void namesWhatItShows();
    void timePasses();
    void keepsOurOwnMarksToItself();
    void makesHostileTextHarmless();
    void writesDurations_data();
    void writesDurations();

private:
    void list(const QList<SandboxSummary> &sandboxes);
    QString text(const char *name, SandboxModel::Column column) const
    {
        return m_model->indexOf(id(name), column).data().toString();
    }

    test::FakeClock m_clock;
    QList<SandboxSummary> m_answer;
    QList<TemplateSummary> m_templateAnswer;
    std::unique_ptr<SandboxStore> m_store;
    std::unique_ptr<TemplateStore> m_templates;
    std::unique_ptr<SandboxModel> m_model;
};

void TestSandboxModel::init()
{
    m_answer.clear();
    m_templateAnswer.clear();
    m_store = std::make_unique<SandboxStore>(
        SandboxStore::Source{.list = [this] { return Call<QList<SandboxSummary>>::settled(m_answer); },
                             .detail =
                                 [](const SandboxId &) {
                                     return Call<SandboxDetail>::settled(Failure(Error{.kind = ErrorKind::NotFound}));
                                 }},
        m_clock);
    m_store->setPace({.visible = 1h});
    m_store->start();
    m_templates = std::make_unique<TemplateStore>(
        [this] { return Call<QList<TemplateSummary>>::settled(m_templateAnswer); }, m_clock);
    m_model = std::make_unique<SandboxModel>(*m_store, m_templates.get());
    new QAbstractItemModelTester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_model.get());
}

void TestSandboxModel::cleanup()
{
    m_model.reset();
}

void TestSandboxModel::list(const QList<SandboxSummary> &sandboxes)
{
    m_answer = sandboxes;
    QTRY_VERIFY(!m_store->loading());
    QSignalSpy updated(m_store.get(), &SandboxStore::updated);
    m_store->refresh();
    QTRY_VERIFY(updated.count() > 0);
    QTRY_COMPARE(m_model->rowCount(), sandboxes.size());
}

void TestSandboxModel::showsOneRowPerSandbox()
{
    list({sandbox("a"), sandbox("b")});
    QCOMPARE(m_model->columnCount(), int(SandboxModel::ColumnCount));
    for (int column = 0; column < m_model->columnCount(); ++column)
        QVERIFY(!m_model->headerData(column, Qt::Horizontal).toString().isEmpty());
    list({});
    QCOMPARE(m_model->rowCount(), 0);
    QVERIFY(!m_model->indexOf(id("a")).isValid());
}

void TestSandboxModel::movesNeitherSelectionNorOrderWhenAListArrives()
{
    list({sandbox("a"), sandbox("b"), sandbox("c")});
    QSignalSpy reset(m_model.get(), &QAbstractItemModel::modelReset);
    QSignalSpy layout(m_model.get(), &QAbstractItemModel::layoutChanged);
    QSignalSpy data(m_model.get(), &QAbstractItemModel::dataChanged);
    list({sandbox("c"), sandbox("a"), sandbox("b")});
    QCOMPARE(data.count(), 0);
    SandboxSummary paused = sandbox("b", "", SandboxState::Paused);
    list({sandbox("d"), paused, sandbox("c"), sandbox("a")});
    QCOMPARE(data.count(), 1);
    QCOMPARE(m_model->idAt(data.first().at(0).toModelIndex()), id("b"));
    QCOMPARE(reset.count() + layout.count(), 0);
}

// A question about row 2 must not end at its neighbour: it carries the id, and the id stays with the row.
void TestSandboxModel::rowsKeepTheirIdWhileOthersComeAndGo()
{
    list({sandbox("a"), sandbox("b"), sandbox("c")});
    const QPersistentModelIndex chosen = m_model->indexOf(id("b"));
    const QString asked = chosen.data(SandboxModel::SandboxIdRole).toString();
    list({sandbox("new"), sandbox("b"), sandbox("c")});
    QVERIFY(chosen.isValid());
    QCOMPARE(chosen.data(SandboxModel::SandboxIdRole).toString(), asked);
    QCOMPARE(m_model->indexOf(id("b")), QModelIndex(chosen));
    list({sandbox("new"), sandbox("c")});
    QVERIFY(!chosen.isValid());
    QVERIFY(!m_model->indexOf(id("b")).isValid());
    QVERIFY(m_model->idAt(QModelIndex()).isEmpty());
}

void TestSandboxModel::sortsTimesAsInstants_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QByteArray>("zone");
    for (const char *locale : {"en_US", "de_DE", "zh_CN"}) {
        for (const char *zone : {"UTC", "Pacific/Tongatapu"}) { // UTC+13
            QTest::addRow("%s in %s", locale, zone) << QString::fromLatin1(locale) << QByteArray(zone);
        }
    }
}

void TestSandboxModel::sortsTimesAsInstants()
{
    QFETCH(QString, locale);
    QFETCH(QByteArray, zone);
    QLocale::setDefault(QLocale(locale));
    qputenv("TZ", zone);
    tzset();
    list({sandbox("second", "2030-01-10T08:00:00Z"), sandbox("third", "2030-02-01T23:59:00Z"),
          sandbox("first", "2030-01-02T09:00:00Z"), sandbox("unknown")});
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(m_model.get());
    proxy.setSortRole(SandboxModel::SortRole);
    const auto order = [&] {
        QStringList names;
        for (int row = 0; row < proxy.rowCount(); ++row)
            names.append(proxy.index(row, 0).data(SandboxModel::SandboxIdRole).toString());
        return names.join(u' ');
    };
    proxy.sort(SandboxModel::Age, Qt::AscendingOrder); // youngest first
    QCOMPARE(order(), QStringLiteral("third second first unknown"));
    proxy.sort(SandboxModel::Age, Qt::DescendingOrder);
    QCOMPARE(order(), QStringLiteral("unknown first second third"));
    QVERIFY(m_model->indexOf(id("first"), SandboxModel::Age)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QLatin1String("2030-01-02 09:00:00 UTC")));
    qunsetenv("TZ");
    tzset();
    QLocale::setDefault(QLocale::c());
}

void TestSandboxModel::namesWhatItShows()
{
    SandboxSummary named = sandbox("a", "2030-01-02T02:00:05Z");
    named.metadata = {{QStringLiteral("name"), QStringLiteral("crawler")},
                      {QStringLiteral("team"), QStringLiteral("x")}};
    named.templateId = {QStringLiteral("t1")};
    named.alias = QStringLiteral("old-alias");
    named.cpuCount = 2;
    named.memoryMB = 512;
    named.endAt = m_clock.time.addSecs(754);
    SandboxSummary plain = sandbox("b", "", SandboxState::Unknown);
    plain.rawState = QStringLiteral("defrosting");
    plain.templateId = {QStringLiteral("t2")};
    list({named, plain});
    QCOMPARE(text("a", SandboxModel::Name), QStringLiteral("crawler"));
    QCOMPARE(text("a", SandboxModel::State), QStringLiteral("Running"));
    QCOMPARE(text("a", SandboxModel::Template), QStringLiteral("old-alias"));
    QCOMPARE(text("a", SandboxModel::Age), QStringLiteral("1 h 04 min"));
    QCOMPARE(text("a", SandboxModel::TimeLeft), QStringLiteral("12 min"));
    QCOMPARE(text("a", SandboxModel::Metadata), QStringLiteral("name=crawler, team=x"));
    QCOMPARE(text("a", SandboxModel::Cpu), QStringLiteral("2"));
    QCOMPARE(text("b", SandboxModel::Name), QStringLiteral("b"));
    QCOMPARE(text("b", SandboxModel::State), QStringLiteral("defrosting"));
    QCOMPARE(text("b", SandboxModel::Template), QStringLiteral("t2"));
    QCOMPARE(text("b", SandboxModel::Age), QString());
    QCOMPARE(text("b", SandboxModel::TimeLeft), QString());
    QVERIFY(m_model->indexOf(id("a")).data(SandboxModel::FilterRole).toString().contains(QLatin1String("team=x")));

    TemplateSummary known;
    known.id = {QStringLiteral("t1")};
    known.names = {QStringLiteral("base")};
    m_templateAnswer = {known};
    QSignalSpy data(m_model.get(), &QAbstractItemModel::dataChanged);
    m_templates->start();
    QTRY_COMPARE(text("a", SandboxModel::Template), QStringLiteral("base"));
    QCOMPARE(data.count(), 1);
}

void TestSandboxModel::timePasses()
{
    SandboxSummary running = sandbox("a", "2030-01-02T03:04:00Z");
    running.endAt = m_clock.time.addSecs(40);
    SandboxSummary paused = sandbox("b", "", SandboxState::Paused);
    paused.endAt = m_clock.time.addSecs(-10);
    list({running, paused});
    QCOMPARE(text("a", SandboxModel::TimeLeft), QStringLiteral("40 s"));
    QCOMPARE(text("b", SandboxModel::TimeLeft), QString());
    QSignalSpy data(m_model.get(), &QAbstractItemModel::dataChanged);
    m_clock.time = m_clock.time.addSecs(10);
    QTRY_COMPARE(text("a", SandboxModel::TimeLeft), QStringLiteral("30 s"));
    QCOMPARE(text("a", SandboxModel::Age), QStringLiteral("15 s"));
    QCOMPARE(m_model->indexOf(id("a")).data(SandboxModel::SecondsLeftRole).toLongLong(), 30);
    QCOMPARE(data.count(), 1); // the paused one has nothing to announce
    m_clock.time = m_clock.time.addSecs(1000);
    QTRY_COMPARE(text("a", SandboxModel::TimeLeft), QStringLiteral("0 s"));
}

void TestSandboxModel::keepsOurOwnMarksToItself()
{
    SandboxSummary marked = sandbox("a");
    marked.metadata = {{QStringLiteral("boxdeck.create"), QStringLiteral("7d7a")},
                       {QStringLiteral("k"), QStringLiteral("v")}};
    list({marked});
    QCOMPARE(text("a", SandboxModel::Metadata), QStringLiteral("k=v"));
    QCOMPARE(m_model->indexOf(id("a")).data(SandboxModel::MetadataRole).toMap().size(), 1);
    QVERIFY(!m_model->indexOf(id("a")).data(SandboxModel::FilterRole).toString().contains(QLatin1String("7d7a")));
}

void TestSandboxModel::makesHostileTextHarmless()
{
    SandboxSummary hostile = sandbox("a");
    hostile.metadata = {{QStringLiteral("name"), QStringLiteral("a\nb") + QChar(0x202e) + QStringLiteral("gpj.exe")},
                        {QStringLiteral("big"), QString(1'000'000, u'x')}};
    list({hostile});
    const QString name = text("a", SandboxModel::Name);
    QVERIFY(!name.contains(u'\n') && !name.contains(QChar(0x202e)));
    QVERIFY(text("a", SandboxModel::Metadata).size() < 2000);
}

void TestSandboxModel::writesDurations_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("past") << qint64(-5) << QStringLiteral("0 s");
    QTest::newRow("seconds") << qint64(59) << QStringLiteral("59 s");
    QTest::newRow("a minute") << qint64(60) << QStringLiteral("1 min");
    QTest::newRow("minutes") << qint64(3599) << QStringLiteral("59 min");
    QTest::newRow("an hour") << qint64(3600) << QStringLiteral("1 h 00 min");
    QTest::newRow("hours") << qint64(86399) << QStringLiteral("23 h 59 min");
    QTest::newRow("days") << qint64(187200) << QStringLiteral("2 d 4 h");
}

void TestSandboxModel::writesDurations()
{
    QFETCH(qint64, seconds);
    QFETCH(QString, text);
    QCOMPARE(SandboxModel::durationText(seconds), text);
}

QTEST_GUILESS_MAIN(TestSandboxModel)
#include "tst_sandbox_model.moc"
