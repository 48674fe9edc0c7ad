// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/templates_client.h"
#include "backend/protocol/log_book.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace boxdeck::api {

/// Follows a build to its end and collects its log. A poll that fails is asked again, later and later; only a server
/// that stays away is given up, and that is not a failed build. Ends once.
class BuildWatch : public QObject
{
    Q_OBJECT

public:
    struct Pace
    {
        std::chrono::milliseconds interval{1000};
        std::chrono::milliseconds maxBackoff{15'000};
        std::chrono::milliseconds patience{120'000}; ///< without any answer before it ends as LostContact
    };
    enum class End {
        Ready,
        Failed,      ///< the server says so: reason()
        NoSuchBuild, ///< it is gone, or never was
        LostContact, ///< how it went on is not known: error()
        Refused,     ///< the server does not let us ask: error()
    };
    Q_ENUM(End)

    /// Begins at once. The client may go before the watch does.
    BuildWatch(TemplatesClient client, protocol::TemplateId id, protocol::BuildId build, QObject *parent = nullptr);
    BuildWatch(TemplatesClient client, protocol::TemplateId id, protocol::BuildId build, const Pace &pace,
               QObject *parent = nullptr);

    protocol::BuildStatus status() const { return m_status; }
    const protocol::BuildReason &reason() const { return m_reason; }
    const std::optional<Error> &error() const { return m_error; } ///< of the last poll, if it failed
    const QList<protocol::LogEntry> &log() const { return m_log.entries(); }
    std::optional<End> end() const { return m_end; }

Q_SIGNALS:
    void statusChanged(boxdeck::protocol::BuildStatus status);
    /// Lines from `first` on are new or moved; usually only appended.
    void logGrown(qsizetype first);
    /// A poll failed, and is asked again: show that what is seen is old.
    void interrupted(const boxdeck::Error &error);
    void ended(boxdeck::api::BuildWatch::End end);

private:
    void poll();
    void take(const Result<protocol::BuildInfo> &answer);
    void tolerate(const Error &error);
    void schedule(std::chrono::milliseconds pause);
    void finish(End end);

    TemplatesClient m_client;
    protocol::TemplateId m_id;
    protocol::BuildId m_build;
    Pace m_pace;
    QTimer m_timer;
    QElapsedTimer m_silence; ///< since the last answer
    protocol::LogBook m_log;
    protocol::BuildStatus m_status = protocol::BuildStatus::Waiting;
    protocol::BuildReason m_reason;
    std::optional<Error> m_error;
    std::optional<End> m_end;
    int m_offset = 0;   ///< lines the server gave so far
    int m_failures = 0; ///< in a row
    int m_lastPages = 0;
};

} // namespace boxdeck::api
