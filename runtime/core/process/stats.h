// LOOMP_STATS: the runtime's counts, as a table on stderr at exit. Each worker has its own counters
// (DiscoveryStats, BlockCache); this file adds them up.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// Returns the sum over all workers; for times of creation, the first and the last. Exact while no
/// worker runs tasks.
DiscoveryStats sum_of_stats();
std::string format_stats();
/// Sets the rank with which messages name the process.
void set_rank(int rank);
void print_stats();

} // namespace loomp::core
