// LOOMP_STATS: what the runtime counted, as a table on stderr at exit. Counters are each worker's
// own (DiscoveryStats, BlockCache) and added up here.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// The sum over all workers; of times of creation, the first and the last. Exact when no worker is
/// running tasks.
DiscoveryStats sum_of_stats();
std::string format_stats();
/// By which the process is called: its rank, if it has one.
void set_rank(int rank);
void print_stats();

} // namespace loomp::core
