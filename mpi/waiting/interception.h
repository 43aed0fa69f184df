// Whether calls are taken over, and what is handed to the poller until it is complete.
//
// The poller itself, which completes it, is in poller.h: those who wait need only what is here.
//
// Thread safety: everything from any thread.
#pragma once

#include "loomp/loomp.h"
#include "mpi/adapters/thread_level.h"
#include "mpi/waiting/suspended_call.h"

namespace loomp::mpi {

/// Whether calls are being taken over. False before MPI_Init and after MPI_Finalize.
bool active();
/// Whether the calling thread's calls are to be taken over; the program may say no (tampi.cpp).
bool thread_is_aware();
void set_thread_aware(bool aware);
/// Whether the caller can wait without MPI: a task is suspended; where calls pass the gate one at a
/// time, threads outside tasks wait likewise.
inline bool can_wait() { return is_gated() ? !is_inside_gate() : loomp_in_task() != 0; }
/// Whether the caller's calls that wait become nonblocking ones: mostly in tasks, hence the name.
inline bool in_task() { return can_wait() && active() && (thread_is_aware() || is_gated()); }

/// From now on the poller tests it. May be called by `completed` functions.
void leave_to_poller(Operation &operation);
/// Something else is pending that the poller will find.
void expect_one();
/// How many operations with more to do than to resume a task are pending changes by `change`.
void count_unwaited(int change);

// For the poller.

/// From now on calls are taken over, and `poller` is told of what is pending.
void begin_taking_over(loomp_poller_t *poller);
/// Calls are not taken over any more. Returns the poller; null: there was none.
loomp_poller_t *end_taking_over();
/// What leave_to_poller() was given since the last call: a list, the first to come first.
Operation *take_incoming();
/// What count_unwaited() has counted.
int unwaited();

} // namespace loomp::mpi
