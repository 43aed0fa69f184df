// Divides the threads' time (thesis of R. Pereira, 4.1.2). Each moment of a thread is
//   work      inside an explicit task, MPI calls in it included;
//   overhead  outside, while a task of the rank is ready and not running;
//   idle      outside, while none is.
// Unrecorded time is none of them. Time outside is divided further, by the first condition that
// holds: the thread is in an MPI call that no explicit task makes; it waits for tasks, undeferred
// ones included, or in a barrier; it creates tasks (it is between its first and its last creation);
// or neither.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Outside {
    Time in_mpi = 0;
    Time waiting = 0;
    Time creating = 0;
};

struct Breakdown {
    Time work = 0;
    Time overhead = 0;
    Time idle = 0;
    Outside of_overhead; ///< parts of it
    Outside of_idle;

    Time total() const { return work + overhead + idle; }
    Breakdown &operator+=(const Breakdown &other);
};

struct TimeBreakdown {
    Interval window;
    std::vector<Breakdown>
        threads; ///< like Trace::threads; each adds up to the recorded part of the window

    Breakdown of_rank(const Trace &trace, Index rank) const;
    Breakdown total() const;
};

/// When at least one task of each rank is ready and not running: time that is neither work nor idle
/// then is overhead. The form is that of trace/intervals.h.
std::vector<std::vector<Interval>> waiting_of_ranks(const Trace &trace);

/// When each thread is idle in `window`. The form is that of trace/intervals.h.
std::vector<std::vector<Interval>> idle_times(const Trace &trace, Interval window);

/// Covers `window`, or else the makespan.
TimeBreakdown break_down(const Trace &trace, std::optional<Interval> window = {});

} // namespace loomp::analysis
