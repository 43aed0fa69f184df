// What a worker counts of the tasks that it creates and runs, for LOOMP_STATS
// (runtime/core/process/stats.h).
#pragma once

#include <cstdint>

#include "platform/common.h"

namespace loomp::core {

/// Written by the worker, read by whoever adds them up.
struct DiscoveryStats {
    Relaxed<std::uint64_t> tasks = 0;
    Relaxed<std::uint64_t> edges_made = 0;
    Relaxed<std::uint64_t> edges_pruned = 0;     ///< the predecessor had completed
    Relaxed<std::uint64_t> edges_merged = 0;     ///< the edge existed
    Relaxed<std::uint64_t> addresses_merged = 0; ///< one task named an address again
    Relaxed<std::uint64_t> redirects = 0;        ///< redirect nodes made
    Relaxed<std::uint64_t> steals = 0;
    Relaxed<std::uint64_t> parks = 0;
    Relaxed<std::uint64_t> suspensions = 0;
    Relaxed<std::uint64_t> throttled =
        0; ///< creators of too many tasks (runtime/core/scheduling/throttle.h)
    /// With LOOMP_STATS only: tasks with dependences; in nanoseconds, linking them, and the first
    /// and the last creation.
    Relaxed<std::uint64_t> linked = 0;
    Relaxed<std::uint64_t> linking = 0;
    Relaxed<std::uint64_t> first_creation = 0;
    Relaxed<std::uint64_t> last_creation = 0;
    Relaxed<std::uint64_t> iterations_reexecuted = 0; ///< of persistent graphs
    Relaxed<std::uint64_t> stretches = 0;             ///< that LOOMP_PERSISTENT=auto recorded
    Relaxed<std::uint64_t> graphs_found = 0;          ///< by it, among them
    Relaxed<std::uint64_t> iterations_replayed = 0;
    Relaxed<std::uint64_t> graphs_left = 0; ///< persistent graphs that an iteration deviated from

    /// A task with dependences was linked between two times, in nanoseconds.
    void note_creation(std::uint64_t start, std::uint64_t end) {
        if (linked == 0)
            first_creation = start;
        ++linked;
        last_creation = end;
        linking += end - start;
    }
};

} // namespace loomp::core
