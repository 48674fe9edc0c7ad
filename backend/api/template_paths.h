// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/sandbox_target.h"
#include "backend/protocol/template.h"

namespace boxdeck::api {

/// "/templates/<id or name>…", the id as one segment: names hold slashes and colons.
inline QByteArray templatePath(const QString &idOrName, const QByteArray &rest = {})
{
    return "/templates/" + encodeSegment(idOrName) + rest;
}

inline QByteArray buildPath(const protocol::TemplateId &id, const protocol::BuildId &build, const QByteArray &rest = {})
{
    return templatePath(id.value, "/builds/" + encodeSegment(build.value) + rest);
}

} // namespace boxdeck::api
