// What a simulated program waits for that came to a deadlock.
#pragma once

#include <string>
#include <vector>

#include "profiler/simulation/simulation.h"

namespace loomp::cli {

/// A line for each MPI call that holds a thread for ever: who is in it, and what would end it.
/// Calls of the same kinds of tasks are one line, those of most threads first; `most` of them.
std::vector<std::string> explain_deadlock(const analysis::Trace &trace,
                                          const analysis::Program &program,
                                          const analysis::Simulation &found, std::size_t most);

} // namespace loomp::cli
