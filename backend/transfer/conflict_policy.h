// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>

namespace boxdeck::transfer {

/// The answers to "something of that name is there already".
enum class ConflictChoice { Overwrite, IfNewer, IfSizeDiffers, Rename, Skip };

/// What is known of a file when the question is decided.
struct FileFacts
{
    qint64 size = 0; ///< bytes
    QDateTime modified;

    bool operator==(const FileFacts &) const = default;
};

/// What to do with one file after the answer.
enum class ConflictAction { Write, Skip, Rename };

/// Applies an answer. IfNewer writes when the source is newer by a full second or more, because the two sides keep time
/// with different precision; an unknown time counts as newer, since leaving a stale file would be the silent loss.
ConflictAction decideConflict(ConflictChoice choice, const FileFacts &source, const FileFacts &target);

/// "a.txt" and 2 give "a (2).txt"; ".env" gives ".env (2)"; "x.tar.gz" gives "x (2).tar.gz". Never longer than 255
/// bytes, never cut inside a character.
QByteArray numberedName(const QByteArray &name, int number);

} // namespace boxdeck::transfer
