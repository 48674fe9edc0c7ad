// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <tl/expected.hpp>

namespace boxdeck {

/// A value or the reason there is none. std::expected would need C++23.
template <typename T> using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

} // namespace boxdeck
