// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/theme.h"

#include <QIcon>
#include <QPixmap>

namespace boxdeck::ui {

/// An icon of our own family (resources/icons/boxdeck/scalable/NAME.svg), drawn in `token`'s colour of the scheme
/// that is current when it is painted: after a change of theme nothing has to be set again. An unknown name is an
/// empty icon and a warning.
QIcon icon(const char *name, Token token = Token::Text);

/// The same as a pixmap of `size` device-independent pixels, for delegates.
QPixmap iconPixmap(const char *name, int size = kIconSize, Token token = Token::Text, qreal devicePixelRatio = 1.0);

/// A drawing for an empty pane (resources/illustrations/NAME.svg) in the colours of the current scheme.
QPixmap illustration(const char *name, int size, qreal devicePixelRatio = 1.0);

} // namespace boxdeck::ui
