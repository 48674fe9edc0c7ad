// SPDX-License-Identifier: GPL-3.0-or-later
// What a workspace shows of a sandbox besides its files: log, metrics, snapshots; and forks of it. Over the real host.
#include "tests/support/waiting.h"
#include "tests/ui/desk.h"
#include "ui/metrics/line_chart.h"
#include "ui/sandboxes/sandboxes_pane.h"
#include "ui/shell/workspace_tabs.h"

#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

using namespace boxdeck;
using namespace boxdeck::ui;
using boxdeck::test::Desk;
using boxdeck::test::endHost;
using boxdeck::test::outcome;
using boxdeck::test::patience;
using protocol::SandboxId;

class TestSandboxPages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void theLogIsReadAndFiltered();
    void metricsAreDrawnAndSaid();
    void aSnapshotIsTakenUsedAndDeleted();
    void aSandboxIsForked();

private:
    template <typename Widget> Widget *in(const char *name) const
    {
        return m_workspace->findChild<Widget *>(QLatin1String(name));
    }
    void showTab(const char *page) { in<QTabWidget>("workspaceTop")->setCurrentWidget(in<QWidget>(page)); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Desk> m_desk;
    Workspace *m_workspace = nullptr;
    SandboxId m_id;
};

void TestSandboxPages::initTestCase()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<Desk>(m_dir->path());
    QVERIFY(m_desk->becomesReady());
    protocol::NewSandbox wanted;
    wanted.timeout = std::chrono::seconds(900);
    wanted.metadata.insert(QStringLiteral("name"), QStringLiteral("paged"));
    const auto access = outcome(m_desk->session()->create(wanted), std::chrono::minutes(1));
    QVERIFY2(access.has_value(), access ? "" : qPrintable(access.error().message));
    m_id = access->id;
    m_workspace = m_desk->find<WorkspaceTabs>("workspaces")->open(*m_desk->session(), m_id);
    QTRY_COMPARE_WITH_TIMEOUT(m_workspace->phase(), Workspace::Phase::Running, patience);
}

void TestSandboxPages::cleanupTestCase()
{
    m_desk.reset();
    endHost(m_dir->path());
    m_dir.reset();
}

void TestSandboxPages::theLogIsReadAndFiltered()
{
    showTab("logsPage");
    auto *view = in<QTreeView>("logsList");
    QTRY_VERIFY_WITH_TIMEOUT(view->isVisible() && view->model()->rowCount() > 0, patience);
    const int all = view->model()->rowCount();
    QTest::keyClicks(in<QLineEdit>("logsFind"), QStringLiteral("created from"));
    QCOMPARE(view->model()->rowCount(), 1);
    QTest::keyClicks(in<QLineEdit>("logsFind"), QStringLiteral(" nothing like it"));
    QVERIFY2(!view->isVisible(), "an empty log says why it is empty");
    in<QLineEdit>("logsFind")->clear();
    QVERIFY(view->model()->rowCount() >= all);
    // What happens from now on comes by itself while it is followed.
    QVERIFY(outcome(m_desk->session()->pause(m_id)).has_value());
    QVERIFY(outcome(m_desk->session()->resume(m_id, std::chrono::seconds(900))).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() >= all + 2, patience);
    QTRY_COMPARE_WITH_TIMEOUT(m_workspace->phase(), Workspace::Phase::Running, patience);
}

void TestSandboxPages::metricsAreDrawnAndSaid()
{
    showTab("metricsPage");
    auto *memory = in<LineChart>("metricsMemory");
    QTRY_VERIFY_WITH_TIMEOUT(memory->isVisible(), patience);
    QVERIFY2(memory->accessibleDescription().contains(QLatin1String("iB")),
             qPrintable(memory->accessibleDescription()));
    const QString latest = memory->accessibleDescription();
    memory->setFocus();
    QTest::keyClick(memory, Qt::Key_Home);
    QTest::keyClick(memory, Qt::Key_Escape);
    QVERIFY(!memory->accessibleDescription().isEmpty());
}

void TestSandboxPages::aSnapshotIsTakenUsedAndDeleted()
{
    showTab("snapshotsPage");
    auto *list = in<QTreeWidget>("snapshotsList");
    auto *take = in<QPushButton>("snapshotsTake");
    QTRY_VERIFY_WITH_TIMEOUT(take->isEnabled(), patience);
    QTest::keyClicks(in<QLineEdit>("snapshotsName"), QStringLiteral("after-setup"));
    take->click();
    QVERIFY2(!take->isEnabled(), "one at a time");
    QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 1, patience);
    QVERIFY(list->isVisible());
    QVERIFY(in<QLineEdit>("snapshotsName")->text().isEmpty());
    list->topLevelItem(0)->setSelected(true);

    in<QToolButton>("snapshotsUse")->click();
    auto *create = m_desk->find<QDialog>("newSandboxDialog");
    QTRY_VERIFY(create && create->isVisible());
    create->findChild<QPushButton *>(QStringLiteral("newSandboxCreate"))->click();
    auto *tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->count(), 2, patience);
    const SandboxId made = tabs->currentWorkspace()->sandboxId();
    QVERIFY(outcome(m_desk->session()->kill(made)).has_value());

    tabs->setCurrentWidget(m_workspace);
    list->topLevelItem(0)->setSelected(true);
    in<QToolButton>("snapshotsDelete")->click();
    auto *question = m_desk->window->findChild<QDialog *>(QStringLiteral("deleteSnapshot"));
    QTRY_VERIFY(question && question->isVisible());
    question->findChild<QPushButton *>(QStringLiteral("deleteSnapshotAccept"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 0, patience);
}

void TestSandboxPages::aSandboxIsForked()
{
    auto *view = m_desk->find<QTreeView>("sandboxesView");
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->session()->sandboxes().items().size() == 1, patience);
    view->setCurrentIndex(view->model()->index(0, 0));
    QAction *fork = m_desk->find<SandboxesPane>("sandboxesPane")->forkAction();
    QTRY_VERIFY_WITH_TIMEOUT(fork->isEnabled(), patience);
    fork->trigger();
    auto *dialog = m_desk->find<QDialog>("forkDialog");
    QVERIFY(dialog && dialog->isVisible());
    dialog->findChild<QSpinBox *>(QStringLiteral("forkCount"))->setValue(2);
    dialog->findChild<QPushButton *>(QStringLiteral("forkAccept"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->session()->sandboxes().items().size(), 3, patience);
}

QTEST_MAIN(TestSandboxPages)
#include "tst_sandbox_pages.moc"
