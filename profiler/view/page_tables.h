// Writes a trace's tables for the page. Threads are sorted by rank and number, and explicit tasks
// that ran by rank and creation. The items of a thread are in order of time, one thread after the
// other. Thus neighbours are alike and columns small. Times count from `origin`.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/view/columns.h"

namespace loomp::analysis {

struct PageTables {
    Columns columns;
    Interval extent;            ///< the extent of the trace's contents; begin is the origin
    std::vector<Index> threads; ///< index in the trace, in the page's order
    // The count of each thread's or rank's items in the columns of that name.
    std::vector<std::size_t> segments;
    std::vector<std::size_t> calls;
    std::vector<std::size_t> doings;
    std::vector<std::size_t> waiting; ///< for each rank
    /// Rows of devices, in the trace's order.
    struct DeviceLane {
        Index rank;
        Index device;
        Index row;
        std::size_t work; ///< count of its items in the columns
    };
    std::vector<DeviceLane> devices;
    std::size_t tasks = 0;
    std::size_t overlap_parts = 0; ///< the parts of each rank, over the makespan
};

/// `path` is the code on the critical path of the trace's graph.
struct PathPiece {
    Index task;
    Index thread;
    Interval time;
};

PageTables tables_of(const Trace &trace, const std::vector<PathPiece> &path);

} // namespace loomp::analysis
