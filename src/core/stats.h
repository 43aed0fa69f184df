// LOOMP_STATS: what the runtime counted, as a table on stderr at exit. Counters are each worker's
// own (DiscoveryStats, BlockCache) and added up here.
#pragma once

#include <cstdint>
#include <string>
#include <time.h>

#include "core/worker.h"

namespace loomp::core {

inline std::uint64_t nanoseconds() {
    timespec t = {};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u +
           static_cast<std::uint64_t>(t.tv_nsec);
}

/// A task with dependences was linked between two times.
void note_creation(Worker &worker, std::uint64_t start, std::uint64_t end);

/// The sum over all workers; of times of creation, the first and the last. Exact when no worker is
/// running tasks.
DiscoveryStats sum_of_stats();
std::string format_stats();
void print_stats();

} // namespace loomp::core
