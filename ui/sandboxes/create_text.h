// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QString>

namespace boxdeck::ui {

/// What is wrong with a sandbox that is to be created, and what to do about it; `error` comes from checkNewSandbox() or
/// createLifetime().
QString createProblem(const Error &error);

} // namespace boxdeck::ui
