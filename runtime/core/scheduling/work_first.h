// Running a new task at once, on a stack of its own, while its creator stays able to go on.
//
// In a process whose tasks wait for each other only (progress/outside_waits.h), a creator need not
// be able to go on: what its task waits for is below that task, or runs on other threads. There the
// task runs on top of its creator, on the thread's own stack. Libraries that know the bounds of a
// thread's stack, such as garbage collectors, then work in tasks.
//
// When enough tasks are ready for everybody else, queueing another one only costs: it is run right
// where it was created, its data still in cache, and if it completes without waiting for anything
// nobody has to be told that it ever existed. This is not an undeferred task: should it suspend,
// its creator, which is not beneath it, goes on at that moment, and the task is queued and counted
// like any other (so the rule of suspension holds: nothing runs on top of a task that does not wait
// for it).
//
// In a team of one thread every task goes this way. There, dependences need not be looked up while
// all earlier siblings have completed; those of a task that suspends are entered when it does.
//
// Invariant: a stack whose `work_first_call` is set has such a task at its bottom, and the
// creator's frames wait in loomp_call_on_stack(). It is cleared by the worker that lets the creator
// go on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/dependences/dependence.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// Whether the machine, and the sanitizer if there is one, can do this at all.
LOOMP_HIDDEN extern bool work_first_possible;

/// Runs `task`, which is known to nobody, if that can be done; false: it must be counted and
/// queued. With `dependences`: not entered yet, and met.
LOOMP_MAY_SWITCH_IF_TRUE bool run_work_first(Worker &worker, Task &task,
                                             const Dependence *dependences, std::size_t count);
/// Runs a task without dependences, or counts and queues it if it cannot be run.
LOOMP_MAY_SWITCH void run_or_queue(Worker &worker, Task &task);

/// Tasks that differ in a number only: the parts of a taskloop.
struct TaskSeries {
    std::uint64_t next; ///< the first that is not filled yet
    std::uint64_t end;
    /// Gives a task, as allocate_task() left it or as it was filled before, the content of number
    /// `next`, and counts that.
    void (*fill)(TaskSeries &series, Task &task);
};
/// Acts like run_or_queue() for `task`, which is filled and has no flags but kTied and kMergeable.
/// When it has completed, as many of the series' next ones are run in its place, with its
/// descriptor, on its stack, as may be run at once: each at little more than the price of a call.
/// The caller has found that more than one may (Member::inline_budget), and no tool.
LOOMP_MAY_SWITCH void run_series(Worker &worker, Task &task, TaskSeries &series);

} // namespace loomp::core
