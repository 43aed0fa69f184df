// Measures the differences between the ranks' clocks, so that a trace has one time.
#pragma once

namespace loomp::record {

/// Compares the clocks and records their differences (kOffsetKey). Collective, after MPI_Init and
/// before MPI_Finalize; uses its own communicator. The cost is a reduction if all share a clock.
/// Otherwise rank 0 also exchanges some messages with one rank of each other clock.
void compare_clocks();

} // namespace loomp::record
