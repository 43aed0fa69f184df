// Whether calls are taken over, and what is handed to the poller until it is complete.
//
// The poller itself, which completes it, is in poller.h: those who wait need only what is here.
//
// Thread safety: everything from any thread.
#pragma once

#include "loomp/loomp.h"
#include "mpi/operation.h"

namespace loomp::mpi {

/// Whether calls are being taken over. False before MPI_Init and after MPI_Finalize.
bool active();
/// Whether the calling thread's calls are to be taken over; the program may say no (tampi.cpp).
bool thread_is_aware();
void set_thread_aware(bool aware);
/// Whether the calling thread runs a task that can be suspended.
inline bool in_task() { return loomp_in_task() != 0 && active() && thread_is_aware(); }

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
