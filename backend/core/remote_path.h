// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

namespace boxdeck {

/// An absolute path inside a sandbox, kept as the bytes the sandbox uses and always normalised: no empty, "." or
/// ".." parts, no trailing slash (except "/" itself). A path from here can be sent as it is: the data plane does not
/// clean paths, and an empty one would mean the home folder.
class RemotePath
{
public:
    RemotePath()
        : m_bytes("/")
    {
    }

    /// Normalises an absolute path. InvalidRequest if it is empty, relative or holds a NUL.
    static Result<RemotePath> parse(const QByteArray &absolute);
    static Result<RemotePath> parse(const QString &absolute) { return parse(absolute.toUtf8()); }

    /// True if `name` can be one entry of a folder: not empty, not "." or "..", no slash, no NUL.
    static bool isEntryName(const QByteArray &name);

    /// The entry `name` of this folder. InvalidRequest unless isEntryName(name): names come from the server.
    Result<RemotePath> child(const QByteArray &name) const;

    RemotePath parent() const; ///< of "/" it is "/"
    QByteArray name() const;   ///< the last part; empty for "/"
    bool isRoot() const { return m_bytes.size() == 1; }
    /// True for itself and everything below it.
    bool contains(const RemotePath &other) const;

    const QByteArray &bytes() const { return m_bytes; }
    QString toString() const { return QString::fromUtf8(m_bytes); } ///< for requests; for people use displayText()

    bool operator<(const RemotePath &other) const { return m_bytes < other.m_bytes; }
    bool operator==(const RemotePath &other) const = default;

private:
    explicit RemotePath(QByteArray normalised)
        : m_bytes(std::move(normalised))
    {
    }
    QByteArray m_bytes;
};

size_t qHash(const RemotePath &path, size_t seed = 0);

} // namespace boxdeck
