// The time steps in two forms that compute the same numbers, bit for bit: what is added is added in
// one order, and the least of many is the least in any.
#pragma once

#include "common/report.h"
#include "lulesh/domain.h"

namespace lulesh {

struct Course {
    int iterations;    // at most; 0: up to the end time
    int element_tasks; // a loop over elements, in the task form
    int node_tasks;    // a loop over nodes, likewise
};

// Parallel loops.
apps::Cost run_for(Domain &domain, const Course &course);

} // namespace lulesh
