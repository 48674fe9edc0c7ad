// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd_filesystem_client.h"

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

// The ways to follow a folder, from the best to what always works. FallbackWatch goes through them.

namespace boxdeck::api {

/// The stream of WatchDir.
class StreamedWatch final : public WatchStream
{
    Q_OBJECT

public:
    StreamedWatch(std::unique_ptr<net::ConnectStream> stream, std::chrono::milliseconds silence);
    void close() override;

private:
    void take(const QByteArray &json);

    std::unique_ptr<net::ConnectStream> m_stream;
    std::chrono::milliseconds m_silence;
};

/// A watcher on the server whose queue is emptied from time to time. Each look takes the events away, so one whose
/// answer is lost ends the watch: it is never sent again. The watcher is removed with this object, also one that is
/// still being made.
class PolledWatch final : public WatchStream
{
    Q_OBJECT

public:
    PolledWatch(EnvdFilesystemClient client, const RemotePath &folder, const protocol::WatchOptions &options,
                std::chrono::milliseconds interval);
    ~PolledWatch() override;
    void close() override;

private:
    struct Watcher; ///< what is left on the server; outlives this object until it is removed

    void poll();
    void end(const Error &error);

    EnvdFilesystemClient m_client;
    std::shared_ptr<Watcher> m_watcher;
    Call<QList<protocol::WatchEvent>> m_call;
    QTimer m_timer;
    bool m_closed = false;
};

/// Lists the folder again and again and tells what differs. A file that changes without another size, time or mode is
/// not noticed.
class ListedWatch final : public WatchStream
{
    Q_OBJECT

public:
    ListedWatch(EnvdFilesystemClient client, RemotePath folder, bool recursive, std::chrono::milliseconds interval);
    void close() override;

private:
    using Entries = QHash<QByteArray, protocol::EntryInfo>; ///< by the path below the folder
    struct Seen
    {
        Entries entries;
        QList<protocol::WatchEvent> events; ///< what differs from the time before
    };
    static Seen compared(const RemotePath &folder, const Entries &before, const QList<protocol::EntryInfo> &entries);

    void list();
    void take(const Seen &seen);

    EnvdFilesystemClient m_client;
    RemotePath m_folder;
    int m_depth;
    std::chrono::milliseconds m_interval;
    Call<Seen> m_call;
    Entries m_known;
    QElapsedTimer m_took;
    QTimer m_timer;
    bool m_started = false;
    bool m_closed = false;
};

/// Tries each way in turn and stays with the first one the server knows.
class FallbackWatch final : public WatchStream
{
    Q_OBJECT

public:
    using Way = std::function<std::unique_ptr<WatchStream>()>;

    explicit FallbackWatch(std::vector<Way> ways);
    void close() override;

private:
    void tryNext();

    std::vector<Way> m_ways;
    size_t m_next = 0;
    std::unique_ptr<WatchStream> m_current;
};

} // namespace boxdeck::api
