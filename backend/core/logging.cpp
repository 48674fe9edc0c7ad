// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/logging.h"

namespace boxdeck {

Q_LOGGING_CATEGORY(lcNet, "boxdeck.net", QtWarningMsg)
Q_LOGGING_CATEGORY(lcApi, "boxdeck.api", QtWarningMsg)
Q_LOGGING_CATEGORY(lcSession, "boxdeck.session", QtWarningMsg)
Q_LOGGING_CATEGORY(lcTransfer, "boxdeck.transfer", QtWarningMsg)
Q_LOGGING_CATEGORY(lcTerminal, "boxdeck.terminal", QtWarningMsg)
Q_LOGGING_CATEGORY(lcUi, "boxdeck.ui", QtWarningMsg)

} // namespace boxdeck
