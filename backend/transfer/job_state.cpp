// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/job_state.h"

namespace boxdeck::transfer {

std::optional<JobState> nextState(JobState state, JobEvent event)
{
    using S = JobState;
    using E = JobEvent;
    struct Row
    {
        S from;
        E event;
        S to;
    };
    static constexpr Row table[] = {
        {S::Queued, E::Start, S::Scanning},
        {S::Queued, E::Pause, S::Paused},
        {S::Queued, E::Cancel, S::Cancelled},
        {S::Queued, E::Fail, S::Failed},

        {S::Scanning, E::Scanned, S::Running},
        {S::Scanning, E::Pause, S::Paused},
        {S::Scanning, E::Fault, S::Retrying},
        {S::Scanning, E::Fail, S::Failed},
        {S::Scanning, E::Cancel, S::Cancelled},

        {S::Running, E::Conflict, S::Conflict},
        {S::Running, E::Fault, S::Retrying},
        {S::Running, E::Pause, S::Paused},
        {S::Running, E::Finish, S::Done},
        {S::Running, E::Fail, S::Failed},
        {S::Running, E::Cancel, S::Cancelled},

        {S::Conflict, E::Answer, S::Running},
        {S::Conflict, E::Pause, S::Paused},
        {S::Conflict, E::Fail, S::Failed},
        {S::Conflict, E::Cancel, S::Cancelled},

        {S::Retrying, E::Resumed, S::Running},
        {S::Retrying, E::Start, S::Scanning}, // the scan had failed: it begins again
        {S::Retrying, E::Pause, S::Paused},
        {S::Retrying, E::Fail, S::Failed},
        {S::Retrying, E::Cancel, S::Cancelled},
        {S::Retrying, E::Retry, S::Queued}, // the user won't wait for the delay

        {S::Paused, E::Continue, S::Queued}, // takes its turn like any other
        {S::Paused, E::Fail, S::Failed},
        {S::Paused, E::Cancel, S::Cancelled},

        {S::Failed, E::Retry, S::Queued},
        {S::Cancelled, E::Retry, S::Queued},
    };
    for (const Row &row : table) {
        if (row.from == state && row.event == event)
            return row.to;
    }
    return std::nullopt;
}

bool isFinal(JobState state)
{
    return state == JobState::Done || state == JobState::Failed || state == JobState::Cancelled;
}

bool holdsPlace(JobState state)
{
    return state == JobState::Scanning || state == JobState::Running || state == JobState::Retrying;
}

bool isActive(JobState state)
{
    return state == JobState::Scanning || state == JobState::Running || state == JobState::Retrying ||
           state == JobState::Conflict;
}

QLatin1String stateName(JobState state)
{
    switch (state) {
    case JobState::Queued:
        return QLatin1String("queued");
    case JobState::Scanning:
        return QLatin1String("scanning");
    case JobState::Running:
        return QLatin1String("running");
    case JobState::Paused:
        return QLatin1String("paused");
    case JobState::Retrying:
        return QLatin1String("retrying");
    case JobState::Conflict:
        return QLatin1String("conflict");
    case JobState::Done:
        return QLatin1String("done");
    case JobState::Failed:
        return QLatin1String("failed");
    case JobState::Cancelled:
        return QLatin1String("cancelled");
    }
    return QLatin1String("queued");
}

} // namespace boxdeck::transfer
