// What a program would take on other threads and another network: list scheduling of its steps
// (profiler/simulation/program.h), event by event.
//
// Each rank has threads and a queue of ready tasks. A thread without anything to do takes the next
// task that is ready, which costs the overhead of a task, and keeps it until it ends or, where MPI
// calls suspend tasks, waits in one. A task is ready when it has been created and its predecessors
// have ended. What a thread of the trace did outside of tasks (create others, call MPI) its
// namesake does, before it takes tasks; it waits in MPI calls itself. With `at_once`, a creator's
// thread runs a new task that is ready before it goes on creating.
// How long what is under way between ranks takes: profiler/simulation/network.h.
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
    Index threads = 1; ///< of each rank
    Order order = Order::fifo;
    std::optional<bool> at_once;       ///< nothing: with one thread
    std::optional<bool> suspends;      ///< nothing: as in the trace
    std::optional<Time> task_overhead; ///< nothing: as in the trace, for each start of each task
    std::optional<Network> network;    ///< nothing: as in the trace
};

struct SimulatedRank {
    Time work = 0;     ///< in tasks, waiting in MPI calls that hold a thread included
    Time creating = 0; ///< outside of tasks, MPI calls included
    Time overhead = 0; ///< of starting and resuming tasks
    Time idle = 0;
    Time calls = 0;         ///< of the work: in MPI calls
    Time communicating = 0; ///< some thread is in an MPI call
    Time in_flight = 0;     ///< some request has begun and is not complete
    Overlap messages;       ///< of those sent, from the send's start to arrival
};

/// A thread that an MPI call holds for ever.
struct HeldThread {
    Index request;  ///< that the call waits for
    Index activity; ///< that has made the call, as a Program numbers them
};

struct Simulation {
    Time makespan = 0; ///< from the first start of a task to the last end; 0 if none ends
    std::vector<SimulatedRank> ranks;
    std::vector<Interval> tasks;  ///< of each task of the trace, from its first start to its end
    std::size_t unfinished = 0;   ///< tasks that waited for ever
    std::vector<HeldThread> held; ///< any: the program came to a deadlock, and times mean nothing
};

Simulation simulate(const Trace &trace, const Program &program, const SimulationOptions &options);

} // namespace loomp::analysis
