// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/template.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

/// A template list, in the forms decodeSandboxList() takes. Errors as there.
Result<QList<TemplateSummary>> decodeTemplateList(const QByteArray &json);

} // namespace boxdeck::protocol
