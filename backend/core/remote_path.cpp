// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/remote_path.h"

#include <QHash>
#include <QList>

namespace boxdeck {

namespace {

Failure invalid(const QString &message)
{
    return tl::unexpected(Error{.kind = ErrorKind::InvalidRequest, .message = message});
}

} // namespace

Result<RemotePath> RemotePath::parse(const QByteArray &absolute)
{
    if (!absolute.startsWith('/'))
        return invalid(QStringLiteral("not an absolute path: '%1'").arg(QString::fromUtf8(absolute)));
    if (absolute.contains('\0'))
        return invalid(QStringLiteral("a path can't hold a NUL byte"));
    QList<QByteArray> parts;
    for (const QByteArray &part : absolute.split('/')) {
        if (part.isEmpty() || part == ".")
            continue;
        if (part == "..") {
            if (!parts.isEmpty())
                parts.removeLast();
            continue;
        }
        parts.append(part);
    }
    return RemotePath('/' + parts.join('/'));
}

bool RemotePath::isEntryName(const QByteArray &name)
{
    return !name.isEmpty() && name != "." && name != ".." && !name.contains('/') && !name.contains('\0');
}

Result<RemotePath> RemotePath::child(const QByteArray &name) const
{
    if (!isEntryName(name))
        return invalid(QStringLiteral("not a file name: '%1'").arg(QString::fromUtf8(name)));
    return RemotePath(isRoot() ? m_bytes + name : m_bytes + '/' + name);
}

RemotePath RemotePath::parent() const
{
    const qsizetype slash = m_bytes.lastIndexOf('/');
    return slash <= 0 ? RemotePath() : RemotePath(m_bytes.left(slash));
}

QByteArray RemotePath::name() const
{
    return m_bytes.mid(m_bytes.lastIndexOf('/') + 1);
}

bool RemotePath::contains(const RemotePath &other) const
{
    if (isRoot() || *this == other)
        return true;
    return other.m_bytes.size() > m_bytes.size() && other.m_bytes.startsWith(m_bytes) &&
           other.m_bytes[m_bytes.size()] == '/';
}

size_t qHash(const RemotePath &path, size_t seed)
{
    return qHash(path.bytes(), seed);
}

} // namespace boxdeck
