// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/drop_rules.h"

#include <algorithm>

namespace boxdeck::ui {

DropContent readDrop(const QList<QUrl> &urls)
{
    DropContent content;
    for (const QUrl &url : urls) {
        const bool here =
            url.host().isEmpty() || url.host().compare(QLatin1String("localhost"), Qt::CaseInsensitive) == 0;
        // path() in its decoded form, not toLocalFile() of a URL with a host: that would be a network path.
        const QString path = url.isLocalFile() && here ? url.path(QUrl::FullyDecoded) : QString();
        if (path.startsWith(QLatin1Char('/')) && !path.contains(QChar(0)))
            content.paths.append(path);
        else
            content.refused.append(url.toDisplayString());
    }
    return content;
}

RemotePath dropFolder(const RemotePath &shown, const std::optional<protocol::EntryInfo> &under)
{
    return under && under->isDirectory() ? under->path : shown;
}

bool mayMoveInto(const RemotePath &target, const QList<RemotePath> &entries)
{
    return std::none_of(entries.begin(), entries.end(),
                        [&](const RemotePath &entry) { return entry.contains(target) || entry.parent() == target; });
}

} // namespace boxdeck::ui
