// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/json_reader.h"

namespace boxdeck::protocol {

/// The elements of a list answer: an array, null, or an object whose only array they are (protocol/compat.md 2.9).
Result<QList<JsonReader>> listItems(const JsonReader &reader);

} // namespace boxdeck::protocol
