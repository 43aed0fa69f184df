// How much longer the tasks of each kind take when more threads of their host are busy: they share
// caches and memory. Learned from two runs of one program on different numbers of threads, whose
// tasks are of the same size; the runs may be of different lengths.
//
// With c threads of a host busy, a task of a kind takes t * (1 + s * (c - 1)): its slowdown s, at
// least 0, and t follow from the means of both runs. c is an average over the makespan.
#pragma once

#include <optional>
#include <vector>

#include "profiler/simulation/program.h"
#include "profiler/simulation/simulation.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Contention {
    std::vector<double> slowdowns; ///< of each of Trace::kinds; the last: of tasks without one
    double busy = 0;               ///< in the trace that is to be simulated
};

/// Threads of a host that run tasks, on average.
double busy_threads(const Trace &trace);
double busy_threads(const Trace &trace, const Simulation &found);

/// Of the kinds of `trace`, which `other` has under the same names; of those that it lacks, the
/// mean. Nothing if the runs have no kind in common, or nearly as many busy threads.
std::optional<Contention> learn_contention(const Trace &trace, const Trace &other);

/// The program with the code of tasks as long as with `busy` threads.
Program with_contention(const Trace &trace, Program program, const Contention &contention,
                        double busy);

struct Contended {
    Simulation simulation;
    double busy; ///< in it
};
/// Simulates with as many busy threads as the simulation finds.
Contended simulate(const Trace &trace, const Program &program, const SimulationOptions &options,
                   const Contention &contention);

} // namespace loomp::analysis
