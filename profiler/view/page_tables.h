// A trace's tables as a page has them. Threads are in the order of ranks and numbers, explicit
// tasks that ran in the order of ranks and creation, and what is on a thread in order of time,
// thread after thread; so neighbours are alike and columns small. Times count from `origin`.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/view/columns.h"

namespace loomp::analysis {

struct PageTables {
    Columns columns;
    Interval extent;            ///< of all that is in it; begin is the origin
    std::vector<Index> threads; ///< of the trace, in the page's order
    // How many each of the page's threads or ranks has, in the columns of that name.
    std::vector<std::size_t> segments;
    std::vector<std::size_t> calls;
    std::vector<std::size_t> doings;
    std::vector<std::size_t> waiting; ///< of each rank
    /// Of what a device does at once, in the trace's order.
    struct DeviceLane {
        Index rank;
        Index device;
        Index row;
        std::size_t work; ///< how much it has in the columns
    };
    std::vector<DeviceLane> devices;
    std::size_t tasks = 0;
    std::size_t overlap_parts = 0; ///< of each rank, over the makespan
};

/// `path`: of the trace's graph, the code on its critical path.
struct PathPiece {
    Index task;
    Index thread;
    Interval time;
};

PageTables tables_of(const Trace &trace, const std::vector<PathPiece> &path);

} // namespace loomp::analysis
