// The time steps in two forms that compute the same numbers, bit for bit: what is added is added in
// one order, and the least of many is the least in any.
#pragma once

#include "common/kept_graph.h"
#include "common/report.h"
#include "lulesh/domain.h"
#include "lulesh/frontier.h"
#include "lulesh/tiles.h"

namespace lulesh {

// A parallel loop per operation; ranks exchange and wait between them. `iterations` at most; 0: up
// to the end time.
apps::Cost run_for(Domain &domain, Frontier &frontier, int iterations);

// How the tasks' form is to run.
struct Tasking {
    apps::kept_graph::Keep keep = apps::kept_graph::Keep::nothing; // of the first step's graph
    // Steps are made ahead of the time step that is the last one, and stopped on all ranks then.
    bool ahead = false;
    // Ranks exchange as the parallel loops' form does, and all tasks before are waited for.
    bool messages_between = false;
    int send_priority = 0; // the priority of tasks that send
    bool sets = false;     // what a task reads of other tiles is named by sets (reads.h)
    // Arrays that are written together have a mark each, and all of them are named; 1: one does.
    std::size_t arrays = 1;
    int offload = 0; // target tasks of each loop that a device runs; 0: none does
};

// A task per operation and tile, all made by one thread, which does not wait for the time step: a
// step is made as soon as it is certain to come.
apps::Cost run_task(Domain &domain, Frontier &frontier, const Tiles &tiles, const Tasking &how,
                    int iterations);

} // namespace lulesh
