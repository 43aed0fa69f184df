// Suspects that the program hangs: for some seconds all threads have been idle, and nothing came.
//
// A thread looks while it is idle: after polls without a result, and before it sleeps, if something
// is awaited that only the program can bring: the event of a detach clause, or a lock. A thread in
// a library's call outside tasks, which waits for other processes, is idle, too; the reporter's
// thread looks in its place. Threads that compute pay nothing. A thread of the program that is not
// OpenMP's may still end such a wait, so a suspicion is no error.
//
// Invariant: as long as something of these is awaited, a thread that sleeps wakes up within a bound
// and looks. Its own steps before the sleep (a task that it created or that waits for a lock) made
// it await that, so it cannot have fallen asleep without a bound before.
//
// Thread safety: everything from any thread.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// The count of events that are not settled; detach_event.cpp changes it.
LOOMP_HIDDEN extern Relaxed<std::int64_t> unsettled_events;

/// True if a sleeping thread is to look whether the program hangs.
LOOMP_INLINE bool awaits_program(const Worker &worker) {
    return unsettled_events != 0 || worker.waiting_for_locks.load(std::memory_order_relaxed) != 0;
}

/// A number that changes whenever a thread has worked in between; 0 unless all rest.
std::uint64_t rest_of_all();

/// Looks, unless a thread has just done so. The caller rests.
void look_for_hang(std::int64_t now);
/// Looks before a sleep that is to end at `until` (nanoseconds of the monotonic clock; 0: no
/// limit). Returns when it must end for the next look. The caller rests.
std::int64_t sleep_until_look(std::int64_t until);

/// The calling thread begins, or ends, a library's call outside tasks that waits for other
/// processes. It counts as idle meanwhile.
void begin_outside_wait();
void end_outside_wait();

/// The calling thread is one of the runtime's own, and idle, also if a function of the program that
/// it called has made it use OpenMP.
void rest_as_own_thread();

/// For a thread that watches such calls, because none of theirs looks: looks if a thread is in one.
/// Returns when to call it again (nanoseconds of the monotonic clock).
std::int64_t look_if_waiting_outside(std::int64_t now);

/// Returns how long all threads have been idle, in nanoseconds; 0 as soon as one has worked since
/// the suspicion, which ends it.
std::int64_t idle_since_suspicion();

/// Called once for each suspicion, by the thread that looks. It must not wait.
using SuspicionFn = void (*)();
void when_hang_is_suspected(SuspicionFn function);

} // namespace loomp::core
