// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/remote_walker.h"

#include "backend/transfer/file_task.h"
#include "backend/transfer/retry_policy.h"

#include <algorithm>

namespace boxdeck::transfer {

namespace {

QByteArray joined(const QList<QByteArray> &parts, const QByteArray &name)
{
    return parts.isEmpty() ? name : parts.join('/') + '/' + name;
}

} // namespace

QByteArray RemoteFile::relative() const
{
    return joined(parts, name);
}

RemoteWalker::RemoteWalker(Lister list, NameRules rules, WalkLimits limits, QObject *parent)
    : QObject(parent)
    , m_list(std::move(list))
    , m_rules(rules)
    , m_limits(limits)
{
}

void RemoteWalker::start(const QList<protocol::EntryInfo> &roots)
{
    QList<RemotePath> paths;
    for (const protocol::EntryInfo &root : roots)
        paths.append(root.path);
    take(roots, paths, {}, true);
    next();
}

void RemoteWalker::next()
{
    if (m_folders.empty() || m_full) {
        // Queued like every other outcome, so that start() never emits.
        QMetaObject::invokeMethod(this, &RemoteWalker::finished, Qt::QueuedConnection);
        return;
    }
    const Folder folder = std::move(m_folders.front());
    m_folders.pop_front();
    m_list(folder.path).then(this, [this, folder](Result<QList<protocol::EntryInfo>> entries) {
        if (!entries && (mayPass(entries.error()) || stopsWholeJob(entries.error()))) {
            Q_EMIT failed(entries.error());
            return;
        }
        if (!entries) {
            problem(folder.parts.mid(0, folder.parts.size() - 1), folder.parts.last(), false, entries.error());
        } else {
            QList<RemotePath> paths;
            for (const protocol::EntryInfo &entry : *entries)
                paths.append(folder.path.child(entry.name).value_or(RemotePath()));
            take(*entries, paths, folder, false);
        }
        next();
    });
}

void RemoteWalker::take(const QList<protocol::EntryInfo> &entries, const QList<RemotePath> &paths, const Folder &folder,
                        bool areRoots)
{
    QList<QByteArray> remoteNames;
    for (const protocol::EntryInfo &entry : entries)
        remoteNames.append(entry.name);
    const auto names = localNames(remoteNames, m_rules);
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const protocol::EntryInfo &entry = entries[i];
        if (++m_seen > m_limits.entries) {
            m_full = true;
            problem(folder.parts, entry.name, false,
                    transferError(ErrorKind::Local, code::tooMuch, QStringLiteral("too many entries")));
            return;
        }
        if (!names[i]) {
            problem(folder.parts, entry.name, true, names[i].error());
            continue;
        }
        if (*names[i] != entry.name) {
            m_scan.renamed.append({QString::fromUtf8(joined(folder.parts, entry.name)),
                                   QString::fromUtf8(joined(folder.parts, *names[i]))});
        }
        const auto refuse = [&](QLatin1String code, const char *why) {
            problem(folder.parts, entry.name, true, transferError(ErrorKind::Local, code, QLatin1String(why)));
        };
        switch (entry.type) {
        case protocol::FileType::Directory:
            if (entry.isSymlink() && !areRoots) {
                refuse(code::link, "a link to a folder");
            } else if (folder.parts.size() + 1 > m_limits.depth) {
                problem(folder.parts, entry.name, false,
                        transferError(ErrorKind::Local, code::tooMuch, QStringLiteral("too deep")));
            } else {
                Folder below{.path = paths[i], .parts = folder.parts};
                below.parts.append(*names[i]);
                m_scan.folders.append(below.parts);
                m_folders.push_back(std::move(below));
            }
            break;
        case protocol::FileType::File:
            m_scan.files.append({.path = paths[i],
                                 .parts = folder.parts,
                                 .name = *names[i],
                                 .size = entry.isSymlink() ? 0 : entry.size,
                                 .modified = entry.modified,
                                 .isLink = entry.isSymlink()});
            m_scan.bytes += m_scan.files.last().size;
            break;
        case protocol::FileType::Unknown:
            if (entry.isSymlink())
                refuse(code::brokenLink, "a link that leads nowhere");
            else
                refuse(code::special, "not a regular file");
            break;
        }
    }
}

void RemoteWalker::problem(const QList<QByteArray> &parts, const QByteArray &name, bool skipped, Error error)
{
    m_scan.problems.append(
        {.name = QString::fromUtf8(joined(parts, name)), .skipped = skipped, .error = std::move(error)});
}

} // namespace boxdeck::transfer
