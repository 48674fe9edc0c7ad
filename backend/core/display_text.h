// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace boxdeck {

/// Untrusted text (file names, messages, titles) made safe to show on one line: control characters, line and
/// bidirectional overrides become visible escapes, and it is cut to `maxLength` characters with an ellipsis.
QString displayText(const QString &untrusted, qsizetype maxLength = 4096);

} // namespace boxdeck
