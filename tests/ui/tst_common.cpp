// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/confirm.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/theme.h"
#include "ui/metrics/line_chart.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <memory>

using namespace boxdeck;
using namespace boxdeck::ui;

class TestCommon : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textKeepsItsContrast_data();
    void textKeepsItsContrast();
    void everyIconIsDrawnInBothThemes_data();
    void everyIconIsDrawnInBothThemes();
    void themeFollowsTheChoice();
    void aChoiceNotTakenIsSeen_data();
    void aChoiceNotTakenIsSeen();
    void colouredLabelsFollowTheTheme();
    void aChartOfTooManySamplesIsDrawnAtOnce();
    void bytesAreIec_data();
    void bytesAreIec();
    void durationsHaveTwoUnits_data();
    void durationsHaveTwoUnits();
    void middleElideKeepsBothEnds();
    void failuresReadDifferently();
    void errorBarShowsAndCopiesTheWholeAnswer();
    void hostileMessageIsShownAsText();
    void questionActsForTheThingItNamed();
    void questionOfADeadContextDoesNothing();
    void idIsCopiedWhole();
};

namespace {

double luminance(const QColor &colour)
{
    const auto channel = [](double value) {
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) + 0.0722 * channel(colour.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double one = luminance(a), two = luminance(b);
    return (std::max(one, two) + 0.05) / (std::min(one, two) + 0.05);
}

} // namespace

void TestCommon::textKeepsItsContrast_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("highContrast");
    QTest::addColumn<int>("text");
    QTest::addColumn<int>("ground");
    const std::pair<const char *, Token> texts[] = {
        {"text", Token::Text},     {"muted", Token::Muted},     {"running", Token::Running}, {"paused", Token::Paused},
        {"danger", Token::Danger}, {"warning", Token::Warning}, {"accent", Token::Accent}};
    const std::pair<const char *, Token> grounds[] = {{"window", Token::Window},
                                                      {"surface", Token::Surface},
                                                      {"selection", Token::Selection},
                                                      {"hover", Token::Hover},
                                                      {"warning ground", Token::WarningGround},
                                                      {"danger ground", Token::DangerGround}};
    for (const bool dark : {false, true}) {
        for (const bool high : {false, true}) {
            for (const auto &[textName, text] : texts) {
                for (const auto &[groundName, ground] : grounds)
                    QTest::addRow("%s%s %s on %s", dark ? "dark" : "light", high ? " high" : "", textName, groundName)
                        << dark << high << int(text) << int(ground);
            }
            QTest::addRow("%s%s on accent", dark ? "dark" : "light", high ? " high" : "")
                << dark << high << int(Token::OnAccent) << int(Token::Accent);
            QTest::addRow("%s%s on danger", dark ? "dark" : "light", high ? " high" : "")
                << dark << high << int(Token::OnAccent) << int(Token::Danger);
        }
    }
}

void TestCommon::textKeepsItsContrast()
{
    QFETCH(bool, dark);
    QFETCH(bool, highContrast);
    QFETCH(int, text);
    QFETCH(int, ground);
    const QPalette palette = Theme::palette(dark, highContrast);
    const double ratio = contrast(Theme::color(Token(text), palette), Theme::color(Token(ground), palette));
    QVERIFY2(ratio >= 4.5, qPrintable(QString::number(ratio)));
}

void TestCommon::everyIconIsDrawnInBothThemes_data()
{
    QTest::addColumn<QString>("name");
    (void)icon("sandbox"); // makes the resources known
    const QDir folder(QStringLiteral(":/icons/boxdeck/scalable"));
    const QStringList files = folder.entryList({QStringLiteral("*.svg")});
    QVERIFY(files.size() > 50);
    for (const QString &file : files)
        QTest::newRow(qPrintable(file)) << file.chopped(4);
}

void TestCommon::everyIconIsDrawnInBothThemes()
{
    QFETCH(QString, name);
    QList<QImage> drawn;
    for (const bool dark : {false, true}) {
        QGuiApplication::setPalette(Theme::palette(dark));
        const QImage image = iconPixmap(name.toLatin1().constData()).toImage();
        QCOMPARE(image.size(), QSize(16, 16));
        int inked = 0;
        for (int y = 0; y < 16; ++y) {
            for (int x = 0; x < 16; ++x)
                inked += qAlpha(image.pixel(x, y)) > 60;
        }
        QVERIFY2(inked >= 8, "hardly anything is drawn");
        QVERIFY2(inked <= 200, "the whole square is filled");
        drawn << image;
    }
    QVERIFY2(drawn[0] != drawn[1], "the icon has the same colour in both themes");
}

void TestCommon::themeFollowsTheChoice()
{
    Theme theme(*qApp, SchemeChoice::Light);
    QSignalSpy changed(&theme, &Theme::changed);
    QVERIFY(!Theme::isDark());
    const std::unique_ptr<QLabel> muted(mutedLabel(QStringLiteral("quiet"), nullptr));
    StateLabel state(QStringLiteral("state"));
    state.setState("running", QStringLiteral("Running"), Token::Running);
    ErrorBar bar(QStringLiteral("bar"));
    bar.showText(QStringLiteral("It failed."));
    theme.setChoice(SchemeChoice::Dark);
    QCOMPARE(changed.count(), 1);
    // Qt tells widgets of a new palette from the event loop.
    QTRY_COMPARE(muted->palette().color(QPalette::WindowText), Theme::color(Token::Muted));
    QTRY_COMPARE(state.findChildren<QLabel *>().last()->palette().color(QPalette::WindowText),
                 Theme::color(Token::Running));
    QTRY_COMPARE(bar.palette().color(QPalette::Window), Theme::color(Token::DangerGround));
    QVERIFY(Theme::isDark());
    QCOMPARE(Theme::color(Token::Window), QColor(0x15, 0x18, 0x1E));
    theme.setChoice(SchemeChoice::System);
    QVERIFY(!Theme::isDark());
}

void TestCommon::colouredLabelsFollowTheTheme()
{
    Theme theme(*qApp, SchemeChoice::Light);
    const std::unique_ptr<QLabel> label(mutedLabel(QStringLiteral("as of 12:04"), nullptr));
    label->show();
    QCOMPARE(label->palette().color(QPalette::WindowText), Theme::color(Token::Muted));
    const QColor light = Theme::color(Token::Muted);
    theme.setChoice(SchemeChoice::Dark);
    QVERIFY(Theme::color(Token::Muted) != light);
    QTRY_COMPARE(label->palette().color(QPalette::WindowText), Theme::color(Token::Muted));
}

void TestCommon::aChoiceNotTakenIsSeen_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestCommon::aChoiceNotTakenIsSeen()
{
    QFETCH(bool, dark);
    const Theme theme(*qApp, dark ? SchemeChoice::Dark : SchemeChoice::Light);
    QRadioButton ring;
    QCheckBox box;
    for (QAbstractButton *button : {static_cast<QAbstractButton *>(&ring), static_cast<QAbstractButton *>(&box)}) {
        button->setPalette(Theme::palette(dark));
        button->resize(button->sizeHint());
        const QImage drawn = button->grab().toImage();
        double best = 1;
        for (int y = 0; y < drawn.height(); ++y) {
            for (int x = 0; x < drawn.width(); ++x)
                best = std::max(best, contrast(drawn.pixelColor(x, y), Theme::color(Token::Surface)));
        }
        QVERIFY2(best >= 3, qPrintable(QStringLiteral("only %1:1").arg(best)));
    }
}

void TestCommon::bytesAreIec_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << qint64(0) << QStringLiteral("0 B");
    QTest::newRow("below") << qint64(1023) << QStringLiteral("1023 B");
    QTest::newRow("kib") << qint64(1536) << QStringLiteral("1.5 KiB");
    QTest::newRow("never 1024.0 KiB") << qint64(1048575) << QStringLiteral("1.0 MiB");
    QTest::newRow("mib") << qint64(23) * 1024 * 1024 << QStringLiteral("23.0 MiB");
    QTest::newRow("no decimals from 100") << qint64(640) * 1024 * 1024 << QStringLiteral("640 MiB");
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << QStringLiteral("8.0 EiB");
    QTest::newRow("unknown") << qint64(-1) << QStringLiteral("–");
}

void TestCommon::bytesAreIec()
{
    QFETCH(qint64, bytes);
    QFETCH(QString, text);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(formatBytes(bytes), text);
}

void TestCommon::durationsHaveTwoUnits_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("past") << -5 << QStringLiteral("0 s");
    QTest::newRow("seconds") << 42 << QStringLiteral("42 s");
    QTest::newRow("minutes") << 245 << QStringLiteral("4 min 05 s");
    QTest::newRow("hours") << 12000 << QStringLiteral("3 h 20 min");
    QTest::newRow("days") << 187200 << QStringLiteral("2 d 4 h");
}

void TestCommon::durationsHaveTwoUnits()
{
    QFETCH(int, seconds);
    QFETCH(QString, text);
    QCOMPARE(formatDuration(std::chrono::seconds(seconds)), text);
}

void TestCommon::middleElideKeepsBothEnds()
{
    QCOMPARE(middleElide(QStringLiteral("short"), 10), QStringLiteral("short"));
    QCOMPARE(middleElide(QStringLiteral("abcdefghijklmnop"), 7), QStringLiteral("abc…nop"));
}

void TestCommon::failuresReadDifferently()
{
    const Error errors[] = {
        {.kind = ErrorKind::NotFound, .httpStatus = 404},
        {.kind = ErrorKind::Terminal, .httpStatus = 410},
        {.kind = ErrorKind::Conflict, .code = QStringLiteral("paused")},
        {.kind = ErrorKind::Conflict, .httpStatus = 409},
        {.kind = ErrorKind::Unavailable},
        {.kind = ErrorKind::Unavailable, .delivery = Delivery::Unknown},
        {.kind = ErrorKind::Unavailable, .httpStatus = 503},
        {.kind = ErrorKind::Authentication, .httpStatus = 401},
        {.kind = ErrorKind::Authentication, .httpStatus = 403},
        {.kind = ErrorKind::Capacity, .httpStatus = 429},
        {.kind = ErrorKind::Capacity, .httpStatus = 429, .retryAfter = std::chrono::seconds(30)},
        {.kind = ErrorKind::Capacity, .httpStatus = 507},
        {.kind = ErrorKind::Local, .message = QStringLiteral("No space left on device")},
        {.kind = ErrorKind::Local, .message = QStringLiteral("Permission denied")},
        {.kind = ErrorKind::Timeout, .delivery = Delivery::Unknown},
        {.kind = ErrorKind::Timeout},
        {.kind = ErrorKind::Unsupported, .httpStatus = 501},
        {.kind = ErrorKind::InvalidRequest, .httpStatus = 400},
        {.kind = ErrorKind::Internal, .httpStatus = 200},
        {.kind = ErrorKind::Internal},
    };
    QStringList seen;
    for (const Error &error : errors) {
        const QString sentence = errorReason(error);
        QVERIFY(sentence.endsWith(QLatin1Char('.')) || sentence.endsWith(QLatin1Char('?')));
        QVERIFY2(!seen.contains(sentence), qPrintable(sentence));
        seen << sentence;
    }
    // What a page of a server that is no E2B server ends as: the codec that reads it knows no HTTP status.
    const Error noJson{.kind = ErrorKind::Internal, .code = QStringLiteral("bad_answer")};
    QCOMPARE(errorReason(noJson), errorReason({.kind = ErrorKind::Internal, .httpStatus = 200}));
}

void TestCommon::errorBarShowsAndCopiesTheWholeAnswer()
{
    ErrorBar bar(QStringLiteral("listError"));
    QVERIFY(!bar.isVisible());
    const QString longMessage = QString(2000, QLatin1Char('x')) + QLatin1String("END");
    bar.showError({.kind = ErrorKind::Capacity,
                   .delivery = Delivery::Answered,
                   .httpStatus = 429,
                   .message = longMessage,
                   .requestId = QStringLiteral("req-17")},
                  QStringLiteral("The sandboxes could not be listed."), QStringLiteral("List again"));
    QVERIFY(bar.isVisible());
    auto *copy = bar.findChild<QToolButton *>(QStringLiteral("listErrorCopy"));
    auto *retry = bar.findChild<QPushButton *>(QStringLiteral("listErrorRetry"));
    QVERIFY(copy && retry);
    QCOMPARE(retry->text(), QStringLiteral("List again"));
    QSignalSpy retried(&bar, &ErrorBar::retryRequested);
    retry->click();
    QCOMPARE(retried.count(), 1);
    copy->click();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.startsWith(QLatin1String("The sandboxes could not be listed.")));
    QVERIFY(copied.contains(QLatin1String("HTTP 429")));
    QVERIFY(copied.contains(QLatin1String("req-17")));
    QVERIFY2(copied.contains(QLatin1String("END")), "the server's message was cut");
    bar.findChild<QToolButton *>(QStringLiteral("listErrorClose"))->click();
    QVERIFY(!bar.isVisible());
}

void TestCommon::hostileMessageIsShownAsText()
{
    ErrorBar bar(QStringLiteral("bar"));
    bar.showError({.kind = ErrorKind::Internal, .message = QStringLiteral("<b>x</b>\u202Egnp.exe\n\x1b[31m")}, {});
    const auto labels = bar.findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        QVERIFY(label->textFormat() == Qt::PlainText || label->text().isEmpty());
        QVERIFY(!label->text().contains(QChar(0x202E)));
        QVERIFY(!label->text().contains(QChar(0x1b)));
    }
}

void TestCommon::questionActsForTheThingItNamed()
{
    QWidget window;
    window.show();
    int accepted = 0;
    QPointer<QDialog> dialog = confirm(&window,
                                       {.name = QStringLiteral("killQuestion"),
                                        .title = QStringLiteral("Kill"),
                                        .text = QStringLiteral("Kill web?"),
                                        .items = {QStringLiteral("a"), QStringLiteral("b")},
                                        .acceptVerb = QStringLiteral("Kill web"),
                                        .danger = true},
                                       this, [&accepted] { ++accepted; });
    QVERIFY(dialog->isVisible());
    QCOMPARE(accepted, 0); // returned at once: no nested loop
    auto *accept = dialog->findChild<QPushButton *>(QStringLiteral("killQuestionAccept"));
    auto *cancel = dialog->findChild<QPushButton *>(QStringLiteral("killQuestionCancel"));
    QVERIFY2(cancel->isDefault() && !accept->isDefault(), "Enter must not destroy");
    accept->click();
    QCOMPARE(accepted, 1);
    QTRY_VERIFY(!dialog); // it deletes itself

    dialog = confirm(&window, {.name = QStringLiteral("q"), .acceptVerb = QStringLiteral("Go")}, this,
                     [&accepted] { ++accepted; });
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
    QCOMPARE(accepted, 1);
}

void TestCommon::questionOfADeadContextDoesNothing()
{
    QWidget window;
    window.show();
    auto context = std::make_unique<QObject>();
    bool ran = false;
    QPointer<QDialog> dialog = confirm(&window, {.name = QStringLiteral("q"), .acceptVerb = QStringLiteral("Go")},
                                       context.get(), [&ran] { ran = true; });
    context.reset();
    QTRY_VERIFY(!dialog);
    QVERIFY(!ran);
}

void TestCommon::idIsCopiedWhole()
{
    IdLabel label(QStringLiteral("id"));
    const QString id = QStringLiteral("i0123456789abcdefghijklmnopqrstuvwxyz");
    label.setFullText(id);
    label.resize(120, 20);
    label.show();
    QVERIFY(label.text() != id);
    QVERIFY(label.text().startsWith(QLatin1String("i0")));
    QVERIFY(label.text().endsWith(QLatin1String("yz")));
    QTest::keyClick(&label, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), id);
}

void TestCommon::aChartOfTooManySamplesIsDrawnAtOnce()
{
    LineChart chart(
        QStringLiteral("chart"), QStringLiteral("CPU"), [](double value) { return QString::number(value); },
        Token::Accent);
    chart.resize(600, 200);
    QList<LineChart::Sample> samples;
    const QDateTime start = QDateTime::fromSecsSinceEpoch(1'700'000'000, Qt::UTC);
    for (int i = 0; i < 1'000'000; ++i)
        samples.append({start.addSecs(i), double(i % 97)});
    samples[1'000].value = 400; // what is to be seen, however much there is
    chart.setSamples(std::move(samples), 100);
    QElapsedTimer clock;
    clock.start();
    const QImage thinned = chart.grab().toImage();
    QVERIFY2(clock.elapsed() < 1'000, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(!thinned.isNull());
}

QTEST_MAIN(TestCommon)
#include "tst_common.moc"
