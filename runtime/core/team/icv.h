// Internal control variables (OpenMP 5.2, 2.1): those that belong to a data environment.
//
// A task starts with its parent's block (a pointer). The first change gives it its own block,
// chained to the task and freed with it. Invariant: a block that children may be reading never
// changes. A further change takes one of the task's blocks that has those values already, or makes
// one. So a task has about as many blocks as there are values with which it has created children.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/core/environment/places.h"
#include "runtime/core/environment/schedule_kind.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

class Worker;

struct IcvValues {
    int num_threads;       ///< nthreads-var, its first element for the current level
    int num_threads_level; ///< the index of that element in the list
    const std::vector<int> *num_threads_list; ///< OMP_NUM_THREADS, or a clause's; never freed
    int bind_level;                           ///< the index of bind-var in OMP_PROC_BIND
    bool dynamic;                             ///< dyn-var
    bool monotonic_given;                     ///< run-sched-var carries the monotonic modifier
    ScheduleKind run_schedule;
    int run_chunk;
    int max_active_levels;
    int thread_limit;
    int default_device;
    ProcBind bind;
    std::uintptr_t default_allocator;
    /// A kTellsReturn task's own function (runtime/core/scheduling/run_again.h).
    void (*returned)(void *data, int ends);
    void *returned_data;
    bool operator==(const IcvValues &) const = default;
};

struct Icvs : IcvValues {
    Icvs *owned_next = nullptr; ///< next block of the same owner task; null after the last one
    /// The worker of a tied owner, and how many tasks it had created when the owner got the
    /// block. If the number is the same later, no child has the block.
    const Worker *worker = nullptr;
    std::uint64_t created_before = 0;
};

/// Returns the blocks with which initial tasks start; valid after load_settings().
IcvValues initial_icvs();

/// The values for inquiries of a thread that is in no task: those with which an initial task
/// starts; constants during the runtime's start. At any time, also in a signal handler, unless it
/// is the first use of OpenMP, which reads the settings.
const IcvValues &icvs_outside_tasks();
/// The settings of the initial values are known, or have changed.
void note_initial_icvs();

/// Gives the running task these values. Only the thread that runs `task` calls it.
void set_icvs(Task &task, const IcvValues &values);
/// Changes the running task's values by `change(IcvValues &)`.
template <class Change> void change_icvs(Task &task, Change change) {
    IcvValues values = *task.icvs;
    change(values);
    set_icvs(task, values);
}

/// Frees the blocks that `task` owns; called when its descriptor is released.
void free_icvs(Task &task);

/// Returns the values for a new team's implicit tasks, from the task that meets the parallel
/// construct (2.4: the next elements of the lists). `clause`: the construct's proc_bind clause;
/// null: none. `num_threads`: the list of its num_threads clause, from keep_num_threads(); null:
/// none.
Icvs child_icvs(const IcvValues &parent, const ProcBind *clause,
                const std::vector<int> *num_threads);

/// Returns a permanent copy of the list of a num_threads clause (OpenMP 6.0, 12.1.2); equal lists
/// share one copy. Any thread.
const std::vector<int> *keep_num_threads(const int *list, std::size_t count);

} // namespace loomp::core
