// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/template_build.h"

#include <QByteArray>

namespace boxdeck::protocol {

Result<TemplateDetail> decodeTemplateDetail(const QByteArray &json);
/// The answer of any create call, v3 or older.
Result<TemplateRequested> decodeTemplateRequested(const QByteArray &json);
Result<BuildInfo> decodeBuildInfo(const QByteArray &json);
/// A bad answer if neither is the layer present nor is it said where it goes.
Result<LayerUpload> decodeLayerUpload(const QByteArray &json);
Result<QList<TemplateTag>> decodeTemplateTags(const QByteArray &json);
Result<BuildId> decodeAssignedTags(const QByteArray &json);
Result<TemplateAlias> decodeTemplateAlias(const QByteArray &json);
/// The names in the answer of a change; none for null or nothing, as older calls answer.
Result<QStringList> decodeTemplateNames(const QByteArray &json);

QByteArray encodeNewTemplate(const NewTemplate &wanted);
/// The older form: the name as alias, no tags.
QByteArray encodeNewTemplateV2(const NewTemplate &wanted);
/// Holds the registry's credentials: for the request, nothing else.
QByteArray encodeBuildStart(const BuildStart &start);
QByteArray encodeVisibility(bool isPublic);
QByteArray encodeAssignTags(const QString &target, const QStringList &tags);
QByteArray encodeRemoveTags(const QString &name, const QStringList &tags);

} // namespace boxdeck::protocol
