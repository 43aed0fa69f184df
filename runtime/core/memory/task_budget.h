// How much memory tasks may take: a bound that creators of tasks with dependences keep
// (runtime/core/scheduling/throttle.h), far above what any scheduler needs to see of a graph.
//
// Counted are whole chunks as caches of blocks reserve them, and large tables of dependences, so
// that a task costs nothing for it.
// The bound is LOOMP_TASK_MEMORY, or a quarter of the memory that the machine, and the control
// groups of the process, have left for it, tasks included; of several processes of a job, each has
// its part of that. It is looked up when tasks have taken 64 MiB, and again for each 64 MiB more.
// Thread safety: any thread.
#pragma once

#include <cstddef>

namespace loomp::core {

/// Counts bytes that are about to be reserved; caches do for ever. False: tasks have more than they
/// should.
bool reserve_for_tasks(std::size_t bytes);
/// Bytes were returned to the system.
void take_from_tasks(std::size_t bytes);
/// Whether tasks may have so many more bytes, as of the last look.
bool fits_task_budget(std::size_t bytes);
/// Whether they have, as of the last look.
bool over_task_budget();
/// The bytes that are reserved now.
std::size_t reserved_for_tasks();
/// The bound as last looked up; 0: not looked up yet.
std::size_t task_memory_bound();

/// So many processes share the quarter; at least 1. They are taken to hold as much for tasks as
/// this one.
void share_task_memory(unsigned processes);
/// How many do.
unsigned sharers_of_task_memory();

/// Memory that the process can still get without the system swapping or killing.
std::size_t available_memory();

} // namespace loomp::core
