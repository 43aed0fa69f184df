// Timers: a thread of the library calls functions at a given time.
//
// Owner of a timer: the starter; then the thread until the timer expires. A running timer cannot be
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
