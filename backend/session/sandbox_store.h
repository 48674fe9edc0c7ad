// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/core/clock.h"
#include "backend/protocol/sandbox.h"
#include "backend/session/poller.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <functional>
#include <optional>

namespace boxdeck::session {

/// The one truth about which sandboxes a server has: polls the list, and says what changed, by id.
///
/// A sandbox missing in a list may still live (it is being snapshotted, or the server lists no paused ones), so it is
/// dropped only after its detail answered that it is gone; until then the last that was known stays. A list that was
/// asked for before a change made from here is thrown away: it would undo on screen what was just done.
class SandboxStore : public QObject
{
    Q_OBJECT

public:
    /// Where answers come from.
    struct Source
    {
        std::function<Call<QList<protocol::SandboxSummary>>()> list;
        std::function<Call<protocol::SandboxDetail>(const protocol::SandboxId &)> detail;
        /// By how much the server's clock is ahead of ours, in milliseconds; nothing while unknown.
        std::function<std::optional<qint64>()> clockOffsetMs;
    };

    SandboxStore(Source source, const Clock &clock, QObject *parent = nullptr);

    /// In the order in which they became known; ids are unique.
    const QList<protocol::SandboxSummary> &items() const { return m_items; }
    std::optional<protocol::SandboxSummary> find(const protocol::SandboxId &id) const;

    bool hasLoaded() const { return m_asOf.isValid(); } ///< a first list has arrived
    QDateTime asOf() const { return m_asOf; }           ///< our clock at the last good list; invalid before the first
    std::optional<Error> lastError() const { return m_lastError; } ///< why the last poll failed; empty after a good one
    bool loading() const { return m_poller.inFlight(); }

    /// The server's clock now, as far as it is known (its Date header): lifetimes are told against this one only.
    QDateTime serverNow() const;
    /// Seconds until the sandbox ends, 0 if that is past; nothing if it has no end or is not running.
    std::optional<qint64> secondsLeft(const protocol::SandboxSummary &sandbox) const;

    void start() { m_poller.start(); }
    void stop() { m_poller.stop(); }
    void refresh() { m_poller.pollNow(); }
    void setVisible(bool visible) { m_poller.setVisible(visible); } ///< polls slower while false
    void setPace(const Poller::Pace &pace) { m_poller.setPace(pace); }

    /// Takes what an answer about one sandbox said, and drops lists asked for earlier.
    void apply(const protocol::SandboxSummary &sandbox);
    /// Takes that a sandbox is gone (its kill succeeded, its detail is a 404), likewise.
    void forget(const protocol::SandboxId &id);
    /// Something was changed from here whose effect only the next list shows.
    void noteLocalChange();
    /// Asks for one sandbox now; what it says is applied, and passed on.
    Call<protocol::SandboxDetail> refreshOne(const protocol::SandboxId &id);

Q_SIGNALS:
    void inserted(const boxdeck::protocol::SandboxId &id);
    void changed(const boxdeck::protocol::SandboxId &id);
    void removed(const boxdeck::protocol::SandboxId &id);
    /// A poll succeeded (whether or not it changed anything): asOf() is new.
    void updated();
    void failed(const boxdeck::Error &error);
    void loadingChanged(bool loading);

private:
    Call<void> poll();
    Result<void> take(const Result<QList<protocol::SandboxSummary>> &list, quint64 generation);
    void put(const protocol::SandboxSummary &sandbox);
    void drop(const protocol::SandboxId &id);
    void confirmMissing();
    void takeConfirmation(const protocol::SandboxId &id, const Result<protocol::SandboxDetail> &detail);
    void reindex();

    Source m_source;
    const Clock &m_clock;
    Poller m_poller;
    QList<protocol::SandboxSummary> m_items;
    QHash<protocol::SandboxId, qsizetype> m_rows;
    QList<protocol::SandboxId> m_missing;            // left out by the last list, to be asked for
    QSet<protocol::SandboxId> m_confirming;          // being asked for
    QHash<protocol::SandboxId, qint64> m_askAgainMs; // left out, asked for, and not gone: Clock::monotonicMs()
    QDateTime m_asOf;
    std::optional<Error> m_lastError;
    quint64 m_generation = 0;
};

} // namespace boxdeck::session
