// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/template_model.h"
#include "tests/support/fake_clock.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::models;
using namespace boxdeck::protocol;
using boxdeck::session::TemplateStore;

namespace {

TemplateSummary entry(const char *id, BuildStatus status = BuildStatus::Ready)
{
    TemplateSummary summary;
    summary.id = {QString::fromLatin1(id)};
    summary.buildId = {QStringLiteral("build-") + summary.id.value};
    summary.buildStatus = status;
    return summary;
}

} // namespace

class TestTemplateModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void rowsComeChangeAndGoOneByOne();
    void tellsTheBuildStatus_data();
    void tellsTheBuildStatus();
    void knowsWhatToCreateFrom();
    void sortsByValue();

private:
    void list(const QList<TemplateSummary> &templates);

    test::FakeClock m_clock;
    QList<TemplateSummary> m_answer;
    std::unique_ptr<TemplateModel> m_model;
    std::unique_ptr<TemplateStore> m_store;
};

void TestTemplateModel::init()
{
    m_model.reset();
    m_answer.clear();
    m_store =
        std::make_unique<TemplateStore>([this] { return Call<QList<TemplateSummary>>::settled(m_answer); }, m_clock);
    m_store->start();
    m_model = std::make_unique<TemplateModel>(*m_store);
    new QAbstractItemModelTester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_model.get());
}

void TestTemplateModel::list(const QList<TemplateSummary> &templates)
{
    m_answer = templates;
    QTRY_VERIFY(!m_store->loading());
    QSignalSpy updated(m_store.get(), &TemplateStore::updated);
    m_store->refresh();
    QTRY_VERIFY(updated.count() > 0);
    QCOMPARE(m_model->rowCount(), templates.size());
}

void TestTemplateModel::rowsComeChangeAndGoOneByOne()
{
    list({entry("a"), entry("b"), entry("c")});
    QSignalSpy reset(m_model.get(), &QAbstractItemModel::modelReset);
    QSignalSpy data(m_model.get(), &QAbstractItemModel::dataChanged);
    const QPersistentModelIndex chosen = m_model->indexOf({QStringLiteral("b")});
    list({entry("new"), entry("b", BuildStatus::Building), entry("c")});
    QVERIFY(chosen.isValid());
    QCOMPARE(m_model->templateAt(chosen)->buildStatus, BuildStatus::Building);
    QCOMPARE(data.count(), 1);
    QCOMPARE(reset.count(), 0);
    list({});
    QVERIFY(!chosen.isValid());
}

void TestTemplateModel::tellsTheBuildStatus_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("olderBuildBoots");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("spawnable");
    QTest::newRow("ready") << int(BuildStatus::Ready) << true << QStringLiteral("Ready") << true;
    QTest::newRow("first build") << int(BuildStatus::Building) << false << QStringLiteral("Building") << false;
    QTest::newRow("rebuild") << int(BuildStatus::Building) << true << QStringLiteral("Rebuilding") << true;
    QTest::newRow("waiting") << int(BuildStatus::Waiting) << false << QStringLiteral("Waiting") << false;
    QTest::newRow("failed") << int(BuildStatus::Error) << false << QStringLiteral("Failed") << false;
    QTest::newRow("failed again") << int(BuildStatus::Error) << true << QStringLiteral("Rebuild failed") << true;
}

void TestTemplateModel::tellsTheBuildStatus()
{
    QFETCH(int, status);
    QFETCH(bool, olderBuildBoots);
    QFETCH(QString, text);
    QFETCH(bool, spawnable);
    TemplateSummary summary = entry("a", BuildStatus(status));
    if (!olderBuildBoots)
        summary.buildId = {};
    list({summary});
    QCOMPARE(m_model->index(0, TemplateModel::Build).data().toString(), text);
    QCOMPARE(m_model->index(0, 0).data(TemplateModel::SpawnableRole).toBool(), spawnable);
}

void TestTemplateModel::knowsWhatToCreateFrom()
{
    TemplateSummary named = entry("a");
    named.names = {QStringLiteral("team/base")};
    TemplateSummary aliased = entry("b");
    aliased.aliases = {QStringLiteral("old")};
    list({named, aliased, entry("c")});
    const auto createName = [&](int row) {
        return m_model->index(row, 0).data(TemplateModel::CreateNameRole).toString();
    };
    QCOMPARE(createName(0), QStringLiteral("team/base"));
    QCOMPARE(createName(1), QStringLiteral("old"));
    QCOMPARE(createName(2), QStringLiteral("c"));
}

void TestTemplateModel::sortsByValue()
{
    QList<TemplateSummary> templates{entry("a"), entry("b"), entry("c")};
    templates[0].spawnCount = 9;
    templates[1].spawnCount = 1000;
    templates[2].spawnCount = 30;
    templates[0].updatedAt = QDateTime::fromString(QStringLiteral("2030-01-10T08:00:00Z"), Qt::ISODate);
    templates[1].updatedAt = QDateTime::fromString(QStringLiteral("2030-02-01T08:00:00Z"), Qt::ISODate);
    list(templates);
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(m_model.get());
    proxy.setSortRole(TemplateModel::SortRole);
    const auto order = [&] {
        QString names;
        for (int row = 0; row < proxy.rowCount(); ++row)
            names += proxy.index(row, 0).data(TemplateModel::TemplateIdRole).toString();
        return names;
    };
    proxy.sort(TemplateModel::Used, Qt::DescendingOrder);
    QCOMPARE(order(), QStringLiteral("bca"));
    proxy.sort(TemplateModel::Updated, Qt::DescendingOrder);
    QCOMPARE(order(), QStringLiteral("bac"));
}

QTEST_GUILESS_MAIN(TestTemplateModel)
#include "tst_template_model.moc"
