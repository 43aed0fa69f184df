// A worker's counts of the tasks that it creates and runs, for LOOMP_STATS
// (runtime/core/process/stats.h).
#pragma once

#include <cstdint>

#include "platform/common.h"

namespace loomp::core {

/// The worker writes them; the thread that adds them up reads them.
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
        0; ///< times a creator with too many tasks waited (runtime/core/scheduling/throttle.h)
    /// Only with LOOMP_STATS: tasks with dependences; nanoseconds of their linking, and the times
    /// of the first and the last creation.
    Relaxed<std::uint64_t> linked = 0;
    Relaxed<std::uint64_t> linking = 0;
    Relaxed<std::uint64_t> first_creation = 0;
    Relaxed<std::uint64_t> last_creation = 0;
    Relaxed<std::uint64_t> iterations_reexecuted = 0; ///< iterations of persistent graphs
    Relaxed<std::uint64_t> stretches = 0;             ///< recorded by LOOMP_PERSISTENT=auto
    Relaxed<std::uint64_t> graphs_found = 0;          ///< graphs found among those
    Relaxed<std::uint64_t> iterations_replayed = 0;
    Relaxed<std::uint64_t> graphs_left =
        0; ///< persistent graphs left because an iteration deviated

    /// Counts a task with dependences that was linked between two times, in nanoseconds.
    void note_creation(std::uint64_t start, std::uint64_t end) {
        if (linked == 0)
            first_creation = start;
        ++linked;
        last_creation = end;
        linking += end - start;
    }
};

} // namespace loomp::core
