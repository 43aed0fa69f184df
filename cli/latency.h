// `loomp info --latency`: how long processors take to see what another one wrote.
#pragma once

namespace loomp::cli {

/// Measures and prints the nanoseconds between all pairs of processors that this process may use.
/// Returns the exit status.
int show_latencies();

} // namespace loomp::cli
