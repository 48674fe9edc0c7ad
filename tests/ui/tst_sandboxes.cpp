// SPDX-License-Identifier: GPL-3.0-or-later
// The list of sandboxes as a view shows it, over a store that a test feeds.
#include "backend/core/clock.h"
#include "backend/session/sandbox_store.h"
#include "models/sandbox_model.h"
#include "ui/common/style.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/lifetime_dialog.h"
#include "ui/sandboxes/pairs_editor.h"
#include "ui/sandboxes/sandbox_delegate.h"
#include "ui/sandboxes/sandbox_filter.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimeZone>
#include <QToolButton>
#include <QTreeView>

using namespace boxdeck;
using namespace boxdeck::ui;
using models::SandboxModel;
using protocol::SandboxId;
using protocol::SandboxState;
using protocol::SandboxSummary;

class TestSandboxes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(new Style); }
    void timesAreSortedAsInstants_data();
    void timesAreSortedAsInstants();
    void refreshMovesNeitherSelectionNorScrollNorSort();
    void filterWantsEveryWord();
    void leaseIsSaidWithItsUrgency_data();
    void leaseIsSaidWithItsUrgency();
    void namesAreSafeToShow();
    void pairsSayWhatIsWrong();
    void durationsKeepTheirUnit();
};

namespace {

/// A store whose list is whatever the test put into `items`.
struct Fed
{
    Fed()
        : store({.list = [this] { return Call<QList<SandboxSummary>>::settled(items); },
                 .detail =
                     [](const SandboxId &) {
                         return Call<protocol::SandboxDetail>::settled(
                             tl::unexpected(Error{.kind = ErrorKind::NotFound, .httpStatus = 404}));
                     },
                 .clockOffsetMs = [] { return std::optional<qint64>(0); }},
                clock)
    {
    }

    bool refresh()
    {
        QSignalSpy updated(&store, &session::SandboxStore::updated);
        if (store.hasLoaded())
            store.refresh();
        else
            store.start();
        return !updated.isEmpty() || updated.wait();
    }

    SystemClock clock;
    QList<SandboxSummary> items;
    session::SandboxStore store;
};

SandboxSummary sandbox(const QString &id, const QDateTime &startedAt = {}, const QString &name = {})
{
    SandboxSummary result;
    result.id = {id};
    result.templateId = {QStringLiteral("base")};
    result.state = SandboxState::Running;
    result.startedAt = startedAt;
    if (!name.isEmpty())
        result.metadata.insert(QStringLiteral("name"), name);
    return result;
}

QStringList idsOf(const QAbstractItemModel &model)
{
    QStringList ids;
    for (int row = 0; row < model.rowCount(); ++row)
        ids << model.index(row, 0).data(SandboxModel::SandboxIdRole).toString();
    return ids;
}

} // namespace

void TestSandboxes::timesAreSortedAsInstants_data()
{
    QTest::addColumn<QLocale>("locale");
    QTest::newRow("day first") << QLocale(QStringLiteral("de_DE"));
    QTest::newRow("month first, with am and pm") << QLocale(QStringLiteral("en_US"));
    QTest::newRow("Chinese") << QLocale(QStringLiteral("zh_CN"));
}

void TestSandboxes::timesAreSortedAsInstants()
{
    QFETCH(QLocale, locale);
    QLocale::setDefault(locale);
    // As texts, "10 Jan 08:00" comes before "2 Jan 09:00", and 1 February before both.
    const QTimeZone ahead(13 * 3600);
    Fed fed;
    fed.items = {sandbox(QStringLiteral("tenth"), QDateTime({2026, 1, 10}, {8, 0}, ahead)),
                 sandbox(QStringLiteral("february"), QDateTime({2026, 2, 1}, {23, 59}, ahead)),
                 sandbox(QStringLiteral("second"), QDateTime({2026, 1, 2}, {9, 0}, ahead))};
    SandboxModel model(fed.store, nullptr);
    SandboxFilter filter;
    filter.setSourceModel(&model);
    QVERIFY(fed.refresh());
    filter.sort(SandboxModel::Age, Qt::AscendingOrder); // youngest first
    const QStringList youngest = {QStringLiteral("february"), QStringLiteral("tenth"), QStringLiteral("second")};
    const QStringList oldest(youngest.rbegin(), youngest.rend());
    const QStringList shown = idsOf(filter);
    QVERIFY2(shown == youngest || shown == oldest, qPrintable(shown.join(u' ')));
    filter.sort(SandboxModel::Age, Qt::DescendingOrder);
    QCOMPARE(idsOf(filter), QStringList(shown.rbegin(), shown.rend()));
    // The tip tells the same instant in UTC, whatever zone it was told in.
    const QString tip = model.indexOf({QStringLiteral("second")}, SandboxModel::Age).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QLatin1String("2026-01-01")) && tip.contains(QLatin1String("20:00")), qPrintable(tip));
}

void TestSandboxes::refreshMovesNeitherSelectionNorScrollNorSort()
{
    Fed fed;
    const QDateTime start = QDateTime({2026, 3, 1}, {12, 0}, Qt::UTC);
    for (int i = 0; i < 200; ++i)
        fed.items << sandbox(QStringLiteral("id%1").arg(i, 3, 10, QLatin1Char('0')), start.addSecs(i),
                             QStringLiteral("n%1").arg(i, 3, 10, QLatin1Char('0')));
    SandboxModel model(fed.store, nullptr);
    SandboxFilter filter;
    filter.setSourceModel(&model);
    QTreeView view;
    view.setItemDelegate(new SandboxDelegate(&view));
    styleView(&view);
    view.setModel(&filter);
    view.setSortingEnabled(true);
    view.sortByColumn(SandboxModel::Name, Qt::AscendingOrder);
    view.resize(600, 300);
    view.show();
    QVERIFY(fed.refresh());
    const QModelIndex chosen = filter.mapFromSource(model.indexOf({QStringLiteral("id150")}));
    view.selectionModel()->setCurrentIndex(chosen, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    view.scrollTo(chosen, QAbstractItemView::PositionAtCenter);
    QTRY_VERIFY(view.verticalScrollBar()->value() > 0);
    const int scroll = view.verticalScrollBar()->value();
    const QRect place = view.visualRect(chosen);
    QVERIFY(place.height() >= kRowHeight);

    fed.items[150].metadata.insert(QStringLiteral("agent"), QStringLiteral("changed"));
    fed.items << sandbox(QStringLiteral("new"), start.addSecs(9999), QStringLiteral("zzz"));
    QVERIFY(fed.refresh());
    QTRY_COMPARE(filter.rowCount(), 201);
    QCOMPARE(view.currentIndex().data(SandboxModel::SandboxIdRole).toString(), QStringLiteral("id150"));
    QCOMPARE(view.selectionModel()->selectedRows().size(), 1);
    QCOMPARE(view.verticalScrollBar()->value(), scroll);
    QCOMPARE(view.visualRect(view.currentIndex()), place);
    QCOMPARE(idsOf(filter).first(), QStringLiteral("id000"));
    QCOMPARE(idsOf(filter).last(), QStringLiteral("new"));
}

void TestSandboxes::filterWantsEveryWord()
{
    Fed fed;
    fed.items = {sandbox(QStringLiteral("a1"), {}, QStringLiteral("Trainer one")),
                 sandbox(QStringLiteral("a2"), {}, QStringLiteral("trainer two")),
                 sandbox(QStringLiteral("b1"), {}, QStringLiteral("web"))};
    fed.items[2].state = SandboxState::Paused;
    SandboxModel model(fed.store, nullptr);
    SandboxFilter filter;
    filter.setSourceModel(&model);
    QVERIFY(fed.refresh());
    filter.setWords(QStringLiteral("TRAINER"));
    QCOMPARE(filter.rowCount(), 2);
    filter.setWords(QStringLiteral("  two trainer "));
    QCOMPARE(idsOf(filter), QStringList(QStringLiteral("a2")));
    filter.setWords({});
    filter.setState(int(SandboxState::Paused));
    QCOMPARE(idsOf(filter), QStringList(QStringLiteral("b1")));
    QVERIFY(filter.isFiltering());
}

void TestSandboxes::leaseIsSaidWithItsUrgency_data()
{
    QTest::addColumn<int>("secondsLeft"); // -1: no end
    QTest::addColumn<int>("token");
    QTest::addColumn<QString>("text");
    QTest::newRow("no end") << -1 << int(Token::Text) << QStringLiteral("no limit");
    QTest::newRow("calm") << 301 << int(Token::Text) << QStringLiteral("5 min 01 s");
    QTest::newRow("five minutes") << 300 << int(Token::Warning) << QStringLiteral("5 min 00 s");
    QTest::newRow("just above a minute") << 61 << int(Token::Warning) << QStringLiteral("1 min 01 s");
    QTest::newRow("one minute") << 60 << int(Token::Danger) << QStringLiteral("1 min 00 s");
    QTest::newRow("over") << 0 << int(Token::Danger) << QStringLiteral("ending");
}

void TestSandboxes::leaseIsSaidWithItsUrgency()
{
    QFETCH(int, secondsLeft);
    QFETCH(int, token);
    QFETCH(QString, text);
    QLocale::setDefault(QLocale::c());
    const auto left = secondsLeft < 0 ? std::nullopt : std::optional<qint64>(secondsLeft);
    QCOMPARE(int(timeLeftToken(left)), token);
    QCOMPARE(timeLeftText(sandbox(QStringLiteral("x")), left), text);
    SandboxSummary paused = sandbox(QStringLiteral("x"));
    paused.state = SandboxState::Paused;
    QCOMPARE(timeLeftText(paused, left), QStringLiteral("–"));
}

void TestSandboxes::namesAreSafeToShow()
{
    const auto hostile = sandbox(QStringLiteral("id"), {}, QStringLiteral("a\u202Egnp.sh\nb\x1b[31m"));
    const QString name = sandboxName(hostile);
    QVERIFY(!name.contains(QChar(0x202E)) && !name.contains(QLatin1Char('\n')) && !name.contains(QChar(0x1b)));
    QCOMPARE(sandboxName(sandbox(QStringLiteral("only-id"))), QStringLiteral("only-id"));
}

void TestSandboxes::pairsSayWhatIsWrong()
{
    PairsEditor editor(QStringLiteral("e"), QStringLiteral("Variable"), QStringLiteral("Value"),
                       PairsEditor::Names::Environment);
    const auto type = [&editor](const char *field, const QString &text) {
        editor.findChild<QLineEdit *>(QLatin1String(field))->setText(text);
    };
    QVERIFY(editor.problem().isEmpty());
    type("eKey0", QStringLiteral("PATH_2"));
    type("eValue0", QStringLiteral("a=b c"));
    QVERIFY(editor.problem().isEmpty());
    QCOMPARE(editor.pairs(), (QMap<QString, QString>{{QStringLiteral("PATH_2"), QStringLiteral("a=b c")}}));
    type("eKey1", QStringLiteral("2BAD"));
    QVERIFY(editor.problem().contains(QLatin1String("2BAD")));
    type("eKey1", QStringLiteral("PATH_2"));
    QVERIFY(editor.problem().contains(QLatin1String("twice")));
    type("eKey1", {});
    type("eValue1", QStringLiteral("orphan"));
    QVERIFY(editor.problem().contains(QLatin1String("orphan")));
    editor.findChild<QToolButton *>(QStringLiteral("eRemove1"))->click();
    QVERIFY(editor.problem().isEmpty());
}

void TestSandboxes::durationsKeepTheirUnit()
{
    DurationEdit edit(QStringLiteral("d"), QStringLiteral("How long"));
    for (const int seconds : {1, 45, 60, 300, 3600, 7200, 5400, 86400}) {
        edit.setDuration(std::chrono::seconds(seconds));
        QCOMPARE(edit.duration().count(), seconds);
    }
    edit.setDuration(std::chrono::seconds(0));
    QCOMPARE(edit.duration().count(), 1);
}

QTEST_MAIN(TestSandboxes)
#include "tst_sandboxes.moc"
