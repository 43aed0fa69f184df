// The minimum effective task granularity (Slaughter et al., "Task Bench", 2020): how fine tasks may
// be until threads spend too much of their time otherwise; from runs with tasks of several grains.
#pragma once

#include <optional>
#include <vector>

#include "analysis/trace/trace.h"

namespace loomp::analysis {

struct GrainPoint {
    std::size_t tasks = 0;
    std::size_t threads = 0;
    Time makespan = 0;
    double grain = 0;      ///< nanoseconds of code a task, on average
    double efficiency = 0; ///< of the threads' time in the makespan, code of tasks
};

GrainPoint grain_point(const Trace &trace);

struct Metg {
    double grain = 0;     ///< nanoseconds
    bool at_most = false; ///< no finer run fell below: it may be finer
};

/// The finest grain with at least `efficiency`: between the finest run that has it and the next
/// finer one, by a line over the logarithm of the grain. Nothing if no run has it.
std::optional<Metg> metg(std::vector<GrainPoint> points, double efficiency);

} // namespace loomp::analysis
