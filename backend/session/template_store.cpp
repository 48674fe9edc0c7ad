// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/template_store.h"

#include <QPointer>
#include <QSet>

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace boxdeck::session {

using protocol::BuildStatus;
using protocol::TemplateId;
using protocol::TemplateSummary;

namespace {

bool isBuilding(const TemplateSummary &entry)
{
    return entry.buildStatus == BuildStatus::Building || entry.buildStatus == BuildStatus::Waiting;
}

} // namespace

TemplateStore::TemplateStore(List list, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_list(std::move(list))
    , m_clock(clock)
    , m_poller([this] { return poll(); })
{
    setPaceFor(false);
    connect(&m_poller, &Poller::inFlightChanged, this, &TemplateStore::loadingChanged);
}

std::optional<TemplateSummary> TemplateStore::find(const TemplateId &id) const
{
    const auto row = m_rows.constFind(id);
    return row == m_rows.constEnd() ? std::nullopt : std::optional(m_items.at(*row));
}

std::optional<TemplateSummary> TemplateStore::findByName(const QString &nameOrId) const
{
    const auto at = std::find_if(m_items.begin(), m_items.end(), [&](const TemplateSummary &entry) {
        return entry.id.value == nameOrId || entry.names.contains(nameOrId) || entry.aliases.contains(nameOrId);
    });
    return at == m_items.end() ? std::nullopt : std::optional(*at);
}

void TemplateStore::setPaceFor(bool building)
{
    Poller::Pace pace;
    pace.visible = building ? 3s : 20s;
    pace.hidden = 120s;
    m_poller.setPace(pace);
}

Call<void> TemplateStore::poll()
{
    return m_list().map([this, self = QPointer(this)](const Result<QList<TemplateSummary>> &list) {
        return self ? take(list) : Result<void>();
    });
}

Result<void> TemplateStore::take(const Result<QList<TemplateSummary>> &list)
{
    if (!list) {
        m_lastError = list.error();
        Q_EMIT failed(list.error());
        return Failure(list.error());
    }
    QSet<TemplateId> listed;
    for (const TemplateSummary &entry : *list) {
        if (entry.id.isEmpty() || listed.contains(entry.id))
            continue;
        listed.insert(entry.id);
        const auto row = m_rows.constFind(entry.id);
        if (row == m_rows.constEnd()) {
            m_rows.insert(entry.id, m_items.size());
            m_items.append(entry);
            Q_EMIT inserted(entry.id);
        } else if (m_items.at(*row) != entry) {
            m_items[*row] = entry;
            Q_EMIT changed(entry.id);
        }
    }
    const QList<TemplateSummary> known = m_items;
    for (const TemplateSummary &entry : known) {
        if (listed.contains(entry.id))
            continue;
        m_items.removeAt(m_rows.value(entry.id));
        m_rows.clear();
        for (qsizetype i = 0; i < m_items.size(); ++i)
            m_rows.insert(m_items.at(i).id, i);
        Q_EMIT removed(entry.id);
    }
    setPaceFor(std::any_of(m_items.begin(), m_items.end(), isBuilding));
    m_asOf = m_clock.now();
    m_lastError.reset();
    Q_EMIT updated();
    return {};
}

} // namespace boxdeck::session
