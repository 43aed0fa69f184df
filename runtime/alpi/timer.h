// Timers: functions to be called at a given time, by a thread that the library has for that.
//
// Owner of a timer: who starts it; the thread's from then on until it expires. It cannot be
// stopped. Thread safety: any thread.
#pragma once

#include <cstdint>

namespace loomp::alpi {

struct Timer {
    std::int64_t due; ///< nanoseconds of the monotonic clock
    /// Called once; the timer is its owner's again.
    void (*expire)(Timer &self) = nullptr;
};

/// It expires in about `length` nanoseconds. Ends the program if no thread can be started.
void start_timer(Timer &timer, std::uint64_t length);

} // namespace loomp::alpi
