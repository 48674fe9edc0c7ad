// SPDX-License-Identifier: GPL-3.0-or-later
// The file pane and the transfers pane as people use them, against a real sandbox. BOXDECK_PICTURES names a folder for
// pictures of both panes.
#include "backend/core/clock.h"
#include "models/transfer_model.h"
#include "tests/support/real_host.h"
#include "tests/support/waiting.h"
#include "ui/common/theme.h"
#include "ui/files/file_view.h"
#include "ui/files/files_pane.h"
#include "ui/files/path_bar.h"
#include "ui/transfers/transfers_pane.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialog>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>
#include <QTimer>
#include <QVBoxLayout>

using namespace boxdeck;
using namespace boxdeck::ui;
using protocol::SandboxState;

namespace {

RemotePath remote(const QByteArray &path)
{
    return RemotePath::parse(path).value();
}

} // namespace

class TestFilesPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();

    void listsAndNavigatesByKeyboard();
    void isLive();
    void typedPathsAndMissingFolders();
    void aFolderThatVanishesLeadsUp();
    void dropOnAFolderUploadsIntoIt();
    void newFolderIsNamedInPlace();
    void renameNeverOverwrites();
    void deleteActsOnWhatTheQuestionNamed();
    void brokenLinksAreMarkedAndOthersStay();
    void hostileNamesAreOnlyText();
    void hiddenFilesAndSearch();
    void previewShowsTextAndSaysBinary();
    void saveBringsFilesToThisComputer();
    void copiesPathsAndOpensATerminal();
    void conflictIsAskedInThePane();
    void aHugeFolderFreezesNothing();
    void everyControlHasNames();
    void lookingDoesNotWakeAPausedSandbox();
    void anEndedSandboxIsSaid();

private:
    models::RemoteFolderModel &model() const { return *qobject_cast<models::RemoteFolderModel *>(view().model()); }
    FileView &view() const { return *m_pane->findChild<FileView *>(QStringLiteral("filesList")); }
    template <typename T> T *find(const char *name) const { return m_window->findChild<T *>(QLatin1String(name)); }
    QStringList names() const;
    bool shows(const QStringList &wanted) const
    {
        return test::eventually([&] { return names() == wanted; }, std::chrono::seconds(15));
    }
    void run(const QString &commandLine) { QVERIFY(m_host->run(*m_envd, commandLine)); }
    QString text(const char *label) const { return find<QLabel>(label)->text(); }
    QString emptyText() const;
    QString errorText() const;
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        // Shortcuts go where the focus is, and a dialog that closed has not given it back yet.
        m_window->activateWindow();
        view().setFocus();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(&view(), Qt::Key(key), modifiers);
    }
    /// The line a name is typed into, not one that was closed and is about to be deleted.
    QLineEdit *renameLine() const
    {
        for (QLineEdit *line : m_window->findChildren<QLineEdit *>(QStringLiteral("filesRenameLine"))) {
            if (line->isVisible())
                return line;
        }
        return nullptr;
    }
    void select(const QByteArray &name) { view().select(name); }
    QDialog *dialog(const char *name) const;
    void answer(const char *button) const;
    void picture(const char *name) const;
    transfer::TransferInfo lastTransfer() const;
    bool transferEnds(transfer::JobState state) const
    {
        return test::eventually([&] { return lastTransfer().state == state; });
    }

    SystemClock m_clock;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<test::RealHost> m_host;
    std::shared_ptr<api::Envd> m_envd;
    std::unique_ptr<session::Session> m_session;
    std::unique_ptr<transfer::TransferEngine> m_engine;
    std::unique_ptr<models::TransferModel> m_transfers;
    std::unique_ptr<QWidget> m_window;
    FilesPane *m_pane = nullptr;
    TransfersPane *m_transfersPane = nullptr;
    std::unique_ptr<QTemporaryDir> m_dir;
    QByteArray m_folder;
    int m_number = 0;
};

void TestFilesPane::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp, SchemeChoice::Light);
    m_host = std::make_unique<test::RealHost>();
    QVERIFY2(m_host->isUp(), qPrintable(m_host->failure()));
    m_envd = m_host->newSandbox(
        {.timeout = std::chrono::seconds(3600), .metadata = {{QStringLiteral("name"), QStringLiteral("web-1")}}});
    QVERIFY2(m_envd, qPrintable(m_host->failure()));
    auto profile = session::ConnectionProfile::selfHosted(QStringLiteral("test"), m_host->process().endpoint().apiUrl);
    profile.sandboxUrl = m_host->process().endpoint().sandboxUrl;
    m_session =
        std::make_unique<session::Session>(profile, m_host->process().endpoint().apiKey, m_host->transport(), m_clock);
    m_session->start();
    QVERIFY(test::eventually([&] { return m_session->sandboxes().find(m_envd->target().id).has_value(); }));
    m_engine = std::make_unique<transfer::TransferEngine>(m_clock);
    m_transfers = std::make_unique<models::TransferModel>(*m_engine);
}

void TestFilesPane::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_folder = "/home/user/t" + QByteArray::number(++m_number);
    QVERIFY(test::outcome(m_envd->filesystem().makeDir(remote(m_folder))).has_value());
    m_window = std::make_unique<QWidget>();
    auto *layout = new QVBoxLayout(m_window.get());
    layout->setContentsMargins(0, 0, 0, 0);
    m_pane = new FilesPane(*m_session, m_envd->target().id, *m_engine, m_window.get());
    m_transfersPane = new TransfersPane(*m_transfers, *m_engine, m_window.get());
    layout->addWidget(m_pane, 2);
    layout->addWidget(m_transfersPane, 1);
    m_window->resize(1100, 760);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_pane->openFolder(remote(m_folder));
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder); }));
}

void TestFilesPane::cleanup()
{
    for (const transfer::TransferId id : m_engine->ids())
        m_engine->remove(id);
    m_window.reset();
}

void TestFilesPane::cleanupTestCase()
{
    m_transfers.reset();
    m_engine.reset();
    m_session.reset();
    m_envd.reset();
    m_host.reset();
    m_theme.reset();
}

QStringList TestFilesPane::names() const
{
    QStringList all;
    for (int row = 0; row < model().rowCount(); ++row)
        all.append(model().index(row, 0).data().toString());
    return all;
}

QString TestFilesPane::emptyText() const
{
    QStringList texts;
    const auto *empty = find<QWidget>("filesEmpty");
    if (!empty->isVisible())
        return {};
    for (const QLabel *label : empty->findChildren<QLabel *>())
        texts.append(label->text());
    return texts.join(QLatin1Char(' '));
}

QString TestFilesPane::errorText() const
{
    QStringList texts;
    const auto *bar = find<QWidget>("filesError");
    if (!bar->isVisible())
        return {};
    for (const QLabel *label : bar->findChildren<QLabel *>())
        texts.append(label->text());
    return texts.join(QLatin1Char(' '));
}

QDialog *TestFilesPane::dialog(const char *name) const
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (widget->objectName() == QLatin1String(name) && widget->isVisible())
            return qobject_cast<QDialog *>(widget);
    }
    return nullptr;
}

void TestFilesPane::answer(const char *button) const
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (auto *found = widget->findChild<QPushButton *>(QLatin1String(button)); found && found->isVisible()) {
            QTest::mouseClick(found, Qt::LeftButton);
            return;
        }
    }
    QFAIL(button);
}

void TestFilesPane::picture(const char *name) const
{
    const QString folder = qEnvironmentVariable("BOXDECK_PICTURES");
    if (folder.isEmpty())
        return;
    for (const auto scheme : {SchemeChoice::Light, SchemeChoice::Dark}) {
        m_theme->setChoice(scheme);
        test::eventually([] { return false; }, std::chrono::milliseconds(150)); // everything has repainted
        m_window->grab().save(
            folder + QLatin1Char('/') + QLatin1String(name) +
            (scheme == SchemeChoice::Dark ? QLatin1String("-dark.png") : QLatin1String("-light.png")));
    }
    m_theme->setChoice(SchemeChoice::Light);
}

transfer::TransferInfo TestFilesPane::lastTransfer() const
{
    const auto ids = m_engine->ids();
    return ids.isEmpty() ? transfer::TransferInfo() : m_engine->info(ids.last()).value();
}

void TestFilesPane::listsAndNavigatesByKeyboard()
{
    run(QStringLiteral("cd %1 && mkdir -p src/deep docs && echo hi > README.md && echo x > file10 && echo x > file9")
            .arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("docs"), QStringLiteral("src"), QStringLiteral("file9"), QStringLiteral("file10"),
                   QStringLiteral("README.md")}));
    picture("files-list");
    view().setFocus();
    select("src");
    press(Qt::Key_Return);
    QVERIFY(shows({QStringLiteral("deep")}));
    QCOMPARE(m_pane->folder(), remote(m_folder + "/src"));
    press(Qt::Key_Up, Qt::AltModifier);
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder); }));
    // Where one came from is where one is.
    QVERIFY(test::eventually([&] { return view().currentEntry() && view().currentEntry()->name == "src"; }));
    press(Qt::Key_Left, Qt::AltModifier);
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder + "/src"); }));
    press(Qt::Key_Right, Qt::AltModifier);
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder); }));
    QVERIFY(text("filesSummary").contains(QStringLiteral("5")));
}

void TestFilesPane::isLive()
{
    QVERIFY(test::eventually([&] { return !emptyText().isEmpty(); }));
    picture("files-empty");
    run(QStringLiteral("cd %1 && echo 1 > made-elsewhere").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("made-elsewhere")}));
    select("made-elsewhere");
    run(QStringLiteral("cd %1 && for i in $(seq 200); do echo $i > n$i; done").arg(QString::fromUtf8(m_folder)));
    QVERIFY(test::eventually([&] { return model().rowCount() == 201; }));
    // What was selected still is.
    QCOMPARE(view().selectedEntries().size(), 1);
    QCOMPARE(view().selectedEntries().first().name, QByteArray("made-elsewhere"));
    run(QStringLiteral("cd %1 && rm n* && echo longer > made-elsewhere").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("made-elsewhere")}));
    QVERIFY(test::eventually([&] { return view().currentEntry()->size == 7; }));
}

void TestFilesPane::typedPathsAndMissingFolders()
{
    run(QStringLiteral("mkdir -p '%1/with space'").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("with space")}));
    press(Qt::Key_L, Qt::ControlModifier);
    auto *line = find<QLineEdit>("filesPathLine");
    QVERIFY(line->isVisible());
    QCOMPARE(line->text(), QString::fromUtf8(m_folder));
    line->setText(QString::fromUtf8(m_folder) + QStringLiteral("/with space/"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder + "/with space"); }));
    m_pane->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_L, Qt::ControlModifier);
    line->setText(QString::fromUtf8(m_folder) + QStringLiteral("/not there"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(test::eventually([&] { return errorText().contains(QStringLiteral("not there")); }));
    QCOMPARE(m_pane->folder(), remote(m_folder + "/with space"));
    QVERIFY(test::eventually([&] { return emptyText().contains(QStringLiteral("empty")); }));
    test::eventually([] { return false; }, std::chrono::milliseconds(300)); // the list of the old folder comes again
    QVERIFY(errorText().contains(QStringLiteral("not there")));             // and takes no answer away unread
    // With nothing to show the keyboard still works here.
    m_pane->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_L, Qt::ControlModifier);
    QVERIFY(line->isVisible());
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(find<PathBar>("filesPath")->path(), remote(m_folder + "/with space"));
    picture("files-failing");
    m_pane->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_L, Qt::ControlModifier);
    line->setText(QStringLiteral("relative"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(errorText().contains(QStringLiteral("relative")));
}

void TestFilesPane::aFolderThatVanishesLeadsUp()
{
    run(QStringLiteral("mkdir %1/gone").arg(QString::fromUtf8(m_folder)));
    m_pane->openFolder(remote(m_folder + "/gone"));
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder + "/gone"); }));
    run(QStringLiteral("rmdir %1/gone").arg(QString::fromUtf8(m_folder)));
    find<QAction>("filesRefresh")->trigger();
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder); }));
}

void TestFilesPane::dropOnAFolderUploadsIntoIt()
{
    run(QStringLiteral("mkdir %1/inbox").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("inbox")}));
    const QString name = QStringLiteral("a#b [1] 100%.txt");
    QFile file(m_dir->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("dropped");
    file.close();
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(file.fileName())});
    const auto drop = [&](const QPoint &at) {
        QWidget *port = view().viewport();
        QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(port, &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(port, &move);
        QVERIFY(move.isAccepted());
        QDropEvent event(QPointF(at), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(port, &event);
        QVERIFY(event.isAccepted());
    };
    drop(view().visualRect(model().indexOf("inbox")).center());
    QVERIFY(transferEnds(transfer::JobState::Done));
    QCOMPARE(test::outcome(m_envd->files().readSmall(remote(m_folder + "/inbox/" + name.toUtf8()), 100)).value(),
             QByteArray("dropped"));
    drop(QPoint(40, view().viewport()->height() - 4)); // beside the rows: into the folder shown
    QVERIFY(shows({QStringLiteral("inbox"), name}));
}

void TestFilesPane::newFolderIsNamedInPlace()
{
    find<QAction>("filesNewFolder")->trigger();
    QVERIFY(test::eventually([&] { return renameLine() != nullptr; }));
    auto *line = renameLine();
    QCOMPARE(line->text(), QStringLiteral("New folder"));
    line->setText(QStringLiteral("build"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(shows({QStringLiteral("build")}));
    QVERIFY(test::eventually([&] { return view().currentEntry() && view().currentEntry()->name == "build"; }));
    QVERIFY(test::outcome(m_envd->filesystem().stat(remote(m_folder + "/build")))->isDirectory());
}

void TestFilesPane::renameNeverOverwrites()
{
    run(QStringLiteral("cd %1 && echo a > a && echo b > b").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("a"), QStringLiteral("b")}));
    const auto rename = [&](const QByteArray &from, const QString &to) {
        view().setFocus();
        select(from);
        press(Qt::Key_F2);
        auto *line = renameLine();
        QVERIFY(line);
        line->setText(to);
        QTest::keyClick(line, Qt::Key_Return);
    };
    rename("a", QStringLiteral("b"));
    QVERIFY(test::eventually([&] { return errorText().contains(QStringLiteral("not renamed")); }));
    QCOMPARE(names(), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    rename("a", QStringLiteral("c/d"));
    QVERIFY(test::eventually([&] { return errorText().contains(QStringLiteral("slash")); }));
    rename("a", QStringLiteral("report%20c.txt"));
    QVERIFY(shows({QStringLiteral("b"), QStringLiteral("report%20c.txt")}));
    QCOMPARE(test::outcome(m_envd->files().readSmall(remote(m_folder + "/report%20c.txt"), 10)).value(),
             QByteArray("a\n"));
}

void TestFilesPane::deleteActsOnWhatTheQuestionNamed()
{
    run(QStringLiteral("cd %1 && touch b c && mkdir d && touch d/e").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("d"), QStringLiteral("b"), QStringLiteral("c")}));
    view().setFocus();
    select("c");
    press(Qt::Key_Delete);
    QVERIFY(dialog("filesDeleteQuestion"));
    // Rows move while the question is open.
    run(QStringLiteral("cd %1 && rm b && touch a aa").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("d"), QStringLiteral("a"), QStringLiteral("aa"), QStringLiteral("c")}));
    answer("filesDeleteQuestionAccept");
    QVERIFY(shows({QStringLiteral("d"), QStringLiteral("a"), QStringLiteral("aa")}));
    view().selectAll();
    press(Qt::Key_Delete);
    QVERIFY(dialog("filesDeleteQuestion"));
    answer("filesDeleteQuestionCancel");
    QCOMPARE(model().rowCount(), 3);
    press(Qt::Key_Delete);
    answer("filesDeleteQuestionAccept");
    QVERIFY(shows({}));
}

void TestFilesPane::brokenLinksAreMarkedAndOthersStay()
{
    run(QStringLiteral("cd %1 && echo good > good && ln -s nowhere dangling && ln -s loop loop && mkdir locked && "
                       "chmod 0 locked && ln -s locked to-locked")
            .arg(QString::fromUtf8(m_folder)));
    QVERIFY(test::eventually([&] { return model().rowCount() == 5; }));
    const auto broken = [&](const char *name) {
        return model().indexOf(name).data(models::RemoteFolderModel::IsBrokenRole).toBool();
    };
    QVERIFY(broken("dangling"));
    QVERIFY(broken("loop"));
    QVERIFY(!broken("good"));
    QVERIFY(!broken("to-locked"));
    picture("files-links");
    select("dangling");
    press(Qt::Key_Return);
    QVERIFY(errorText().contains(QStringLiteral("leads nowhere")));
    QCOMPARE(model().rowCount(), 5);
}

void TestFilesPane::hostileNamesAreOnlyText()
{
    run(QStringLiteral("cd %1 && touch \"$(printf 'a\\033[2Jb')\" '<b>bold' \"$(printf 'exe\\342\\200\\256txt')\"")
            .arg(QString::fromUtf8(m_folder)));
    QVERIFY(test::eventually([&] { return model().rowCount() == 3; }));
    const QStringList shown = names();
    QVERIFY(shown.contains(QStringLiteral("a\\u001b[2Jb")));
    QVERIFY(shown.contains(QStringLiteral("<b>bold")));
    QVERIFY(shown.contains(QStringLiteral("exe\\u202etxt")));
    // Deleting by such a name hits exactly that file.
    view().selectAll();
    press(Qt::Key_Delete);
    answer("filesDeleteQuestionAccept");
    QVERIFY(shows({}));
}

void TestFilesPane::hiddenFilesAndSearch()
{
    run(QStringLiteral("cd %1 && touch .env visible other").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("other"), QStringLiteral("visible")}));
    find<QAction>("filesHidden")->trigger();
    QVERIFY(shows({QStringLiteral(".env"), QStringLiteral("other"), QStringLiteral("visible")}));
    press(Qt::Key_F, Qt::ControlModifier);
    auto *filter = find<QLineEdit>("filesFilter");
    QVERIFY(filter->isVisible());
    QTest::keyClicks(filter, QStringLiteral("VIS"));
    QVERIFY(shows({QStringLiteral("visible")}));
    filter->clear();
    QVERIFY(shows({QStringLiteral(".env"), QStringLiteral("other"), QStringLiteral("visible")}));
}

void TestFilesPane::previewShowsTextAndSaysBinary()
{
    run(QStringLiteral("cd %1 && printf 'hello\\nworld\\n' > text && printf '\\211PNG\\000\\377' > pic && "
                       "head -c 3000000 /dev/zero | tr '\\0' x > large")
            .arg(QString::fromUtf8(m_folder)));
    QVERIFY(test::eventually([&] { return model().rowCount() == 3; }));
    const auto open = [&](const QByteArray &name) {
        select(name);
        press(Qt::Key_Return);
        return dialog("filePreview");
    };
    QDialog *preview = open("text");
    QVERIFY(preview);
    auto *content = preview->findChild<QPlainTextEdit *>(QStringLiteral("previewText"));
    QVERIFY(test::eventually([&] { return content->toPlainText() == QStringLiteral("hello\nworld\n"); }));
    delete preview;
    const auto says = [&](const char *word) {
        QStringList texts;
        for (const QLabel *label : dialog("filePreview")->findChildren<QLabel *>())
            texts.append(label->text());
        return texts.join(QLatin1Char(' ')).contains(QLatin1String(word));
    };
    preview = open("pic");
    QVERIFY(test::eventually([&] { return says("binary"); }));
    delete preview;
    preview = open("large");
    QVERIFY(test::eventually([&] { return says("too large"); }));
    delete preview;
}

void TestFilesPane::saveBringsFilesToThisComputer()
{
    run(QStringLiteral("cd %1 && mkdir -p p/q && echo 1 > p/q/one && echo 2 > two").arg(QString::fromUtf8(m_folder)));
    QVERIFY(test::eventually([&] { return model().rowCount() == 2; }));
    view().selectAll();
    press(Qt::Key_S, Qt::ControlModifier);
    QDialog *chooser = dialog("filesSaveDialog");
    QVERIFY(chooser);
    auto *files = qobject_cast<QFileDialog *>(chooser);
    files->setDirectory(m_dir->path());
    Q_EMIT files->fileSelected(m_dir->path());
    files->close();
    QVERIFY(transferEnds(transfer::JobState::Done));
    QFile one(m_dir->filePath(QStringLiteral("p/q/one")));
    QVERIFY(one.open(QIODevice::ReadOnly));
    QCOMPARE(one.readAll(), QByteArray("1\n"));
    QVERIFY(QFile::exists(m_dir->filePath(QStringLiteral("two"))));
    picture("transfers-done");
}

void TestFilesPane::copiesPathsAndOpensATerminal()
{
    run(QStringLiteral("cd %1 && touch 'x y'").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("x y")}));
    view().setFocus();
    select("x y");
    press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString::fromUtf8(m_folder) + QStringLiteral("/x y"));
    QSignalSpy terminal(m_pane, &FilesPane::openTerminalHere);
    find<QAction>("filesTerminal")->trigger();
    QCOMPARE(terminal.size(), 1);
    QCOMPARE(terminal.first().first().value<RemotePath>(), remote(m_folder));
}

void TestFilesPane::conflictIsAskedInThePane()
{
    run(QStringLiteral("cd %1 && echo old > same && echo old > same2").arg(QString::fromUtf8(m_folder)));
    QStringList paths;
    for (const QString &name : {QStringLiteral("same"), QStringLiteral("same2"), QStringLiteral("fresh")}) {
        QFile file(m_dir->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("from here");
        paths.append(file.fileName());
    }
    m_pane->uploadFiles(paths);
    QVERIFY(transferEnds(transfer::JobState::Conflict));
    auto *bar = find<QWidget>("conflictBar");
    QVERIFY(test::eventually([&] { return bar->isVisible(); }));
    QVERIFY(text("conflictText").contains(QStringLiteral("same")));
    picture("transfers-conflict");
    QTest::mouseClick(find<QCheckBox>("conflictRest"), Qt::LeftButton, {}, QPoint(8, 8));
    QTest::mouseClick(find<QPushButton>("conflictRename"), Qt::LeftButton);
    QVERIFY(transferEnds(transfer::JobState::Done));
    QVERIFY(!bar->isVisible());
    QVERIFY(shows({QStringLiteral("fresh"), QStringLiteral("same"), QStringLiteral("same (2)"), QStringLiteral("same2"),
                   QStringLiteral("same2 (2)")}));
    // A failed one says why and can be tried again.
    m_pane->uploadFiles({m_dir->filePath(QStringLiteral("nothing here"))});
    QVERIFY(transferEnds(transfer::JobState::Failed));
    auto *list = find<QAbstractItemView>("transfersList");
    list->setCurrentIndex(m_transfers->index(m_transfers->rowCount() - 1, 0));
    QVERIFY(text("transfersSummary").contains(QStringLiteral("not there any more")));
    QVERIFY(find<QAction>("transfersRetry")->isEnabled());
    picture("transfers-failed");
    find<QAction>("transfersClear")->trigger();
    QCOMPARE(m_transfers->rowCount(), 1);
}

void TestFilesPane::aHugeFolderFreezesNothing()
{
    run(QStringLiteral("mkdir %1/huge && cd %1/huge && seq 100000 | xargs touch").arg(QString::fromUtf8(m_folder)));
    QElapsedTimer since;
    qint64 longest = 0; // for how long the event loop was held up
    QTimer heart;
    connect(&heart, &QTimer::timeout, this, [&] { longest = qMax(longest, since.restart()); });
    since.start();
    heart.start(1);
    QElapsedTimer time;
    time.start();
    m_pane->openFolder(remote(m_folder + "/huge"));
    QVERIFY(test::eventually([&] { return model().rowCount() == 100000; }));
    const qint64 shown = time.elapsed();
    const qint64 opening = std::exchange(longest, 0);
    view().sortByColumn(models::RemoteFolderModel::Modified, Qt::DescendingOrder);
    QSignalSpy settled(&model(), &models::RemoteFolderModel::settled);
    QVERIFY(settled.wait(20000));
    view().scrollToBottom();
    QVERIFY(
        test::eventually([&] { return view().verticalScrollBar()->value() == view().verticalScrollBar()->maximum(); }));
    const qint64 sorting = std::exchange(longest, 0);
    time.restart();
    find<QAction>("filesUp")->trigger();
    QVERIFY(test::eventually([&] { return m_pane->folder() == remote(m_folder); }));
    qInfo("shown after %lld ms, held up %lld ms by opening, %lld ms by sorting, %lld ms by leaving; left in %lld ms",
          static_cast<long long>(shown), static_cast<long long>(opening), static_cast<long long>(sorting),
          static_cast<long long>(longest), static_cast<long long>(time.elapsed()));
    // The requirement is 100 ms on a free machine; tests share theirs.
    QVERIFY2(qMax(opening, qMax(sorting, longest)) < 1000, qPrintable(QString::number(opening)));
    run(QStringLiteral("rm -rf %1/huge").arg(QString::fromUtf8(m_folder)));
}

void TestFilesPane::everyControlHasNames()
{
    for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
        const bool control = qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
                             qobject_cast<const QAbstractItemView *>(widget);
        if (!control || !widget->isVisible() || widget->objectName().startsWith(QLatin1String("qt_")) ||
            QByteArray(widget->metaObject()->className()).startsWith("QHeader") ||
            QByteArray(widget->metaObject()->className()).startsWith("QLineEditIcon"))
            continue;
        QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
        const bool said = !widget->accessibleName().isEmpty();
        QVERIFY2(said, qPrintable(widget->objectName()));
    }
}

void TestFilesPane::lookingDoesNotWakeAPausedSandbox()
{
    run(QStringLiteral("cd %1 && touch kept").arg(QString::fromUtf8(m_folder)));
    QVERIFY(shows({QStringLiteral("kept")}));
    const auto id = m_envd->target().id;
    QVERIFY(test::outcome(m_session->pause(id)).has_value());
    QVERIFY(test::eventually([&] { return emptyText().contains(QStringLiteral("paused")); }));
    picture("files-paused");
    find<QAction>("filesRefresh")->trigger();
    m_pane->openFolder(remote("/tmp"));
    // A second pane that is opened on it as well.
    FilesPane other(*m_session, id, *m_engine);
    other.show();
    QVERIFY(test::eventually([&] { return other.findChild<QWidget *>(QStringLiteral("filesEmpty"))->isVisible(); }));
    m_session->sandboxes().refresh();
    QSignalSpy updated(&m_session->sandboxes(), &session::SandboxStore::updated);
    QVERIFY(updated.wait());
    QCOMPARE(m_session->sandboxes().find(id)->state, SandboxState::Paused);
    QSignalSpy wanted(m_pane, &FilesPane::resumeRequested);
    QTest::mouseClick(find<QPushButton>("filesEmptyAction"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QVERIFY(test::outcome(m_session->resume(id, std::chrono::seconds(3600))).has_value());
    QVERIFY(test::eventually(
        [&] { return m_pane->folder() == remote("/tmp") && emptyText() != QStringLiteral("paused"); }));
    m_pane->openFolder(remote(m_folder));
    QVERIFY(shows({QStringLiteral("kept")}));
}

void TestFilesPane::anEndedSandboxIsSaid()
{
    const auto mine = m_host->newSandbox();
    QVERIFY(mine);
    const auto id = mine->target().id;
    m_session->sandboxes().refresh();
    QVERIFY(test::eventually([&] { return m_session->sandboxes().find(id).has_value(); }));
    FilesPane pane(*m_session, id, *m_engine);
    pane.resize(800, 400);
    pane.show();
    auto *list = pane.findChild<QStackedWidget *>();
    QVERIFY(test::eventually([&] { return pane.folder() == remote("/home/user"); }));
    QVERIFY(test::outcome(m_session->kill(id)).has_value());
    const auto *empty = pane.findChild<QWidget *>(QStringLiteral("filesEmpty"));
    QVERIFY(test::eventually([&] {
        if (list->currentWidget() != empty)
            return false;
        for (const QLabel *label : empty->findChildren<QLabel *>()) {
            if (label->text().contains(QStringLiteral("has ended")))
                return true;
        }
        return false;
    }));
    QVERIFY(!pane.findChild<QAction *>(QStringLiteral("filesUpload"))->isEnabled());
}

QTEST_MAIN(TestFilesPane)
#include "tst_files_pane.moc"
