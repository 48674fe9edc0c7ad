// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/capabilities_view.h"

#include "backend/core/display_text.h"
#include "ui/accounts/capability_text.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::CapabilityStore;

CapabilitiesView::CapabilitiesView(session::Accounts &accounts, QWidget *parent)
    : QWidget(parent)
    , m_accounts(accounts)
    , m_view(new QTreeWidget(this))
    , m_asOf(mutedLabel({}, this))
    , m_check(new QPushButton(tr("Check again"), this))
{
    nameWidget(this, QStringLiteral("capabilitiesPage"), tr("What this server can do"));
    nameWidget(m_view, QStringLiteral("capabilitiesView"), tr("What this server can do"));
    styleView(m_view);
    m_view->setRootIsDecorated(false);
    m_view->setHeaderLabels({tr("Feature"), tr("Offered"), tr("Why")});
    m_view->header()->setStretchLastSection(true);
    m_view->setColumnWidth(0, 260);
    m_view->setColumnWidth(1, 104);
    for (const api::Feature feature : api::allFeatures()) {
        auto *item = new QTreeWidgetItem(m_view, {featureName(feature)});
        item->setData(0, Qt::UserRole, int(feature));
    }
    m_asOf->setObjectName(QStringLiteral("capabilitiesAsOf"));
    m_asOf->setWordWrap(true);
    nameWidget(m_check, QStringLiteral("capabilitiesCheck"), m_check->text());
    m_check->setToolTip(tr("Asks the server a few harmless questions. None changes anything there."));
    m_check->setAutoDefault(false);
    connect(m_check, &QPushButton::clicked, this, [this] {
        if (m_session)
            m_session->capabilities().check();
    });
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, kGrid);
    bar->setSpacing(kGrid);
    bar->addWidget(m_asOf, 1);
    bar->addWidget(m_check);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(hairline(this));
    column->addLayout(bar);
    const auto ready = [this](const QUuid &id) {
        if (id == m_id)
            setAccount(id);
    };
    connect(&accounts, &session::Accounts::sessionReady, this, ready);
    update();
}

void CapabilitiesView::setAccount(const QUuid &id)
{
    m_id = id;
    session::Session *session = m_accounts.session(id);
    if (session != m_session) {
        if (m_session)
            disconnect(&m_session->capabilities(), nullptr, this, nullptr);
        m_session = session;
        if (session) {
            connect(&session->capabilities(), &CapabilityStore::changed, this, &CapabilitiesView::update);
            connect(&session->capabilities(), &CapabilityStore::checkingChanged, this, &CapabilitiesView::update);
        }
    }
    update();
}

void CapabilitiesView::update()
{
    const CapabilityStore *store = m_session ? &m_session->capabilities() : nullptr;
    for (int row = 0; row < m_view->topLevelItemCount(); ++row) {
        QTreeWidgetItem *item = m_view->topLevelItem(row);
        const auto finding = store ? store->find(api::Feature(item->data(0, Qt::UserRole).toInt())) : api::Finding();
        const SupportLook look = supportLook(finding.support);
        item->setIcon(1, icon(look.icon, look.token));
        item->setText(1, look.word);
        item->setForeground(1, Theme::color(look.token, palette()));
        const QString reason = findingReason(finding);
        item->setText(2, reason);
        item->setToolTip(2, toolTipText(reason));
    }
    m_check->setEnabled(store && !store->checking());
    if (!store)
        m_asOf->setText(tr("The server is asked once the account is connected."));
    else if (store->checking())
        m_asOf->setText(tr("The server is being asked…"));
    else if (!store->known().probedAt.isValid())
        m_asOf->setText(tr("Known from its answers so far."));
    else
        m_asOf->setText(tr("Asked on %1, and learned from its answers since.")
                            .arg(QLocale().toString(store->known().probedAt.toLocalTime(), QLocale::ShortFormat)));
    m_asOf->setToolTip(store && store->known().probedAt.isValid() ? formatUtc(store->known().probedAt) : QString());
}

} // namespace boxdeck::ui
