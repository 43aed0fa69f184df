// POP's efficiencies, of the multiplicative model for hybrid programs (POP centre of excellence,
// co-design.pop-coe.eu/metrics/hm). They give the used share of the threads' time, and the factors
// that took the rest.
//
// Useful time is all computation outside MPI and the OpenMP runtime: the code of explicit tasks,
// and outside of them worksharing, regions and serial code (run_times.h). The window of every
// program is its run. A rank is outside MPI unless one of its threads is in an MPI call and none
// computes. MPI time in which others compute is not lost.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// 1 is the best value; 0 if there is nothing to compute it from.
struct Efficiency {
    double balance = 0;       ///< average / maximum
    double communication = 0; ///< maximum / window

    double parallel() const { return balance * communication; }
};

struct Efficiencies {
    Efficiency hybrid; ///< the efficiency of useful time, over threads
    Efficiency mpi;    ///< the efficiency of time outside MPI, over ranks
    Efficiency openmp; ///< hybrid over mpi: the loss within ranks

    std::vector<double> ranks; ///< useful / window, averaged over each rank's threads
};

/// Covers `window`; without one, the run.
Efficiencies efficiencies(const Trace &trace, std::optional<Interval> window = {});

} // namespace loomp::analysis
