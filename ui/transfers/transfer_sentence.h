// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/transfer_info.h"

#include <QString>

namespace boxdeck::ui {

/// Why a file did not arrive and what to do next, for the codes of transfers; other errors as errorReason() says them.
QString transferReason(const Error &error, transfer::Direction direction);

/// What a transfer has to say beside its state: "3 of 120 files were not copied", "left out: 2 links"; may be empty.
QString transferSummary(const transfer::TransferInfo &info);

/// One line about one file: its name, and why.
QString problemLine(const transfer::Problem &problem, transfer::Direction direction);

} // namespace boxdeck::ui
