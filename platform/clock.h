// The clock that measures waits, statistics and timers, and pauses by it. A build that simulates
// the machine can put its own in their place.
#pragma once

#include <cstdint>
#include <time.h>

namespace loomp::core {

inline std::int64_t nanoseconds_of(const timespec &time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}
inline timespec timespec_of(std::int64_t nanoseconds) {
    return {static_cast<time_t>(nanoseconds / 1'000'000'000),
            static_cast<long>(nanoseconds % 1'000'000'000)};
}

/// Nanoseconds of the monotonic clock.
inline std::int64_t nanoseconds() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return nanoseconds_of(now);
}

/// The clock's value at its last tick: some milliseconds old, and cheaper.
inline std::int64_t coarse_nanoseconds() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return nanoseconds_of(now);
}

/// The nanoseconds between two values that nanoseconds() can return.
inline std::int64_t clock_resolution() {
    timespec step = {};
    clock_getres(CLOCK_MONOTONIC, &step);
    return nanoseconds_of(step);
}

/// The calling thread sleeps for so many nanoseconds, or until a signal comes.
inline void pause_for(std::int64_t length) {
    const timespec time = timespec_of(length);
    nanosleep(&time, nullptr);
}

/// The calling thread sleeps until nanoseconds() returns `time`, or until a signal comes.
inline void pause_until(std::int64_t time) {
    const timespec until = timespec_of(time);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

} // namespace loomp::core
