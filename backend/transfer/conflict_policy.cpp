// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/conflict_policy.h"

namespace boxdeck::transfer {

ConflictAction decideConflict(ConflictChoice choice, const FileFacts &source, const FileFacts &target)
{
    switch (choice) {
    case ConflictChoice::Overwrite:
        return ConflictAction::Write;
    case ConflictChoice::IfNewer:
        if (!source.modified.isValid() || !target.modified.isValid())
            return ConflictAction::Write;
        return source.modified.toSecsSinceEpoch() > target.modified.toSecsSinceEpoch() ? ConflictAction::Write
                                                                                       : ConflictAction::Skip;
    case ConflictChoice::IfSizeDiffers:
        return source.size != target.size ? ConflictAction::Write : ConflictAction::Skip;
    case ConflictChoice::Rename:
        return ConflictAction::Rename;
    case ConflictChoice::Skip:
        return ConflictAction::Skip;
    }
    return ConflictAction::Skip;
}

QByteArray numberedName(const QByteArray &name, int number)
{
    constexpr qsizetype maxName = 255; // bytes, NAME_MAX of every Linux file system
    // The extension starts at the last dot, or before a ".tar"; a leading dot is no extension.
    qsizetype dot = name.lastIndexOf('.');
    if (dot > 4 && name.mid(dot - 4, 4) == ".tar")
        dot -= 4;
    if (dot <= 0 || name.size() - dot > 32)
        dot = name.size();
    QByteArray stem = name.left(dot);
    const QByteArray tail = " (" + QByteArray::number(number) + ')' + name.mid(dot);
    if (stem.size() + tail.size() > maxName) {
        qsizetype cut = maxName - tail.size();
        while (cut > 0 && (static_cast<unsigned char>(stem[cut]) & 0xc0) == 0x80)
            --cut;
        stem.truncate(cut);
    }
    return stem + tail;
}

} // namespace boxdeck::transfer
