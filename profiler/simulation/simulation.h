// Simulates a program on other threads and another network: event-driven list scheduling of its
// steps (profiler/simulation/program.h).
//
// Each rank has threads and a queue of ready tasks. An idle thread takes the next ready task, which
// costs the overhead of a task. It keeps the task until its end or, if MPI calls suspend tasks,
// until a wait in one. A task is ready when it has been created and its predecessors have ended. If
// another task has its mutex when a thread would start it, it is set aside until that one ends. A
// creator's thread runs an undeferred task in its place if that is ready and can start. The thread
// on which such a task ends continues with the creator.
// Each simulated thread first repeats what its recorded thread did outside tasks (creations, MPI
// calls); it waits in MPI calls itself. With `at_once`, a creator's thread runs a new ready task
// before it continues to create. network.h models message times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/metrics/communication.h"
#include "profiler/simulation/network.h"
#include "profiler/simulation/program.h"
#include "profiler/simulation/ready_queue.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct SimulationOptions {
    Index threads = 1; ///< the threads of each rank
    Order order = Order::fifo;
    std::optional<bool> at_once;       ///< nothing: with one thread
    std::optional<bool> suspends;      ///< nothing: as in the trace
    std::optional<Time> task_overhead; ///< nothing: as in the trace, for each start of each task
    std::optional<Network> network;    ///< nothing: as in the trace
    bool keeps_tasks = true;           ///< the result has Simulation::tasks
};

struct SimulatedRank {
    Time work = 0;     ///< in tasks, including waits in MPI calls that hold a thread
    Time creating = 0; ///< outside of tasks, including MPI calls
    Time overhead = 0; ///< the overhead of starting and resuming tasks
    Time idle = 0;
    Time calls = 0;         ///< the part of the work in MPI calls
    Time communicating = 0; ///< some thread is in an MPI call
    Time in_flight = 0;     ///< some request has started and is not complete
    Overlap messages;       ///< sent messages, from the send's start to arrival
};

/// A thread that an MPI call holds forever.
struct HeldThread {
    Index request;  ///< the request that the call waits for
    Index activity; ///< activity in the call, numbered by its Program
};

struct Simulation {
    Time makespan = 0; ///< from the first start of a task to the last end; 0 if none ends
    std::vector<SimulatedRank> ranks;
    std::vector<Interval> tasks;  ///< per task of the trace, from its first start to its end; or
                                  ///< empty (SimulationOptions::keeps_tasks)
    std::size_t unfinished = 0;   ///< tasks that waited forever
    std::vector<HeldThread> held; ///< any: the program came to a deadlock, and times mean nothing
};

Simulation simulate(const Trace &trace, const Program &program, const SimulationOptions &options);

} // namespace loomp::analysis
