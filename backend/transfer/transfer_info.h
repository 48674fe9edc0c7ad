// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/remote_path.h"
#include "backend/transfer/conflict_policy.h"
#include "backend/transfer/job_state.h"

#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace boxdeck::transfer {

/// Names one transfer for the life of the engine.
struct TransferId
{
    quint64 value = 0;

    bool operator==(const TransferId &) const = default;
    bool operator<(const TransferId &other) const { return value < other.value; }
};
inline size_t qHash(TransferId id, size_t seed = 0)
{
    return ::qHash(id.value, seed);
}

enum class Direction { Upload, Download };

/// The question a transfer in state Conflict asks.
struct ConflictQuestion
{
    QString name; ///< the path below the target folder; untrusted
    FileFacts source;
    FileFacts target; ///< what is there already

    bool operator==(const ConflictQuestion &) const = default;
};

/// A file or folder of a transfer that did not arrive, and why.
struct Problem
{
    QString name;         ///< the path below the source; untrusted
    bool skipped = false; ///< left out by rule (a link to a folder, a socket) or by answer, not failed
    Error error;

    bool operator==(const Problem &) const = default;
};

/// The codes of `Error::code` that transfers add to those of the server.
namespace code {
inline constexpr QLatin1String badName{"bad_name"}; ///< a name that this computer, or a safe copy, can't hold
inline constexpr QLatin1String sourceChanged{"source_changed"}; ///< the file changed while it was copied
inline constexpr QLatin1String shortBody{"short_body"};         ///< fewer or more bytes arrived than were announced
inline constexpr QLatin1String diskFull{"disk_full"};           ///< on either side
inline constexpr QLatin1String readOnly{"read_only"};           ///< no right to write there
inline constexpr QLatin1String vanished{"vanished"};            ///< the source is not there any more
inline constexpr QLatin1String inTheWay{"in_the_way"}; ///< a folder stands where a file should go, or the reverse
inline constexpr QLatin1String link{"link"};           ///< a link that is not followed
inline constexpr QLatin1String brokenLink{"broken_link"};
inline constexpr QLatin1String special{"special"};  ///< a socket, pipe or device
inline constexpr QLatin1String tooMuch{"too_much"}; ///< deeper or more than the limits
inline constexpr QLatin1String exists{"exists"};    ///< skipped by answer
inline constexpr QLatin1String modeNotKept{
    "mode_not_kept"};                            ///< the old file's permissions could not be given to the new one
inline constexpr QLatin1String paused{"paused"}; ///< the sandbox is paused
} // namespace code

/// When an upload is cut into parts that survive a lost connection.
struct PartRules
{
    qint64 size = 64LL * 1024 * 1024; ///< of a part; smaller files are sent as one
    /// Also to a server on this computer, where connections are not lost, and joining would only copy once more.
    bool onLoopback = false;
};

/// A snapshot of one transfer.
struct TransferInfo
{
    TransferId id;
    Direction direction = Direction::Upload;
    QString label;       ///< of the sandbox
    QString name;        ///< what is copied, for people: "a.txt" or "a.txt" and how many more; untrusted
    int rootCount = 1;   ///< how many files and folders were given
    QString localFolder; ///< where it comes from or goes to
    RemotePath remoteFolder;

    JobState state = JobState::Queued;
    qint64 bytesDone = 0;
    qint64 bytesTotal = 0; ///< known once Scanning is over
    int filesDone = 0;     ///< arrived or skipped
    int filesTotal = 0;
    int foldersTotal = 0;
    double bytesPerSecond = 0;
    std::optional<qint64> secondsLeft;
    int attempt = 1;

    std::optional<ConflictQuestion> conflict;
    std::optional<Error> error; ///< why it failed, retries or paused itself
    QList<Problem> problems;
};

} // namespace boxdeck::transfer
