// Models how much longer tasks take when more threads of their host are busy, because threads share
// caches and memory. The model is fitted to two runs of one program on different numbers of
// threads. Their tasks must have equal sizes; the runs may have different lengths.
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
    std::vector<double> slowdowns; ///< for each of Trace::kinds; the last is for tasks without one
    double busy = 0;               ///< threads in the recorded trace, which is to be simulated
};

/// The average count of a host's threads that run tasks.
double busy_threads(const Trace &trace);
double busy_threads(const Trace &trace, const Simulation &found);

/// Fits the kinds of `trace` to those of `other` with equal names; missing ones get the mean.
/// Nothing if the runs have no kind in common, or almost equally many busy threads.
std::optional<Contention> learn_contention(const Trace &trace, const Trace &other);

/// The program, with the tasks' code as long as with `busy` threads.
Program with_contention(const Trace &trace, Program program, const Contention &contention,
                        double busy);

struct Contended {
    Simulation simulation;
    double busy; ///< in it
};
/// Simulates with the count of busy threads that the simulation itself produces.
Contended simulate(const Trace &trace, const Program &program, const SimulationOptions &options,
                   const Contention &contention);

} // namespace loomp::analysis
