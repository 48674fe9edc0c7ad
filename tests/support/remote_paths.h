// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/remote_path.h"

namespace boxdeck::test {

/// A path that is known to be a good one.
inline RemotePath path(const QByteArray &text)
{
    return RemotePath::parse(text).value();
}

} // namespace boxdeck::test
