// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd.h"
#include "backend/transfer/transfer_engine.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <memory>

namespace boxdeck::models {

/// Follows one folder of a sandbox: lists it, watches it, and tells what changes.
///
/// The watch is opened before the list is asked for, so nothing falls between them. Events only say which names to look
/// at; the truth is asked for anew, a few names by Stat and many by a list, and the more seldom the longer a list
/// takes. Where the server can't watch, the folder is listed every few seconds. A lost watch is opened again with
/// growing pauses. Nothing is sent while stopped or suspended, and each connection is asked for anew from the source,
/// which wakes nothing.
class FolderFeed : public QObject
{
    Q_OBJECT

public:
    struct Pace
    {
        std::chrono::milliseconds gather{150};      ///< events of this long are looked at together
        std::chrono::milliseconds watchStart{1000}; ///< how long a list waits for the watch
        std::chrono::milliseconds poll{4000};       ///< between lists where there is no watch
        std::chrono::milliseconds firstRetry{1000}; ///< before a lost watch is opened again; doubled up to 30 s
    };

    explicit FolderFeed(transfer::EnvdSource source, QObject *parent = nullptr)
        : FolderFeed(std::move(source), Pace(), parent)
    {
    }
    FolderFeed(transfer::EnvdSource source, Pace pace, QObject *parent = nullptr);
    ~FolderFeed() override;

    void open(const RemotePath &folder);
    void reload(); ///< asks for everything again, the connection included
    void stop();   ///< lets go; open() or reload() goes on
    const RemotePath &folder() const { return m_folder; }

Q_SIGNALS:
    void loadingChanged(bool loading);
    void listed(const QList<boxdeck::protocol::EntryInfo> &entries);
    void entryChanged(const boxdeck::protocol::EntryInfo &entry);
    void entryRemoved(const QByteArray &name);
    /// The folder can't be listed. After an outage it is tried again by itself; `passing` says whether.
    void failed(const boxdeck::Error &error, bool passing);

private:
    void connectAnew();
    void startWatch();
    void onWatchEvent(const protocol::WatchEvent &event);
    void onWatchEnded(const net::StreamEnd &end);
    void list();
    void lookAtChanges();
    void retryLater();
    void setLoading(bool loading);
    void fail(const Error &error);

    transfer::EnvdSource m_source;
    Pace m_pace;
    RemotePath m_folder;
    std::shared_ptr<api::Envd> m_envd;
    std::unique_ptr<api::WatchStream> m_watch;
    Call<std::shared_ptr<api::Envd>> m_envdCall;
    Call<QList<protocol::EntryInfo>> m_listCall;
    QSet<QByteArray> m_changed; ///< names to look at
    QTimer m_gather;
    QTimer m_poll;
    QTimer m_retry;
    QTimer m_watchStart;
    QElapsedTimer m_listTime;
    QElapsedTimer m_watchTime;
    qint64 m_lastListMs = 0;
    int m_statsUnderWay = 0;
    int m_failures = 0;
    bool m_listAgain = false;
    bool m_loading = false;
    bool m_stopped = true;
    quint64 m_run = 0;
};

} // namespace boxdeck::models
