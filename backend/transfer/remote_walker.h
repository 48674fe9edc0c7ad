// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/protocol/filesystem.h"
#include "backend/transfer/local_names.h"
#include "backend/transfer/local_walker.h"

#include <QObject>

#include <deque>
#include <functional>

namespace boxdeck::transfer {

/// A file found in the sandbox, with the place it gets on this computer.
struct RemoteFile
{
    RemotePath path;
    QList<QByteArray> parts; ///< local names of the folders it goes into, below the chosen one
    QByteArray name;         ///< local
    qint64 size = 0;         ///< bytes; 0 for a link, whose size is known only when it is fetched
    QDateTime modified;
    bool isLink = false;

    QByteArray relative() const; ///< parts and name, joined by "/"
};

struct RemoteScan
{
    QList<QList<QByteArray>> folders; ///< local names; a folder comes before what it holds
    QList<RemoteFile> files;
    QList<Problem> problems;
    QList<std::pair<QString, QString>> renamed; ///< names this computer can't hold, and what they became
    qint64 bytes = 0;
};

/// Finds everything below some entries of a sandbox, one listing at a time, and gives it names this computer can hold.
///
/// Links: one that was asked for itself is followed. Below, a link to a file is copied as the file, for it can't show
/// more than the sandbox holds anyway; links to folders are left out and listed, so that a loop can't be entered; so
/// are broken links, sockets, pipes, devices, and names that could leave the chosen folder.
class RemoteWalker : public QObject
{
    Q_OBJECT

public:
    using Lister = std::function<Call<QList<protocol::EntryInfo>>(const RemotePath &)>;

    RemoteWalker(Lister list, NameRules rules, WalkLimits limits = {}, QObject *parent = nullptr);

    void start(const QList<protocol::EntryInfo> &roots);
    const RemoteScan &scan() const { return m_scan; }

Q_SIGNALS:
    void finished();
    /// The walk can't go on, e.g. the connection broke. A folder that can't be read is a problem of the scan instead.
    void failed(const boxdeck::Error &error);

private:
    struct Folder
    {
        RemotePath path;
        QList<QByteArray> parts;
    };
    void next();
    void take(const QList<protocol::EntryInfo> &entries, const QList<RemotePath> &paths, const Folder &folder,
              bool areRoots);
    void problem(const QList<QByteArray> &parts, const QByteArray &name, bool skipped, Error error);

    Lister m_list;
    NameRules m_rules;
    WalkLimits m_limits;
    RemoteScan m_scan;
    std::deque<Folder> m_folders;
    qint64 m_seen = 0;
    bool m_full = false;
};

} // namespace boxdeck::transfer
