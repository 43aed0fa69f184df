// The clock of the simulated machine: it advances by steps, and over the time in which all threads
// sleep.
#pragma once

#include <cstdint>
#include <time.h>

#include "tests/simulated/machine.h"

namespace loomp::core {

inline std::int64_t nanoseconds_of(const timespec &time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}
inline timespec timespec_of(std::int64_t nanoseconds) {
    return {static_cast<time_t>(nanoseconds / 1'000'000'000),
            static_cast<long>(nanoseconds % 1'000'000'000)};
}
inline std::int64_t nanoseconds() { return simulated::now(); }
inline std::int64_t coarse_nanoseconds() {
    constexpr std::int64_t tick = 4'000'000;
    return simulated::now() / tick * tick;
}
inline std::int64_t clock_resolution() { return 1; }
inline void pause_for(std::int64_t length) { simulated::sleep_until(simulated::now() + length); }
inline void pause_until(std::int64_t time) { simulated::sleep_until(time); }

} // namespace loomp::core
