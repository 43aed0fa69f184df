// The two ways through the time steps. Both come to the same bits.
#pragma once

#include "common/kept_graph.h"
#include "common/report.h"
#include "vlasov/simulation.h"

#include <functional>

namespace vlasov {

// How tasks are created.
enum class Submission {
    flat,       // by one thread, each with its own dependences
    taskloop,   // as in the paper: a task creates those of the ghosts, in loops
    transparent // rows of tiles by tasks of their own, whose tasks depend on each other's (loomp)
};

// How ranks communicate.
enum class Messages {
    serialized, // as in the paper: nonblocking calls, one task at a time
    blocking    // a task for each MPI_Send and MPI_Recv (loomp)
};

// Which ready task comes first.
enum class Priorities {
    none,
    paper, // messages before centres before borders
    reuse  // like paper, but a border that waits for no message goes with its centre
};

struct Tasking {
    Submission submission;
    Messages messages;
    Priorities priorities;
    apps::kept_graph::Keep keep;
};

// Steps first to last.
struct Steps {
    int first, last;
    // Called before each of them, when no task is left; returns false if there are no more steps.
    // If it is empty, nothing is called.
    std::function<bool(int step)> before;
};

// A parallel loop after the other, and between them exchanges that all threads wait for.
apps::Cost run_for(Simulation &simulation, const Steps &steps);

// Tasks.
apps::Cost run_task(Simulation &simulation, const Tasking &how, const Steps &steps);

// Whether dependences reach across generations of tasks: on loomp.
bool can_be_transparent();

} // namespace vlasov
