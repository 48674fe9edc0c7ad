// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfers/transfer_sentence.h"

#include "backend/core/display_text.h"
#include "ui/common/error_sentence.h"

#include <QCoreApplication>

#include <algorithm>

namespace boxdeck::ui {

namespace {

struct Sentence
{
    Q_DECLARE_TR_FUNCTIONS(TransferSentence)
};

} // namespace

QString transferReason(const Error &error, transfer::Direction direction)
{
    namespace code = transfer::code;
    const bool up = direction == transfer::Direction::Upload;
    const auto is = [&](QLatin1String wanted) { return error.code == wanted; };
    if (is(code::badName))
        return up ? Sentence::tr("Its name can't be sent: it is not UTF-8. Rename it, then try again.")
                  : Sentence::tr("Its name can't be used on this computer, or would leave the chosen folder.");
    if (is(code::sourceChanged))
        return Sentence::tr("It changes while it is copied. Try again when nothing writes to it.");
    if (is(code::shortBody))
        return Sentence::tr("Not all of it arrived, so it was not kept. Try again.");
    if (is(code::diskFull))
        return up && error.kind != ErrorKind::Local
                   ? Sentence::tr("The sandbox's disk is full. Delete files there, then try again.")
                   : Sentence::tr("This computer's disk is full. Free some space, then try again.");
    if (is(code::readOnly))
        return up ? Sentence::tr("This computer does not let Boxdeck read it. Change its permissions, then try again.")
                  : Sentence::tr("The folder on this computer can't be written to. Choose another one.");
    if (is(code::vanished))
        return up ? Sentence::tr("It is not there any more on this computer.")
                  : Sentence::tr("The folder on this computer is not there any more. Choose another one.");
    if (is(code::inTheWay))
        return Sentence::tr("A folder or link of that name is in the way. Rename or remove it, then try again.");
    if (is(code::link))
        return Sentence::tr("Left out: a link to a folder, or to something outside the folder that is copied.");
    if (is(code::brokenLink))
        return Sentence::tr("Left out: a link that leads nowhere.");
    if (is(code::special))
        return Sentence::tr("Left out: a socket, a pipe or a device.");
    if (is(code::tooMuch))
        return Sentence::tr("Too deep, or too many entries. Copy a part of it at a time.");
    if (is(code::exists))
        return Sentence::tr("Left out: what was there was kept.");
    if (is(code::modeNotKept))
        return Sentence::tr(
            "The permissions of the file it replaces could not be kept, so the old file stays. Delete that "
            "file, or choose another name.");
    if (is(QLatin1String("stalled")))
        return Sentence::tr("Nothing arrived for a while: the connection is stalled.");
    if (error.kind == ErrorKind::Conflict && is(code::paused))
        return Sentence::tr("The sandbox is paused. Resume it, then let the transfer go on.");
    if (error.kind == ErrorKind::NotFound)
        return Sentence::tr("It is not in the sandbox any more.");
    if (error.httpStatus == 500 && !error.message.isEmpty()) {
        return up ? Sentence::tr("The sandbox can't write it there (%1). Choose another folder.")
                        .arg(displayText(error.message, 200))
                  : Sentence::tr("The sandbox can't read it (%1).").arg(displayText(error.message, 200));
    }
    return errorReason(error);
}

QString problemLine(const transfer::Problem &problem, transfer::Direction direction)
{
    return Sentence::tr("%1: %2").arg(displayText(problem.name, 300), transferReason(problem.error, direction));
}

QString transferSummary(const transfer::TransferInfo &info)
{
    using transfer::JobState;
    const auto skipped = static_cast<int>(std::count_if(info.problems.begin(), info.problems.end(),
                                                        [](const transfer::Problem &p) { return p.skipped; }));
    const int failed = static_cast<int>(info.problems.size()) - skipped;
    QStringList parts;
    if (info.state == JobState::Done && info.filesTotal > 1)
        parts << Sentence::tr("%n files copied", nullptr, info.filesTotal);
    if (failed == 1 && info.filesTotal <= 1)
        parts << transferReason(info.problems.first().error, info.direction);
    else if (failed > 0)
        parts << (failed == 1 ? Sentence::tr("1 file not copied")
                              : Sentence::tr("%n files not copied", nullptr, failed));
    else if (info.error && info.state != JobState::Done)
        parts << transferReason(*info.error, info.direction);
    if (skipped > 0)
        parts << Sentence::tr("%n left out", nullptr, skipped);
    return parts.join(QStringLiteral(" · "));
}

} // namespace boxdeck::ui
