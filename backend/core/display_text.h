// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace boxdeck {

/// Untrusted text (file names, messages, titles) made safe to show on one line: control characters, line and
/// bidirectional overrides become visible escapes, and it is cut to `maxLength` characters with an ellipsis.
QString displayText(const QString &untrusted, qsizetype maxLength = 4096);

/// Text for a tool tip, untrusted or not. Tool tips can't be told that a text is plain: whatever looks like HTML would
/// be rendered, and a picture in it read from this computer (from a device without end, too). Line breaks are kept; cut
/// to 4096 characters with an ellipsis, for it is laid out whole.
QString toolTipText(const QString &plain);

} // namespace boxdeck
