// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"
#include "ui/common/theme.h"

#include <optional>

namespace boxdeck::session {
class SandboxStore;
}

namespace boxdeck::ui {

/// How a state is shown: never by its colour alone.
struct StateLook
{
    const char *icon;
    Token token;
    QString word; ///< translated
};
StateLook stateLook(const protocol::SandboxSummary &sandbox);
/// The look of a sandbox that is not there any more.
StateLook endedLook();

/// What people call a sandbox: its metadata "name", else its id.
/// Safe to show on one line.
QString sandboxName(const protocol::SandboxSummary &sandbox);
/// sandboxName() of one in `store`, or the id if it is not known there.
QString sandboxName(const session::SandboxStore &store, const protocol::SandboxId &id);

/// The name in the quotation marks that sentences use.
QString quoted(const QString &name);

/// From how many seconds left a lease is warned of, and warned of again.
inline constexpr qint64 kLeaseWarning = 5 * 60;
inline constexpr qint64 kLeaseLastWarning = 60;

/// "12 min 30 s", "ended" for 0, "no limit" if it has no end, and a dash if it is not running.
QString timeLeftText(const protocol::SandboxSummary &sandbox, std::optional<qint64> secondsLeft);
/// Text, Warning from kLeaseWarning and Danger from kLeaseLastWarning on.
Token timeLeftToken(std::optional<qint64> secondsLeft);

/// Metadata as "key=value" pairs on one line, without what Boxdeck keeps there for itself.
QString metadataText(const QMap<QString, QString> &metadata);
/// The metadata that is for people.
QMap<QString, QString> visibleMetadata(QMap<QString, QString> metadata);

} // namespace boxdeck::ui
