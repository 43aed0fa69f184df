// Finds the rest of a run that hung until it was killed, or crashed. Only ranks whose process
// has no end in the trace count.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// MPI calls of one function in one kind of tasks that have not returned.
struct OpenCalls {
    Index function;
    Index kind; ///< the tasks'; kNone: outside tasks
    std::size_t count;
    Index call;    ///< an example
    Index request; ///< one that its task has started and that is not complete; kNone: there is none
};

/// A send that no receive in the trace matches.
struct LonelySend {
    Index send;
    Index receive; ///< one of the other rank that waits for this one, without a send; kNone: none
};

struct Unfinished {
    std::vector<Index> ranks; ///< those without an end, ascending
    Time last_progress = 0;   ///< the time of their latest event
    // Their explicit tasks that have not completed:
    std::size_t not_begun = 0;
    std::size_t in_calls = 0;      ///< in an MPI call
    std::size_t for_events = 0;    ///< the code has ended, and the event of its detach clause is
                                   ///< unfulfilled
    std::size_t others = 0;        ///< in their code, or waiting for other tasks
    std::vector<OpenCalls> calls;  ///< the rarest first
    std::vector<LonelySend> sends; ///< first those that are not complete, then by their start

    std::size_t tasks() const { return not_begun + in_calls + for_events + others; }
};

/// Nothing if all processes have ended, or if the trace does not record their begins.
std::optional<Unfinished> unfinished_of(const Trace &trace);

} // namespace loomp::analysis
