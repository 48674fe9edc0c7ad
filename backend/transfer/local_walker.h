// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/transfer_info.h"

#include <atomic>

namespace boxdeck::transfer {

/// How far a scan goes before it gives up on a branch (depth) or on everything (entries).
struct WalkLimits
{
    int depth = 128;
    qint64 entries = 1000000;
};

/// A file found on this computer.
struct LocalFile
{
    QByteArray path;     ///< absolute
    QByteArray relative; ///< below the target folder, beginning with the name that was given
    qint64 size = 0;     ///< bytes, at the time of the scan
};

/// What a scan found. Folders come before what they hold; `relative` paths use "/".
struct LocalScan
{
    QList<QByteArray> folders; ///< relative, empty ones too
    QList<LocalFile> files;
    QList<Problem> problems;
    qint64 bytes = 0;
};

/// Finds everything below `roots`, hidden files and empty folders included. Blocks; runs on a disk thread. Returns
/// early once `stop` is set.
///
/// Links: one that was given itself is followed. Below, a link to a file is followed if the file lies in the folder
/// that was given, so that a folder from a stranger can't smuggle in a private file of this computer; every other link,
/// to folders always, is left out and listed as a problem. So a loop can't be entered. Sockets, pipes, devices and
/// names that are not UTF-8 (which the protocol can't carry) are listed as problems as well.
LocalScan scanLocal(const QList<QByteArray> &roots, const std::atomic_bool &stop, WalkLimits limits = {});

} // namespace boxdeck::transfer
