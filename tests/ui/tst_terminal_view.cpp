// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/cell_painter.h"
#include "ui/terminal/terminal_tab.h"
#include "ui/terminal/terminal_view.h"

#include <QAccessible>
#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QInputMethodEvent>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace boxdeck;
using namespace boxdeck::terminal;
using boxdeck::ui::TerminalView;

namespace {

/// A view and its emulator, sized and shown.
struct Fixture
{
    Emulator emulator{10, 40};
    TerminalView view{emulator};
    QByteArray sent;

    explicit Fixture(int rows = 10, int columns = 40)
    {
        QObject::connect(&view, &TerminalView::gridSizeChanged, &view, [this](int r, int c) {
            emulator.resize(r, c);
            view.refresh();
        });
        QObject::connect(&view, &TerminalView::input, &view, [this](const QByteArray &bytes) { sent += bytes; });
        const int bar = view.verticalScrollBar()->sizeHint().width();
        view.resize(columns * view.cellWidth() + 8 + bar, rows * view.cellHeight() + 8);
        view.show();
        view.activateWindow();
        view.setFocus();
    }
    bool ready() { return QTest::qWaitForWindowActive(&view) && view.hasFocus(); }
    void print(const QByteArray &bytes)
    {
        emulator.feed(bytes);
        view.refresh();
    }
    QPoint at(int row, int column) const
    {
        return view.cellRect({emulator.screen().gridLine() + row, column}).topLeft() + QPoint(1, view.cellHeight() / 2);
    }
    void drop(const QMimeData &data)
    {
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &enter);
        QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &dropped);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(view.viewport(), Qt::LeftButton, modifiers, from);
        QMouseEvent move(QEvent::MouseMove, to, view.viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         modifiers);
        QCoreApplication::sendEvent(view.viewport(), &move);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, modifiers, to);
    }
};

QString accessibleText(QWidget *widget)
{
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
    return interface->textInterface()->text(0, interface->textInterface()->characterCount());
}

} // namespace

class TestTerminalView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsItsSizeInCells();
    void paintsWhatIsOnTheGrid();
    void paintsOnlyWhatChanged();
    void paintsAtMostOnceAFrame();
    void holdsSynchronisedOutputButNotForEver();
    void keysBecomeInput();
    void tabIsInputAndF6IsNot();
    void windowShortcutsDoNotEatControlKeys();
    void scrollsBackAndStaysThere();
    void selectsByDragging();
    void selectsWordsAndLines();
    void selectsARectangle();
    void selectionSurvivesOutput();
    void copiesAndPastesByKeys();
    void riskyPastesAreAskedAbout();
    void droppedTextIsAskedAboutToo();
    void droppedFilesAreASignal();
    void mouseGoesToTheProgramWhenAsked();
    void noMouseCodesAfterANewSession();
    void wheelSendsArrowsOnTheAlternateScreen();
    void controlClickShowsTheTrueAddress();
    void unsafeLinksAreRefused();
    void inputMethodComposesAndCommits();
    void zoomChangesTheGrid();
    void findsUpwards();
    void endedTerminalAsksToProceedOnReturn();
    void focusIsReportedWhenAsked();
    void accessibleTextIsTheScreen();
    void accessibleTypingIsInput();
    void boxCharactersJoin();
    void sentencesTellStatesApart();
};

void TestTerminalView::tellsItsSizeInCells()
{
    Fixture f(12, 50);
    QTRY_COMPARE(f.emulator.rows(), 12); // the size arrives with the first layout
    QCOMPARE(f.emulator.columns(), 50);
    QSignalSpy sizes(&f.view, &TerminalView::gridSizeChanged);
    f.view.resize(f.view.width() + 10 * f.view.cellWidth(), f.view.height());
    QTRY_COMPARE(sizes.size(), 1);
    QCOMPARE(sizes.first().at(1).toInt(), 60);
}

void TestTerminalView::paintsWhatIsOnTheGrid()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("\x1b[48;2;255;0;0m   \x1b[0m\x1b[?25l");
    QTRY_COMPARE(f.view.viewport()->grab().toImage().pixelColor(f.at(0, 1)), QColor(255, 0, 0));
    f.print("\x1b[H\x1b[2J");
    QTRY_VERIFY(f.view.viewport()->grab().toImage().pixelColor(f.at(0, 1)) != QColor(255, 0, 0));
}

namespace {

/// Notes what a widget is asked to paint.
class PaintWatcher : public QObject
{
public:
    explicit PaintWatcher(QWidget *widget) { widget->installEventFilter(this); }
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint) {
            ++count;
            region += static_cast<QPaintEvent *>(event)->region();
        }
        return false;
    }
    int count = 0;
    QRegion region;
};

} // namespace

void TestTerminalView::paintsOnlyWhatChanged()
{
    Fixture f(20, 40);
    QVERIFY(f.ready());
    PaintWatcher watcher(f.view.viewport());
    f.print("\x1b[15;1H");
    QTRY_VERIFY(watcher.region.contains(f.at(14, 0))); // what follows is the only change
    watcher.region = {};
    f.print("x");
    QTRY_VERIFY(watcher.region.contains(f.at(14, 0)));
    const int height = watcher.region.boundingRect().height();
    QVERIFY2(height <= 2 * f.view.cellHeight(), qPrintable(QString::number(height)));
}

void TestTerminalView::paintsAtMostOnceAFrame()
{
    Fixture f(20, 40);
    QVERIFY(f.ready());
    PaintWatcher watcher(f.view.viewport());
    QElapsedTimer timer;
    timer.start();
    QTimer printing;
    connect(&printing, &QTimer::timeout, &f.view, [&f] { f.print("some text\r\n"); });
    printing.start(1);
    QTRY_VERIFY(timer.hasExpired(320)); // twenty frames
    QVERIFY2(watcher.count > 2 && watcher.count <= 24, qPrintable(QString::number(watcher.count)));
}

void TestTerminalView::holdsSynchronisedOutputButNotForEver()
{
    Fixture f;
    QVERIFY(f.ready());
    PaintWatcher watcher(f.view.viewport());
    f.print("\x1b[5;1H");
    QTRY_VERIFY(watcher.region.contains(f.at(4, 0)));
    watcher.region = {};
    QElapsedTimer timer;
    timer.start();
    f.print("\x1b[?2026hnever ended");
    QTRY_VERIFY(watcher.region.contains(f.at(4, 0)));
    QVERIFY2(timer.elapsed() >= 100, qPrintable(QString::number(timer.elapsed())));
}

void TestTerminalView::keysBecomeInput()
{
    Fixture f;
    QVERIFY(f.ready());
    QTest::keyClicks(&f.view, QStringLiteral("ls"));
    QTest::keyClick(&f.view, Qt::Key_Return);
    QTest::keyClick(&f.view, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(&f.view, Qt::Key_Up);
    QCOMPARE(f.sent, QByteArray("ls\r\x03\x1b[A"));
    f.sent.clear();
    f.print("\x1b[?1h");
    QTest::keyClick(&f.view, Qt::Key_Up);
    QCOMPARE(f.sent, QByteArray("\x1bOA"));
}

void TestTerminalView::tabIsInputAndF6IsNot()
{
    Fixture f;
    QVERIFY(f.ready());
    QTest::keyClick(&f.view, Qt::Key_Tab);
    QTest::keyClick(&f.view, Qt::Key_Backtab, Qt::ShiftModifier);
    QTest::keyClick(&f.view, Qt::Key_F6);
    QCOMPARE(f.sent, QByteArray("\t\x1b[Z"));
    QVERIFY(f.view.hasFocus());
}

void TestTerminalView::windowShortcutsDoNotEatControlKeys()
{
    Fixture f;
    QVERIFY(f.ready());
    for (const auto &[key, modifiers, taken] :
         {std::tuple(Qt::Key_W, Qt::KeyboardModifiers(Qt::ControlModifier), true),
          std::tuple(Qt::Key_F, Qt::KeyboardModifiers(Qt::AltModifier), true),
          std::tuple(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier, false),
          std::tuple(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier, true),
          std::tuple(Qt::Key_F6, Qt::KeyboardModifiers(), false),
          std::tuple(Qt::Key_PageUp, Qt::KeyboardModifiers(Qt::ControlModifier), false)}) {
        QKeyEvent event(QEvent::ShortcutOverride, key, modifiers);
        event.ignore();
        QCoreApplication::sendEvent(&f.view, &event);
        QCOMPARE(event.isAccepted(), taken);
    }
}

void TestTerminalView::scrollsBackAndStaysThere()
{
    Fixture f(10, 40);
    QVERIFY(f.ready());
    for (int i = 0; i < 100; ++i)
        f.print(QByteArray::number(i) + "\r\n");
    QTRY_COMPARE(f.view.verticalScrollBar()->maximum(), 91);
    QVERIFY(f.view.isAtBottom());
    QTest::keyClick(&f.view, Qt::Key_PageUp, Qt::ShiftModifier);
    QVERIFY(!f.view.isAtBottom());
    const long long top = f.view.topLine();
    f.print("more\r\nand more\r\n");
    QTRY_COMPARE(f.view.verticalScrollBar()->maximum(), 93);
    QCOMPARE(f.view.topLine(), top);
    QTest::keyClicks(&f.view, QStringLiteral("x")); // typing goes back to where it happens
    QVERIFY(f.view.isAtBottom());
}

void TestTerminalView::selectsByDragging()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("hello world\r\nsecond line");
    f.drag(f.at(0, 6), f.at(1, 6));
    QCOMPARE(f.view.selectedText(), QStringLiteral("world\nsecond"));
    QTest::mouseClick(f.view.viewport(), Qt::LeftButton, Qt::ShiftModifier, f.at(0, 11));
    QCOMPARE(f.view.selectedText(), QStringLiteral("world"));
    QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, f.at(3, 0));
    QVERIFY(!f.view.hasSelection());
}

void TestTerminalView::selectsWordsAndLines()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("cat /etc/motd now\r\nother");
    QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {}, f.at(0, 6));
    QCOMPARE(f.view.selectedText(), QStringLiteral("/etc/motd"));
    QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, f.at(0, 6)); // third click
    QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, f.at(0, 6));
    QCOMPARE(f.view.selectedText(), QStringLiteral("cat /etc/motd now"));
}

void TestTerminalView::selectsARectangle()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("abcdef\r\nghijkl\r\nmnopqr");
    f.drag(f.at(0, 1), f.at(2, 4), Qt::AltModifier);
    QCOMPARE(f.view.selectedText(), QStringLiteral("bcd\nhij\nnop"));
}

void TestTerminalView::selectionSurvivesOutput()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("keep this\r\n");
    f.drag(f.at(0, 0), f.at(0, 9));
    for (int i = 0; i < 50; ++i)
        f.print("line\r\n");
    QTRY_VERIFY(f.emulator.screen().historySize() > 30);
    QCOMPARE(f.view.selectedText(), QStringLiteral("keep this"));
}

void TestTerminalView::copiesAndPastesByKeys()
{
    Fixture f;
    QVERIFY(f.ready());
    QClipboard *clipboard = QGuiApplication::clipboard();
    f.print("copy me");
    f.drag(f.at(0, 0), f.at(0, 7));
    QTest::keyClick(&f.view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(clipboard->text(), QStringLiteral("copy me"));
    clipboard->setText(QStringLiteral("other"));
    QTest::keyClick(&f.view, Qt::Key_Insert, Qt::ControlModifier);
    QCOMPARE(clipboard->text(), QStringLiteral("copy me"));
    QTest::keyClick(&f.view, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&f.view, Qt::Key_Insert, Qt::ShiftModifier);
    QCOMPARE(f.sent, QByteArray("copy mecopy me"));
}

void TestTerminalView::riskyPastesAreAskedAbout()
{
    Fixture f;
    QVERIFY(f.ready());
    QSignalSpy questions(&f.view, &TerminalView::pasteQuestion);
    QGuiApplication::clipboard()->setText(QStringLiteral("touch a\nrm b\n"));
    f.view.paste();
    QCOMPARE(questions.size(), 1);
    QVERIFY(f.sent.isEmpty());
    f.view.pasteNow(questions.first().at(0).toString());
    QCOMPARE(f.sent, QByteArray("touch a\rrm b\r"));
    f.sent.clear();
    f.print("\x1b[?2004h");
    QGuiApplication::clipboard()->setText(QStringLiteral("safe\u001b[201~\rtouch /tmp/pwn\r"));
    f.view.paste();
    QCOMPARE(questions.size(), 2); // it held an escape
    f.view.pasteNow(questions.last().at(0).toString());
    QCOMPARE(f.sent.count('\x1b'), 2);
    QVERIFY(f.sent.startsWith("\x1b[200~") && f.sent.endsWith("\x1b[201~"));
}

void TestTerminalView::droppedTextIsAskedAboutToo()
{
    Fixture f;
    QVERIFY(f.ready());
    QSignalSpy questions(&f.view, &TerminalView::pasteQuestion);
    QMimeData data;
    data.setText(QStringLiteral("one\ntwo\n"));
    f.drop(data);
    QCOMPARE(questions.size(), 1);
    QVERIFY(f.sent.isEmpty());
}

void TestTerminalView::droppedFilesAreASignal()
{
    Fixture f;
    QVERIFY(f.ready());
    QSignalSpy files(&f.view, &TerminalView::filesDropped);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/a b")), QUrl(QStringLiteral("https://x/"))});
    f.drop(data);
    QCOMPARE(files.size(), 1);
    QCOMPARE(files.first().at(0).value<QList<QUrl>>(), QList<QUrl>{QUrl::fromLocalFile(QStringLiteral("/tmp/a b"))});
}

void TestTerminalView::mouseGoesToTheProgramWhenAsked()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("\x1b[?1002;1006h");
    f.drag(f.at(1, 2), f.at(3, 4));
    QCOMPARE(f.sent, QByteArray("\x1b[<0;3;2M\x1b[<32;5;4M\x1b[<0;5;4m"));
    QVERIFY(!f.view.hasSelection());
    f.sent.clear();
    f.print("\x1b[Hsome text");
    f.drag(f.at(0, 0), f.at(0, 4), Qt::ShiftModifier); // Shift is for the view
    QCOMPARE(f.view.selectedText(), QStringLiteral("some"));
    QVERIFY(f.sent.isEmpty());
}

void TestTerminalView::noMouseCodesAfterANewSession()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("\x1b[?1000;1002;1003;1006;1004;2004;1h\x1b[?25l\x1b[?1049h");
    f.emulator.startNewSession();
    f.view.refresh();
    f.drag(f.at(1, 2), f.at(3, 4));
    f.view.clearFocus();
    f.view.setFocus();
    QVERIFY(f.sent.isEmpty());
    QTest::keyClick(&f.view, Qt::Key_Up);
    f.view.pasteNow(QStringLiteral("x"));
    QCOMPARE(f.sent, QByteArray("\x1b[Ax"));
}

void TestTerminalView::wheelSendsArrowsOnTheAlternateScreen()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("\x1b[?1049h");
    const QPoint place = f.at(2, 2);
    QWheelEvent wheel(place, f.view.viewport()->mapToGlobal(place), {}, QPoint(0, 120), Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(f.view.viewport(), &wheel);
    QCOMPARE(f.sent, QByteArray("\x1b[A\x1b[A\x1b[A"));
}

void TestTerminalView::controlClickShowsTheTrueAddress()
{
    Fixture f;
    QVERIFY(f.ready());
    QSignalSpy clicked(&f.view, &TerminalView::linkClicked);
    f.print("\x1b]8;;https://evil.example/x\x1b\\docs\x1b]8;;\x1b\\");
    QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, f.at(0, 1));
    QCOMPARE(clicked.size(), 0);
    QTest::mouseClick(f.view.viewport(), Qt::LeftButton, Qt::ControlModifier, f.at(0, 1));
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked.first().at(0).toString(), QStringLiteral("https://evil.example/x"));
}

void TestTerminalView::unsafeLinksAreRefused()
{
    Fixture f;
    QVERIFY(f.ready());
    QSignalSpy clicked(&f.view, &TerminalView::linkClicked);
    QSignalSpy refused(&f.view, &TerminalView::linkRefused);
    f.print("\x1b]8;;file:///bin/sh\x1b\\docs\x1b]8;;\x1b\\");
    QTest::mouseClick(f.view.viewport(), Qt::LeftButton, Qt::ControlModifier, f.at(0, 1));
    QCOMPARE(clicked.size(), 0);
    QCOMPARE(refused.size(), 1);
}

void TestTerminalView::inputMethodComposesAndCommits()
{
    Fixture f;
    QVERIFY(f.ready());
    QInputMethodEvent composing(QStringLiteral("ni"), {});
    QCoreApplication::sendEvent(&f.view, &composing);
    QVERIFY(f.sent.isEmpty());
    QInputMethodEvent commit;
    commit.setCommitString(QStringLiteral("\u4f60"));
    QCoreApplication::sendEvent(&f.view, &commit);
    QCOMPARE(f.sent, QByteArray("\xe4\xbd\xa0"));
    QVERIFY(f.view.inputMethodQuery(Qt::ImEnabled).toBool());
    f.print("abc");
    QTRY_COMPARE(f.view.inputMethodQuery(Qt::ImCursorRectangle).toRect().width(), f.view.cellWidth());
    QVERIFY(f.view.inputMethodQuery(Qt::ImCursorRectangle).toRect().left() >= 3 * f.view.cellWidth());
}

void TestTerminalView::zoomChangesTheGrid()
{
    Fixture f(12, 50);
    QVERIFY(f.ready());
    QTRY_COMPARE(f.emulator.columns(), 50);
    const int width = f.view.cellWidth();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(&f.view, Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(f.view.cellWidth() > width);
    QTRY_VERIFY(f.emulator.columns() < 50);
    QTest::keyClick(&f.view, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(f.view.cellWidth(), width);
    QTRY_COMPARE(f.emulator.columns(), 50);
    QVERIFY(f.sent.isEmpty());
}

void TestTerminalView::findsUpwards()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("first needle\r\n");
    for (int i = 0; i < 50; ++i)
        f.print("line\r\n");
    f.print("second needle\r\n");
    QTRY_VERIFY(f.emulator.screen().historySize() > 30);
    QVERIFY(f.view.find(QStringLiteral("needle"), false, Qt::CaseInsensitive));
    QVERIFY(f.view.isAtBottom());
    QVERIFY(f.view.find(QStringLiteral("needle"), false, Qt::CaseInsensitive));
    QCOMPARE(f.view.topLine(), f.emulator.screen().firstLine());
    QVERIFY(!f.view.find(QStringLiteral("no such"), false, Qt::CaseInsensitive));
}

void TestTerminalView::endedTerminalAsksToProceedOnReturn()
{
    Fixture f;
    QVERIFY(f.ready());
    QSignalSpy proceed(&f.view, &TerminalView::proceedRequested);
    QSignalSpy refused(&f.view, &TerminalView::keyRefused);
    f.view.setLive(false);
    QTest::keyClicks(&f.view, QStringLiteral("x"));
    QCOMPARE(refused.size(), 1);
    QTest::keyClick(&f.view, Qt::Key_Return);
    QCOMPARE(proceed.size(), 1);
    QVERIFY(f.sent.isEmpty());
}

void TestTerminalView::focusIsReportedWhenAsked()
{
    Fixture f;
    QVERIFY(f.ready());
    f.print("\x1b[?1004h");
    f.view.clearFocus();
    QTRY_COMPARE(f.sent, QByteArray("\x1b[O"));
    f.view.setFocus();
    QTRY_COMPARE(f.sent, QByteArray("\x1b[O\x1b[I"));
}

void TestTerminalView::accessibleTextIsTheScreen()
{
    Fixture f(5, 40);
    QVERIFY(f.ready());
    QTRY_COMPARE(f.emulator.rows(), 5);
    f.print("$ echo \xe4\xbd\xa0\r\n\xe4\xbd\xa0\r\n$ ");
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&f.view);
    QCOMPARE(interface->role(), QAccessible::Terminal);
    QCOMPARE(accessibleText(&f.view), QStringLiteral("$ echo \u4f60\n\u4f60\n$\n\n\n"));
    QCOMPARE(interface->textInterface()->cursorPosition(), 12);
    QVERIFY(!interface->text(QAccessible::Name).isEmpty());
    // The character behind the wide one.
    const QRect rect = interface->textInterface()->characterRect(8);
    QCOMPARE(interface->textInterface()->offsetAtPoint(rect.center()), 8);
}

void TestTerminalView::accessibleTypingIsInput()
{
    Fixture f;
    QVERIFY(f.ready());
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&f.view);
    QVERIFY(interface->editableTextInterface() != nullptr);
    interface->editableTextInterface()->insertText(0, QStringLiteral("echo hi\n"));
    QCOMPARE(f.sent, QByteArray("echo hi\r"));
}

void TestTerminalView::boxCharactersJoin()
{
    // Two vertical lines, one below the other, and two horizontal ones side by side: no gap between them.
    QImage image(20, 40, QImage::Format_ARGB32);
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        QVERIFY(ui::paintBoxCharacter(painter, QRect(0, 0, 10, 20), 0x2502, Qt::black));
        QVERIFY(ui::paintBoxCharacter(painter, QRect(0, 20, 10, 20), 0x253c, Qt::black));
        QVERIFY(ui::paintBoxCharacter(painter, QRect(10, 20, 10, 20), 0x2500, Qt::black));
        QVERIFY(!ui::paintBoxCharacter(painter, QRect(0, 0, 10, 20), U'a', Qt::black));
    }
    for (int y = 0; y < 40; ++y)
        QCOMPARE(image.pixelColor(5, y), QColor(Qt::black));
    for (int x = 0; x < 20; ++x)
        QCOMPARE(image.pixelColor(x, 30), QColor(Qt::black));
}

void TestTerminalView::sentencesTellStatesApart()
{
    SessionStatus status;
    QStringList texts;
    const auto say = [&](SessionState state) {
        status.state = state;
        texts += ui::terminalSentence(status).text;
        return texts.last();
    };
    QVERIFY(say(SessionState::Running).isEmpty());
    status.exit = protocol::ProcessEnded{.exitCode = 3, .exited = true};
    QVERIFY(say(SessionState::Exited).contains(QStringLiteral("3")));
    status.exit = protocol::ProcessEnded{.exitCode = -1, .exited = false, .status = QStringLiteral("signal: killed")};
    QVERIFY(say(SessionState::Exited).contains(QStringLiteral("signal: killed")));
    status.missed = MissedOutput{.from = QDateTime(QDate(2024, 1, 17), QTime(10, 4, 11), Qt::UTC)};
    const QString from = status.missed->from.toLocalTime().toString(QStringLiteral("mm:ss"));
    QVERIFY(say(SessionState::Broken).contains(from));
    QVERIFY(say(SessionState::Lost).contains(from));
    say(SessionState::Paused);
    say(SessionState::Gone);
    say(SessionState::Failed);
    texts.removeAll(QString());
    QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
    status.missed->to = status.missed->from.addSecs(5);
    status.state = SessionState::Running;
    QVERIFY(ui::missedSentence(status).contains(from));
}

QTEST_MAIN(TestTerminalView)
#include "tst_terminal_view.moc"
