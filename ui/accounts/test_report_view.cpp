// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/test_report_view.h"

#include "ui/common/error_sentence.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::TestReport;

TestReportView::TestReportView(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(name);
    setAccessibleName(tr("Result of the test"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(kGrid / 2);
    hide();
}

void TestReportView::clear()
{
    for (QWidget *line : std::as_const(m_lines))
        delete line;
    m_lines.clear();
    setAccessibleDescription({});
    hide();
}

void TestReportView::setRunning()
{
    clear();
    addLine("waiting", int(Token::Muted), tr("Trying the server…"), {});
}

void TestReportView::setReport(const TestReport &report)
{
    clear();
    for (const TestReport::Line &line : report.lines) {
        QString step;
        switch (line.step) {
        case TestReport::Step::CaFile:
            step = tr("Read the CA file");
            break;
        case TestReport::Step::Dns:
            step = tr("Find the server's address (DNS)");
            break;
        case TestReport::Step::Tcp:
            step = tr("Connect (TCP)");
            break;
        case TestReport::Step::Tls:
            step = tr("Check its certificate (TLS)");
            break;
        case TestReport::Step::Key:
            step = tr("Present the key");
            break;
        case TestReport::Step::Listing:
            step = tr("List the sandboxes");
            break;
        case TestReport::Step::Sandboxes:
            step = tr("Reach the sandboxes");
            break;
        }
        switch (line.verdict) {
        case TestReport::Verdict::Passed:
            addLine("check", int(Token::Running), tr("%1: passed, %2 ms").arg(step).arg(line.milliseconds), {});
            break;
        case TestReport::Verdict::Skipped:
            addLine("minus", int(Token::Muted), tr("%1: does not apply here").arg(step), {});
            break;
        case TestReport::Verdict::Failed:
            addLine("failed", int(Token::Danger), tr("%1: failed").arg(step),
                    line.error ? errorForClipboard(*line.error, {}) : QString());
            break;
        }
    }
    if (report.passed())
        addLine("ready", int(Token::Running), tr("Everything works."), {});
}

void TestReportView::addLine(const char *iconName, int token, const QString &text, const QString &details)
{
    auto *line = new QWidget(this);
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    auto *picture = new QLabel(line);
    picture->setPixmap(iconPixmap(iconName, kIconSize, Token(token), devicePixelRatioF()));
    auto *words = new QLabel(text, line);
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    auto *column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(words);
    if (!details.isEmpty()) {
        QLabel *more = mutedLabel(details, line);
        more->setWordWrap(true);
        more->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        column->addWidget(more);
    }
    row->addWidget(picture, 0, Qt::AlignTop);
    row->addLayout(column, 1);
    m_column->addWidget(line);
    m_lines << line;
    setAccessibleDescription(
        (accessibleDescription() + QLatin1Char('\n') + text + QLatin1Char('\n') + details).trimmed());
    show();
}

} // namespace boxdeck::ui
