// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/overview_page.h"

#include "backend/core/display_text.h"
#include "backend/session/session.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QFormLayout>
#include <QJsonObject>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace boxdeck::ui {

namespace {

constexpr qint64 kMiB = 1024 * 1024;

QFormLayout *makeForm()
{
    auto *rows = new QFormLayout;
    rows->setHorizontalSpacing(3 * kGrid);
    rows->setVerticalSpacing(kGrid);
    rows->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return rows;
}

QLabel *caption(const QString &text, QWidget *parent)
{
    QLabel *label = mutedLabel(text, parent);
    label->setMinimumWidth(132);
    return label;
}

QLabel *value(const QString &name, const QString &label, QWidget *parent)
{
    auto *text = new QLabel(parent);
    nameWidget(text, name, label);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return text;
}

} // namespace

OverviewPage::OverviewPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent)
    : QWidget(parent)
    , m_session(&session)
    , m_id(id)
    , m_rows(makeForm())
    , m_state(new StateLabel(QStringLiteral("overviewState"), this))
    , m_idLabel(new IdLabel(QStringLiteral("overviewId"), this))
    , m_template(new IdLabel(QStringLiteral("overviewTemplate"), this))
    , m_domain(new IdLabel(QStringLiteral("overviewDomain"), this))
    , m_metadata(makeForm())
    , m_limits(makeForm())
    , m_notice(value(QStringLiteral("overviewNotice"), tr("What the server says"), this))
{
    nameWidget(this, QStringLiteral("overviewPage"), tr("Overview"));
    m_idLabel->setFullText(id.value);
    m_rows->addRow(caption(tr("State"), this), m_state);
    m_rows->addRow(caption(tr("ID"), this), m_idLabel);
    m_rows->addRow(caption(tr("Template"), this), m_template);
    m_started = addText(QStringLiteral("overviewStarted"), tr("Started"));
    m_ends = addText(QStringLiteral("overviewEnds"), tr("Ends"));
    m_left = addText(QStringLiteral("overviewLeft"), tr("Time left"));
    m_atEnd = addText(QStringLiteral("overviewAtEnd"), tr("At its end"));
    m_machine = addText(QStringLiteral("overviewMachine"), tr("Machine"));
    m_internet = addText(QStringLiteral("overviewInternet"), tr("Internet"));
    m_envd = addText(QStringLiteral("overviewEnvd"), tr("Daemon (envd)"));
    m_rows->addRow(caption(tr("Domain"), this), m_domain);

    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    column->setSpacing(kGrid + kGrid / 2);
    const auto section = [column, page](const QString &title) {
        auto *heading = new QLabel(title, page);
        QFont bold = heading->font();
        bold.setWeight(QFont::DemiBold);
        heading->setFont(bold);
        column->addSpacing(kGrid);
        column->addWidget(hairline(page));
        column->addWidget(heading);
    };
    column->addLayout(m_rows);
    section(tr("Metadata"));
    column->addLayout(m_metadata);
    section(tr("Limits"));
    column->addLayout(m_limits);
    m_notice->hide();
    column->addWidget(m_notice);
    column->addStretch(1);
    auto *area = new QScrollArea(this);
    nameWidget(area, QStringLiteral("overviewScroll"), tr("Overview"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(page);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(area);
    fillMap(m_limits, {}, tr("The server tells no limits."));
    refresh();
}

QLabel *OverviewPage::addText(const QString &name, const QString &label)
{
    QLabel *text = value(name, label, this);
    m_rows->addRow(caption(label, this), text);
    return text;
}

void OverviewPage::refresh()
{
    if (!m_session)
        return;
    if (const auto known = m_session->sandboxes().find(m_id))
        showSummary(*known);
    m_session->sandboxes().refreshOne(m_id).then(this, [this](const Result<protocol::SandboxDetail> &detail) {
        if (detail)
            showDetail(*detail);
    });
}

void OverviewPage::setEnded()
{
    m_ended = true;
    const StateLook look = endedLook();
    m_state->setState(look.icon, look.word, look.token);
    m_left->setText(QStringLiteral("–"));
}

void OverviewPage::tick()
{
    if (m_ended || !m_session)
        return;
    const auto left = m_session->sandboxes().secondsLeft(m_last);
    m_left->setText(timeLeftText(m_last, left));
    setTextColor(m_left, timeLeftToken(left));
}

void OverviewPage::showSummary(const protocol::SandboxSummary &sandbox)
{
    m_last = sandbox;
    const StateLook look = stateLook(sandbox);
    m_state->setState(look.icon, look.word, look.token);
    const QString templateId = displayText(sandbox.templateId.value, 120);
    m_template->setFullText(sandbox.alias.isEmpty() || sandbox.alias == sandbox.templateId.value
                                ? templateId
                                : displayText(sandbox.alias, 80) + QStringLiteral("  (%1)").arg(templateId));
    m_started->setText(formatFullTime(sandbox.startedAt));
    m_started->setToolTip(formatUtc(sandbox.startedAt));
    m_ends->setText(formatFullTime(sandbox.endAt));
    m_ends->setToolTip(formatUtc(sandbox.endAt));
    QStringList machine;
    if (sandbox.cpuCount > 0)
        machine << tr("%n CPUs", nullptr, sandbox.cpuCount);
    if (sandbox.memoryMB > 0)
        machine << tr("%1 memory").arg(formatBytes(sandbox.memoryMB * kMiB));
    if (sandbox.diskSizeMB > 0)
        machine << tr("%1 disk").arg(formatBytes(sandbox.diskSizeMB * kMiB));
    m_machine->setText(machine.isEmpty() ? QStringLiteral("–") : machine.join(QStringLiteral(" · ")));
    m_envd->setText(sandbox.envdVersion.isEmpty() ? QStringLiteral("–") : displayText(sandbox.envdVersion, 60));
    QList<std::pair<QString, QString>> pairs;
    const auto metadata = visibleMetadata(sandbox.metadata);
    for (auto it = metadata.cbegin(); it != metadata.cend(); ++it)
        pairs.append({displayText(it.key(), 80), displayText(it.value(), 400)});
    fillMap(m_metadata, pairs, tr("It has no metadata."));
    tick();
}

void OverviewPage::showDetail(const protocol::SandboxDetail &detail)
{
    if (m_ended)
        return;
    showSummary(detail);
    QString atEnd = detail.onTimeout == QLatin1String("pause")  ? tr("It is paused.")
                    : detail.onTimeout == QLatin1String("kill") ? tr("It is killed.")
                                                                : QStringLiteral("–");
    if (detail.autoResume)
        atEnd += QLatin1Char(' ') + tr("Traffic wakes it.");
    m_atEnd->setText(atEnd);
    m_internet->setText(!detail.allowInternetAccess   ? QStringLiteral("–")
                        : *detail.allowInternetAccess ? tr("allowed")
                                                      : tr("not allowed"));
    m_domain->setFullText(detail.domain.isEmpty() ? QStringLiteral("–") : displayText(detail.domain, 200));

    const QJsonObject limits = detail.extras.value(QLatin1String("limits")).toObject();
    QList<std::pair<QString, QString>> pairs;
    for (auto it = limits.begin(); it != limits.end(); ++it) {
        const QJsonObject limit = it.value().toObject();
        const QString state = limit.value(QLatin1String("state")).toString();
        const QString how = state == QLatin1String("enforced")        ? tr("enforced")
                            : state == QLatin1String("watched")       ? tr("watched")
                            : state == QLatin1String("not available") ? tr("not available")
                                                                      : displayText(state, 60);
        const QString key = it.key() == QLatin1String("processes")   ? tr("Processes")
                            : it.key() == QLatin1String("openFiles") ? tr("Open files")
                            : it.key() == QLatin1String("memory")    ? tr("Memory")
                            : it.key() == QLatin1String("disk")      ? tr("Disk")
                                                                     : displayText(it.key(), 60);
        const QJsonValue amount = limit.value(QLatin1String("value"));
        const bool bytes = it.key() == QLatin1String("memory") || it.key() == QLatin1String("disk");
        QString text = how;
        if (amount.isDouble()) {
            text = bytes ? formatBytes(qint64(amount.toDouble())) : QLocale().toString(qint64(amount.toDouble()));
            text += QStringLiteral(" · ") + how;
        }
        pairs.append({key, text});
    }
    fillMap(m_limits, pairs, tr("The server tells no limits."));
    const QString notice = detail.extras.value(QLatin1String("notice")).toString();
    m_notice->setText(displayText(notice, 1000));
    m_notice->setVisible(!notice.isEmpty());
}

void OverviewPage::fillMap(QFormLayout *rows, const QList<std::pair<QString, QString>> &pairs, const QString &none)
{
    while (rows->rowCount() > 0)
        rows->removeRow(0);
    if (pairs.isEmpty()) {
        rows->addRow(mutedLabel(none, this));
        return;
    }
    int row = 0;
    for (const auto &[key, text] : pairs) {
        QLabel *label =
            value(QStringLiteral("%1%2")
                      .arg(rows == m_metadata ? QLatin1String("overviewMetadata") : QLatin1String("overviewLimit"))
                      .arg(row++),
                  key, this);
        label->setText(text);
        rows->addRow(caption(key, this), label);
    }
}

} // namespace boxdeck::ui
