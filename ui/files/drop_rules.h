// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/filesystem.h"

#include <QList>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace boxdeck::ui {

/// What a drop or paste brought.
struct DropContent
{
    QStringList paths;   ///< files and folders of this computer, absolute
    QStringList refused; ///< what is no file of this computer, for telling
};

/// Reads the URLs of a drop: each is decoded exactly once, so that "#", "%", "+", "?" and brackets stay what they are
/// in the name. Addresses of other computers and of anything but files are refused.
DropContent readDrop(const QList<QUrl> &urls);

/// The folder a drop goes into: the folder under the pointer, also by a link to one, else the folder that is shown.
RemotePath dropFolder(const RemotePath &shown, const std::optional<protocol::EntryInfo> &under);

/// Whether entries of the sandbox may be moved into `target`: not into themselves, not below themselves, not where they
/// are.
bool mayMoveInto(const RemotePath &target, const QList<RemotePath> &entries);

} // namespace boxdeck::ui
