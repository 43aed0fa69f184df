// What waits are for (taskwait, the end of a taskgroup, barriers), so that another schedule can
// have them, too: a gathering is complete when all tasks and activities that it is about have come.
//
// An activity is an explicit task, by its index, or what a thread does outside of them: the number
// of tasks and its index. A taskwait is for the tasks of its activity that had been created before
// it and had ended when it did, and for which no earlier one waited; a barrier for those of the
// rank, and for the other threads that were in it at once. A thread that begins a task of its own,
// coming from none, waits for the thread that had one before: at the beginning of a parallel
// region.
#pragma once

#include <vector>

#include "analysis/trace.h"

namespace loomp::analysis {

struct Gatherings {
    struct Fork {
        Time time;
        Index gathering;
    };
    struct Gathering {
        Index missing = 0;    ///< tasks and activities
        bool counted = false; ///< who waits counts, too
    };
    std::vector<Gathering> all;
    std::vector<Index> child_of;           ///< of each task: the gathering of its creator
    std::vector<Index> member_of;          ///< of each task: that of its rank
    std::vector<Index> of_wait;            ///< of each of Trace::waits
    std::vector<std::vector<Fork>> begins; ///< of each thread, in order of time: it waits
    std::vector<std::vector<Fork>> forks;  ///< of each thread, in order of time: it counts
};

Index activity_of(const Trace &trace, const Wait &wait);
/// Who created the task, which has a creation.
Index creator_of(const Trace &trace, Index task);

/// `present`: of each thread that has tasks of its own, when it is in any task, as intervals.h has
/// sets.
Gatherings gather(const Trace &trace, const std::vector<std::vector<Interval>> &present);

} // namespace loomp::analysis
