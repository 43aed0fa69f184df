// The tasks that waits (taskwait, the end of a taskgroup, barriers) wait for. They order tasks, and
// a simulated schedule repeats them. A synchronisation is complete when all its tasks and
// activities have arrived.
//
// An activity is an explicit task (its index) or a thread outside of explicit tasks (the count of
// tasks plus its index). The creator of an undeferred task waits for it. A taskwait waits for tasks
// of its activity that were created before it, had ended when it did, and had no earlier wait. The
// end of a taskgroup also waits for the descendants of these tasks, and of undeferred ones; the
// taskgroup's beginning is not in a trace. A task waits for the implicit tasks of a region that it
// has met, which are its children. A barrier waits for the tasks
// of its team, including those created meanwhile, and for the other members in it. At the beginning
// of another parallel region, a thread that begins an implicit task waits for the thread that had
// one before.
#pragma once

#include <utility>
#include <vector>

#include "profiler/graph/grouped.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Synchronisation {
    Index missing = 0;        ///< tasks and activities
    bool counted = false;     ///< the waiter counts, too
    Index undeferred = kNone; ///< the task if it is an undeferred one, whose creator waits
};

struct Synchronisations {
    struct Fork {
        Time time;
        Index synchronisation;
    };
    std::vector<Synchronisation> all;
    std::vector<Index> child_of;  ///< for each task, the wait of its creator that waits for it
    std::vector<Index> member_of; ///< for each task, the barrier of its team that does
    std::vector<Index> group_of;  ///< for each task, the taskgroup that an ancestor of it is in
    std::vector<Index> of_wait;   ///< for each of Trace::waits
    std::vector<std::vector<Fork>> begins; ///< for each thread, in order of time: it waits
    std::vector<std::vector<Fork>> forks;  ///< for each thread, in order of time: it counts
};

Index activity_of(const Trace &trace, const Wait &wait);
/// The indices of Trace::fulfilments by the activity that makes them.
Grouped fulfilments_of_activities(const Trace &trace);
/// The creator of a task with a creation.
Index creator_of(const Trace &trace, Index task);
/// The tasks that each activity created, in order of time. `wanted(task)` selects some of those
/// that work.
template <class Wanted> Grouped creations_of(const Trace &trace, Wanted wanted) {
    std::vector<Index> tasks;
    for (Index i = 0; i < trace.tasks.size(); ++i)
        if (trace.tasks[i].works() && trace.tasks[i].created != kNever && wanted(trace.tasks[i]))
            tasks.push_back(i);
    return {std::move(tasks), trace.tasks.size() + trace.threads.size(),
            [&](Index task) { return creator_of(trace, task); },
            [&](Index a, Index b) {
                // A creator numbers its tasks in order, also those of one time.
                const Task &first = trace.tasks[a];
                const Task &second = trace.tasks[b];
                return first.created != second.created ? first.created < second.created
                                                       : first.id < second.id;
            }};
}
/// Indices of those of Trace::waits that `wanted(wait)` selects, by activity.
template <class Wanted> Grouped waits_of_activities(const Trace &trace, Wanted wanted) {
    std::vector<Index> waits;
    for (Index i = 0; i < trace.waits.size(); ++i)
        if (wanted(trace.waits[i]))
            waits.push_back(i);
    return {std::move(waits), trace.tasks.size() + trace.threads.size(),
            [&](Index wait) { return activity_of(trace, trace.waits[wait]); },
            [](Index a, Index b) { return a < b; }};
}

/// When each thread with implicit tasks is in any task, in the form of trace/intervals.h.
std::vector<std::vector<Interval>> presence_of_threads(const Trace &trace);

/// `present` comes from presence_of_threads().
Synchronisations find_synchronisations(const Trace &trace,
                                       const std::vector<std::vector<Interval>> &present);

} // namespace loomp::analysis
