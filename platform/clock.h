// The clock that waits, statistics and timers are measured by.
#pragma once

#include <cstdint>
#include <time.h>

namespace loomp::core {

/// Nanoseconds of the monotonic clock.
inline std::uint64_t nanoseconds() {
    timespec t = {};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u +
           static_cast<std::uint64_t>(t.tv_nsec);
}

} // namespace loomp::core
