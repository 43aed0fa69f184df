// POP's efficiencies, of the multiplicative model for hybrid programs (POP centre of excellence,
// co-design.pop-coe.eu/metrics/hm): which part of what threads could have computed they did, and
// what took the rest.
//
// Useful is the code of explicit tasks; of a program without any, what run_times.h has for that. A
// rank is out of MPI unless one of its threads is in an MPI
// call and none computes: time in MPI that others compute in is not lost to MPI.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// 1 is the best that can be; 0 where there is nothing to compute it of.
struct Efficiency {
    double balance = 0;       ///< average / maximum
    double communication = 0; ///< maximum / window

    double parallel() const { return balance * communication; }
};

struct Efficiencies {
    Efficiency hybrid; ///< of useful time, over threads
    Efficiency mpi;    ///< of time out of MPI, over ranks
    Efficiency openmp; ///< hybrid over mpi: what is lost within ranks

    std::vector<double> ranks; ///< of each rank's threads: useful / window, on average
};

/// Over `window`, without one over the makespan, or the run of a program without tasks.
Efficiencies efficiencies(const Trace &trace, std::optional<Interval> window = {});

} // namespace loomp::analysis
