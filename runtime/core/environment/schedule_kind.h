// The kinds of a loop's schedule, and the order of the chunks that it gives a thread.
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

/// How much it matters that a thread gets the chunks of a dynamic loop in rising order.
enum class ChunkOrder : int {
    required,  ///< OpenMP requires it: the monotonic modifier, ordered regions
    customary, ///< OpenMP does not require it, but the stock runtimes do so and programs rely on it
    irrelevant, ///< neither
};

/// LOOMP_DYNAMIC_LOOPS: which dynamic loops give up that order. Their threads then share no
/// counter; a thread without chunks takes half of another one's.
enum class DynamicLoops : int {
    monotonic,   ///< none
    compatible,  ///< those whose order is irrelevant
    nonmonotonic ///< those whose order is not required
};

} // namespace loomp::core
