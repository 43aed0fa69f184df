// Independent tasks: they belong to no region and to no other task, and run whether or not the
// program is in a region. For functions that libraries want run beside it, such as one that polls.
//
// They run on a thread of their own, started by the first one, in a team of one thread that lasts
// as long as the process. Each is the child of a task that waits for it and then makes the call
// which says that it is complete.
//
// Thread safety: from any thread, of OpenMP's or not.
#pragma once

namespace loomp::core {

struct IndependentTask {
    void (*body)(void *);
    void *argument;
    void (*completed)(void *); ///< called when it has completed, as a task on the same thread
    void *completed_argument;
};

/// False: out of memory or threads.
bool spawn_independent(const IndependentTask &what);

/// The child of fork() has none of its parent's.
void forget_independent_after_fork();

} // namespace loomp::core
