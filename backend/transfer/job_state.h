// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1String>

#include <optional>

namespace boxdeck::transfer {

/// Where a transfer stands. One transfer is one drop or one "Save to…": a file, or a whole batch.
enum class JobState {
    Queued,   ///< waits for its turn
    Scanning, ///< finds out what there is to copy
    Running,
    Paused,   ///< by the user, or because the sandbox is paused
    Retrying, ///< waits before it tries again after a fault that may pass
    Conflict, ///< waits for an answer: something of that name is there already
    Done,
    Failed,    ///< nothing goes on; what had arrived stays, retry() tries the rest
    Cancelled, ///< by the user
};

/// What can happen to a transfer.
enum class JobEvent {
    Start,    ///< its turn has come
    Scanned,  ///< the scan is complete
    Conflict, ///< a question for the user came up; files without one go on
    Answer,   ///< the user answered it
    Fault,    ///< a fault that may pass; a delay runs
    Resumed,  ///< the delay is over
    Pause,
    Continue, ///< the user lets a paused one go on
    Finish,
    Fail,
    Cancel,
    Retry, ///< the user asks for another try
};

/// The state after `event`, or nothing where the event means nothing in that state. This table is the only place that
/// decides it.
std::optional<JobState> nextState(JobState state, JobEvent event);

/// True if only the user can set it going again: Done, Failed, Cancelled.
bool isFinal(JobState state);

/// True between Queued and the end, but for Paused.
bool isActive(JobState state);

/// True if it takes one of the places of the queue: active and not waiting for an answer.
bool holdsPlace(JobState state);

/// A stable English word, for logs and tests.
QLatin1String stateName(JobState state);

} // namespace boxdeck::transfer
