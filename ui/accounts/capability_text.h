// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/capability_store.h"
#include "ui/common/theme.h"

class QAction;

namespace boxdeck::ui {

/// What people call a feature of a server.
QString featureName(api::Feature feature);

/// A verdict as an icon and a word.
struct SupportLook
{
    const char *icon;
    Token token;
    QString word;
};
SupportLook supportLook(api::Support support);

/// Why a finding is what it is, in a sentence. Safe to show.
QString findingReason(const api::Finding &finding);

/// Why a command that needs `feature` can't be used; empty while it can, or may.
QString lackReason(const session::CapabilityStore &store, api::Feature feature);

/// Enables an action unless the server lacks what it needs, and says so in its tool tip and status text. `usable`: what
/// else decides; `hint`: its tool tip then.
void offerAction(QAction *action, const session::CapabilityStore *store, api::Feature feature, bool usable,
                 const QString &hint = {});

} // namespace boxdeck::ui
