// The kinds of a loop's schedule.
#pragma once

namespace loomp::core {

/// Values of omp_sched_t, without the modifier bit; the last one is libomp's own, and is guided
/// here.
enum class ScheduleKind : int {
    static_ = 1,
    dynamic = 2,
    guided = 3,
    auto_ = 4,
    trapezoidal = 101
};

} // namespace loomp::core
