// Timers: functions to be called at a given time, by a thread that the library has for that.
//
// Owner of a timer: who starts it; the thread's from then on until it expires. It cannot be
// stopped. Thread safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace loomp::alpi {

using Clock = std::chrono::steady_clock;

struct Timer {
    Clock::time_point due;
    /// Called once; the timer is its owner's again.
    void (*expire)(Timer &self) = nullptr;
};

/// It expires in about so many nanoseconds. Ends the program where no thread can be started.
void start_timer(Timer &timer, std::uint64_t nanoseconds);

} // namespace loomp::alpi
