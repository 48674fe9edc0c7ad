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
/// Forks made and not made, in the server's order.
Result<QList<ForkResult>> decodeForks(const QByteArray &json);
/// The body of create: what was set, and the fields that always go.
QByteArray encodeNewSandbox(const NewSandbox &sandbox, const CreateDialect &dialect = {});
/// The body of connect, resume and timeout.
QByteArray encodeTimeout(std::chrono::seconds timeout, std::optional<bool> memory = {});
QByteArray encodePause(bool keepMemory);
QByteArray encodeFork(const ForkRequest &request);
QByteArray encodeRefresh(std::chrono::seconds duration);
QByteArray encodeNetworkUpdate(const NetworkUpdate &rules);
/// The word of the list filter, empty if servers know none.
QString stateWord(SandboxState state);

} // namespace boxdeck::protocol
