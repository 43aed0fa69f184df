// Timers: functions to be called at a given time. The timers that run are one thing that is polled
// for (core/progress/poller.h): whoever polls when a timer's time has come makes it expire, so that
// happens within the poller's bound, also while every thread computes. Between polls an idle thread
// sleeps exactly until the first timer that it started itself is due.
//
// Owner of a timer: who starts it; the timers' from then on until it expires. It cannot be stopped.
// Thread safety: everything from any thread.
#pragma once

#include <cstdint>

namespace loomp::core {

struct Timer {
    std::int64_t due = 0; ///< nanoseconds of the monotonic clock
    /// Called within a poll, once; the timer is its owner's again.
    void (*expire)(Timer &self) = nullptr;
    /// The timers': a heap, in which nothing below is due earlier.
    Timer *below = nullptr;
    Timer *beside = nullptr;
};

void start_timer(Timer &timer);

/// Suspends the running task for that many nanoseconds; 0: others go first. Returns how long that
/// took.
std::uint64_t wait_for_time(std::uint64_t nanoseconds);

/// The calling thread, when idle, wakes up for all timers, whoever started them.
void keep_time();

/// The child of fork() waits for nothing that its parent waits for.
void forget_timers_after_fork();

} // namespace loomp::core
