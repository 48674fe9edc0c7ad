// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/background.h"

#include <QByteArray>

namespace boxdeck::api {

/// Decodes a body: at once if it is small, else on another thread, as a listing of 100,000 files would freeze the
/// window.
template <typename T> Call<T> decoded(const QByteArray &body, Result<T> (*decode)(const QByteArray &))
{
    constexpr qsizetype small = 256 * 1024;
    if (body.size() <= small)
        return Call<T>::settled(decode(body));
    return inBackground([body, decode] { return decode(body); });
}

} // namespace boxdeck::api
