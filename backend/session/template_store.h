// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/core/clock.h"
#include "backend/protocol/template.h"
#include "backend/session/poller.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <optional>

namespace boxdeck::session {

/// The one truth about a server's templates: polls the list, and says what changed, by id. Slower than the sandboxes,
/// except while something is being built.
class TemplateStore : public QObject
{
    Q_OBJECT

public:
    using List = std::function<Call<QList<protocol::TemplateSummary>>()>;

    TemplateStore(List list, const Clock &clock, QObject *parent = nullptr);

    const QList<protocol::TemplateSummary> &items() const { return m_items; } ///< ids are unique
    std::optional<protocol::TemplateSummary> find(const protocol::TemplateId &id) const;
    /// The template that `nameOrId` means when a sandbox says it was made from it: id, name or alias.
    std::optional<protocol::TemplateSummary> findByName(const QString &nameOrId) const;

    bool hasLoaded() const { return m_asOf.isValid(); }
    QDateTime asOf() const { return m_asOf; } ///< our clock at the last good list; invalid before the first
    std::optional<Error> lastError() const { return m_lastError; }
    bool loading() const { return m_poller.inFlight(); }

    void start() { m_poller.start(); }
    void stop() { m_poller.stop(); }
    void refresh() { m_poller.pollNow(); }
    void setVisible(bool visible) { m_poller.setVisible(visible); }

Q_SIGNALS:
    void inserted(const boxdeck::protocol::TemplateId &id);
    void changed(const boxdeck::protocol::TemplateId &id);
    void removed(const boxdeck::protocol::TemplateId &id);
    void updated();
    void failed(const boxdeck::Error &error);
    void loadingChanged(bool loading);

private:
    Call<void> poll();
    Result<void> take(const Result<QList<protocol::TemplateSummary>> &list);
    void setPaceFor(bool building);

    List m_list;
    const Clock &m_clock;
    Poller m_poller;
    QList<protocol::TemplateSummary> m_items;
    QHash<protocol::TemplateId, qsizetype> m_rows;
    QDateTime m_asOf;
    std::optional<Error> m_lastError;
};

} // namespace boxdeck::session
