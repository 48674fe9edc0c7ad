// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sandbox_store.h"

#include "backend/core/logging.h"

#include <QPointer>

namespace boxdeck::session {

using protocol::SandboxDetail;
using protocol::SandboxId;
using protocol::SandboxState;
using protocol::SandboxSummary;

namespace {

// A list that leaves out many (a server without paused ones in its list) must not become a storm of questions: so many
// at a time, and a pause before one that was found alive, or gave no answer, is asked for again.
constexpr qsizetype maxConfirming = 8;
constexpr qint64 aliveForMs = 30'000;
constexpr qint64 noAnswerForMs = 10'000;

} // namespace

SandboxStore::SandboxStore(Source source, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_clock(clock)
    , m_poller([this] { return poll(); })
{
    connect(&m_poller, &Poller::inFlightChanged, this, &SandboxStore::loadingChanged);
}

std::optional<SandboxSummary> SandboxStore::find(const SandboxId &id) const
{
    const auto row = m_rows.constFind(id);
    return row == m_rows.constEnd() ? std::nullopt : std::optional(m_items.at(*row));
}

QDateTime SandboxStore::serverNow() const
{
    return m_clock.now().addMSecs(m_source.clockOffsetMs ? m_source.clockOffsetMs().value_or(0) : 0);
}

std::optional<qint64> SandboxStore::secondsLeft(const SandboxSummary &sandbox) const
{
    if (sandbox.state != SandboxState::Running || !sandbox.endAt.isValid())
        return std::nullopt;
    return std::max<qint64>(0, serverNow().secsTo(sandbox.endAt));
}

Call<void> SandboxStore::poll()
{
    return m_source.list().map(
        [this, self = QPointer(this), generation = m_generation](const Result<QList<SandboxSummary>> &list) {
            return self ? take(list, generation) : Result<void>();
        });
}

Result<void> SandboxStore::take(const Result<QList<SandboxSummary>> &list, quint64 generation)
{
    if (!list) {
        m_lastError = list.error();
        Q_EMIT failed(list.error());
        return Failure(list.error());
    }
    if (generation != m_generation) {
        m_poller.pollNow();
        return {};
    }
    QSet<SandboxId> listed;
    for (const SandboxSummary &sandbox : *list) {
        // Two pages may name one sandbox twice when something started in between: the first is the newer.
        if (sandbox.id.isEmpty() || listed.contains(sandbox.id))
            continue;
        listed.insert(sandbox.id);
        m_askAgainMs.remove(sandbox.id);
        if (sandbox.state == SandboxState::Terminal)
            drop(sandbox.id);
        else
            put(sandbox);
    }
    m_missing.clear();
    for (const SandboxSummary &sandbox : std::as_const(m_items)) {
        if (!listed.contains(sandbox.id) && m_askAgainMs.value(sandbox.id) <= m_clock.monotonicMs())
            m_missing.append(sandbox.id);
    }
    confirmMissing();
    m_asOf = m_clock.now();
    m_lastError.reset();
    Q_EMIT updated();
    return {};
}

void SandboxStore::confirmMissing()
{
    while (!m_missing.isEmpty() && m_confirming.size() < maxConfirming) {
        const SandboxId id = m_missing.takeFirst();
        if (m_confirming.contains(id) || !m_rows.contains(id))
            continue;
        m_confirming.insert(id);
        m_source.detail(id).then(this, [this, id, generation = m_generation](const Result<SandboxDetail> &detail) {
            m_confirming.remove(id);
            if (generation == m_generation) // else the next list decides
                takeConfirmation(id, detail);
            confirmMissing();
        });
    }
}

void SandboxStore::takeConfirmation(const SandboxId &id, const Result<SandboxDetail> &detail)
{
    const bool alive = detail && detail->state != SandboxState::Terminal;
    if (detail ? !alive : provesGone(detail.error().kind)) {
        drop(id);
        return;
    }
    if (alive)
        put(*detail);
    m_askAgainMs.insert(id, m_clock.monotonicMs() + (alive ? aliveForMs : noAnswerForMs));
}

Call<SandboxDetail> SandboxStore::refreshOne(const SandboxId &id)
{
    return m_source.detail(id).map([this, self = QPointer(this), id](Result<SandboxDetail> detail) {
        if (!self)
            return detail;
        if (detail && detail->state != SandboxState::Terminal)
            apply(*detail);
        else if (detail || provesGone(detail.error().kind))
            forget(id);
        return detail;
    });
}

void SandboxStore::apply(const SandboxSummary &sandbox)
{
    noteLocalChange();
    put(sandbox);
}

void SandboxStore::forget(const SandboxId &id)
{
    noteLocalChange();
    drop(id);
}

void SandboxStore::noteLocalChange()
{
    ++m_generation;
}

void SandboxStore::put(const SandboxSummary &sandbox)
{
    const auto row = m_rows.constFind(sandbox.id);
    if (row == m_rows.constEnd()) {
        m_rows.insert(sandbox.id, m_items.size());
        m_items.append(sandbox);
        Q_EMIT inserted(sandbox.id);
    } else if (m_items.at(*row) != sandbox) {
        m_items[*row] = sandbox;
        Q_EMIT changed(sandbox.id);
    }
}

void SandboxStore::drop(const SandboxId &id)
{
    const auto row = m_rows.constFind(id);
    if (row == m_rows.constEnd())
        return;
    m_items.removeAt(*row);
    m_askAgainMs.remove(id);
    reindex();
    Q_EMIT removed(id);
}

void SandboxStore::reindex()
{
    m_rows.clear();
    for (qsizetype i = 0; i < m_items.size(); ++i)
        m_rows.insert(m_items.at(i).id, i);
}

} // namespace boxdeck::session
