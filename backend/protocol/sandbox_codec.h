// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/sandbox.h"

#include <QByteArray>

namespace boxdeck::protocol {

// Errors of all decoders: Internal, code "bad_answer", with the path of what is wrong.

/// A sandbox list: an array, null (empty), or an object with one array in it (protocol/compat.md 2.9).
Result<QList<SandboxSummary>> decodeSandboxList(const QByteArray &json);
Result<SandboxDetail> decodeSandboxDetail(const QByteArray &json);
/// Only sandboxID is mandatory; a missing templateID is taken from `asked` (protocol/compat.md 2.10).
Result<SandboxAccess> decodeSandboxAccess(const QByteArray &json, const TemplateId &asked = {});
/// The body of create.
QByteArray encodeNewSandbox(const NewSandbox &sandbox);
/// The body of connect and timeout.
QByteArray encodeTimeout(std::chrono::seconds timeout);
/// The word of the list filter, empty if servers know none.
QString stateWord(SandboxState state);

} // namespace boxdeck::protocol
