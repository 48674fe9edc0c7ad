// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QString>

namespace boxdeck::ui {

/// An error as people read it: `what` (a whole translated sentence saying what did not happen, naming the thing:
/// "The sandbox “web-1” was not paused."), then why, then what to do next. Gone, ended, paused, offline,
/// unauthorised, rate-limited and a full disk read differently.
QString errorSentence(const Error &error, const QString &what);

/// Why, and what to do next, without the first sentence.
QString errorReason(const Error &error);

/// The facts for a bug report: status, code, request id and the server's own words, in one line of safe text; may be
/// empty.
QString errorDetails(const Error &error);

/// The sentence and the facts, for the clipboard.
QString errorForClipboard(const Error &error, const QString &what);

} // namespace boxdeck::ui
