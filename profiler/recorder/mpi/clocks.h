// How the clocks of ranks that do not share one differ, for a trace with one time.
#pragma once

namespace loomp::record {

/// Compares the clocks and writes down how they differ (kOffsetKey). All ranks together, after
/// MPI_Init and before MPI_Finalize; by a communicator of its own. Costs a reduction where all
/// share a clock, and some ping-pong of rank 0 with one rank of each other clock otherwise.
void compare_clocks();

} // namespace loomp::record
