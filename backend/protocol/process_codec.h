// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/process.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

/// What Start asks for.
struct ProcessStart
{
    ProcessConfig config;
    std::optional<PtySize> pty;
    QString tag;            ///< empty: none
    bool openStdin = false; ///< false: /dev/null; without meaning for a PTY

    bool operator==(const ProcessStart &) const = default;
};

// Messages of process.Process in proto3 JSON. Errors: Internal, code "bad_answer".

QByteArray encodeStart(const ProcessStart &start);
QByteArray encodeSelector(const ProcessSelector &process); ///< Connect, CloseStdin
QByteArray encodeInput(const ProcessSelector &process, InputKind kind, const QByteArray &data);
QByteArray encodeSignal(const ProcessSelector &process, ProcessSignal signal);
QByteArray encodeResize(const ProcessSelector &process, PtySize size);
QByteArray encodeInputStart(const ProcessSelector &process); ///< the first message of StreamInput
QByteArray encodeInputData(InputKind kind, const QByteArray &data);

Result<QList<ProcessInfo>> decodeProcessList(const QByteArray &json);
/// The events of one Start or Connect message: usually one, none for an event this version does not know, several
/// when a server puts stdout and stderr into one (protocol/compat.md 3.12).
Result<QList<ProcessEvent>> decodeProcessEvents(const QByteArray &json);

} // namespace boxdeck::protocol
