// What waits are for (taskwait, the end of a taskgroup, barriers), for the order of tasks that
// follows, and so that another schedule can have them, too: a synchronisation is complete when all
// tasks and activities that it is about have come.
//
// An activity is an explicit task, by its index, or what a thread does outside of them: the number
// of tasks and its index. A taskwait is for the tasks of its activity that had been created before
// it and had ended when it did, and for which no earlier one waited; the end of a taskgroup
// likewise, and for the descendants of these tasks (where the taskgroup began is not in a trace); a
// barrier for those of the rank, those included that tasks created meanwhile, and for the other
// threads that were in it at once. A thread that begins a task of its own, coming from none, waits
// for the thread that had one before: at the beginning of a parallel region.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Synchronisation {
    Index missing = 0;    ///< tasks and activities
    bool counted = false; ///< who waits counts, too
};

struct Synchronisations {
    struct Fork {
        Time time;
        Index synchronisation;
    };
    std::vector<Synchronisation> all;
    std::vector<Index> child_of;  ///< of each task: the taskwait of its creator that waits for it
    std::vector<Index> member_of; ///< of each task: the barrier of its rank that does
    std::vector<Index> group_of;  ///< of each task: the taskgroup that an ancestor of it is in
    std::vector<Index> of_wait;   ///< of each of Trace::waits
    std::vector<std::vector<Fork>> begins; ///< of each thread, in order of time: it waits
    std::vector<std::vector<Fork>> forks;  ///< of each thread, in order of time: it counts
};

Index activity_of(const Trace &trace, const Wait &wait);
/// Who created the task, which has a creation.
Index creator_of(const Trace &trace, Index task);

/// Of each thread that has tasks of its own: when it is in any task, as trace/intervals.h has sets.
std::vector<std::vector<Interval>> presence_of_threads(const Trace &trace);

/// `present`: presence_of_threads().
Synchronisations find_synchronisations(const Trace &trace,
                                       const std::vector<std::vector<Interval>> &present);

} // namespace loomp::analysis
