// Explains the deadlock of a simulated program.
#pragma once

#include <string>
#include <vector>

#include "profiler/simulation/simulation.h"

namespace loomp::cli {

/// Returns a line for each MPI call that holds a thread forever: its task, and what would end it.
/// Calls of equal kinds of tasks share a line. At most `most` lines, those with most threads first.
std::vector<std::string> explain_deadlock(const analysis::Trace &trace,
                                          const analysis::Program &program,
                                          const analysis::Simulation &found, std::size_t most);

} // namespace loomp::cli
