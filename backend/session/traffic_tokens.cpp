// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/traffic_tokens.h"

#include <QJsonArray>

#include <algorithm>

namespace boxdeck::session {

using protocol::SandboxId;

namespace {

const auto kTokens = QLatin1String("tokens");

} // namespace

QString trafficTokensPurpose()
{
    return QStringLiteral("traffic-tokens");
}

TrafficTokens::TrafficTokens(QObject *parent)
    : QObject(parent)
{
}

TrafficTokens::~TrafficTokens() = default;

void TrafficTokens::keepIn(SecretVault &vault, const QUuid &account)
{
    if (m_record)
        return;
    m_record = std::make_unique<KeptRecord>(vault, account, trafficTokensPurpose());
    connect(m_record.get(), &KeptRecord::notKept, this, &TrafficTokens::notKept);
    connect(m_record.get(), &KeptRecord::arrivedLate, this, &TrafficTokens::load);
    load();
}

void TrafficTokens::load()
{
    m_loading = true;
    m_unread = true;
    m_record->load().then(this, [this](const Result<QJsonObject> &record) { loaded(record); });
}

void TrafficTokens::loaded(const Result<QJsonObject> &record)
{
    m_loading = false;
    m_unread = !record.has_value();
    const QList<Entry> ofThisRun = std::exchange(m_entries, {});
    const QJsonArray stored = record ? record->value(kTokens).toArray() : QJsonArray();
    for (const QJsonValue &pair : stored) {
        const SandboxId id{pair.toArray().at(0).toString()};
        const Secret token(pair.toArray().at(1).toString().toUtf8());
        if (!id.isEmpty() && !token.isEmpty() && !m_removed.contains(id))
            m_entries.append({id, token});
    }
    const bool changed = !ofThisRun.isEmpty() || !m_removed.isEmpty();
    for (const Entry &entry : ofThisRun) {
        m_entries.removeIf([&](const Entry &old) { return old.id == entry.id; });
        m_entries.append(entry);
    }
    if (!m_unread)
        m_removed.clear();
    if (changed)
        save();
    for (const auto &[id, promise] : std::exchange(m_waiting, {}))
        promise.settle(of(id));
}

Secret TrafficTokens::of(const SandboxId &id) const
{
    const auto at =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.id == id; });
    return at == m_entries.end() ? Secret() : at->token;
}

Call<Secret> TrafficTokens::whenKnown(const SandboxId &id)
{
    const Secret token = of(id);
    if (!m_loading || !token.isEmpty())
        return Call<Secret>::settled(token);
    Promise<Secret> promise;
    m_waiting.emplace_back(id, promise);
    return promise.call();
}

void TrafficTokens::put(const SandboxId &id, const Secret &token)
{
    if (token.isEmpty() || id.isEmpty() || of(id) == token)
        return;
    m_entries.removeIf([&](const Entry &entry) { return entry.id == id; });
    m_entries.append({id, token});
    m_removed.removeAll(id);
    save();
}

void TrafficTokens::remove(const SandboxId &id)
{
    const bool known = m_entries.removeIf([&](const Entry &entry) { return entry.id == id; }) > 0;
    if (m_unread)
        m_removed.append(id);
    if (known)
        save();
}

void TrafficTokens::save()
{
    if (m_entries.size() > most)
        m_entries.remove(0, m_entries.size() - most);
    if (!m_record || m_loading)
        return;
    QJsonArray tokens;
    for (const Entry &entry : std::as_const(m_entries))
        tokens.append(QJsonArray{entry.id.value, QString::fromUtf8(entry.token.reveal())});
    m_record->save(tokens.isEmpty() ? QJsonObject() : QJsonObject{{kTokens, tokens}});
}

} // namespace boxdeck::session
