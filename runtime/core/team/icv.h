// Internal control variables (OpenMP 5.2, 2.1): the part of them that belongs to a data
// environment.
//
// A task starts with its parent's block (a pointer); the first modification gives it a block of its
// own, chained to the task and freed with it. A block that children may be reading is never
// modified: see modify_icvs().
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/core/environment/places.h"
#include "runtime/core/environment/schedule_kind.h"

namespace loomp::core {

struct Task;

struct Icvs {
    int num_threads;       ///< nthreads-var, its first element for the current level
    int num_threads_level; ///< which element of the list that was
    const std::vector<int> *num_threads_list; ///< OMP_NUM_THREADS, or a clause's; never freed
    int bind_level;                           ///< which element of OMP_PROC_BIND bind-var is
    bool dynamic;                             ///< dyn-var
    bool monotonic_given;                     ///< run-sched-var carries the monotonic modifier
    ScheduleKind run_schedule;
    int run_chunk;
    int max_active_levels;
    int thread_limit;
    int default_device;
    ProcBind bind;
    std::uintptr_t default_allocator;
    /// of a kTellsReturn task, its own (runtime/core/scheduling/run_again.h)
    void (*returned)(void *data, int ends);
    void *returned_data;
    Icvs *owned_next; ///< next older block of the same owner task; null for inherited blocks' ends
};

/// The blocks that initial tasks start with; valid after load_settings().
Icvs initial_icvs();

/// A block that the running task may write. Called only by the thread that runs `task`.
Icvs &modify_icvs(Task &task);

/// Frees the blocks `task` owns; called when its descriptor is released.
void free_icvs(Task &task);

/// The values a new team's implicit tasks get from the task that meets the parallel construct
/// (2.4: the next elements of the lists). `clause`: the construct's proc_bind clause; null: none.
/// `num_threads`: the list of its num_threads clause, from keep_num_threads(); null: none.
Icvs child_icvs(const Icvs &parent, const ProcBind *clause, const std::vector<int> *num_threads);

/// A copy of the list of a num_threads clause (OpenMP 6.0, 12.1.2) that stays: one for all equal
/// lists. Any thread.
const std::vector<int> *keep_num_threads(const int *list, std::size_t count);

} // namespace loomp::core
