// The measured part of an application in tasks, on all ranks.
#pragma once

#include "common/omp_decls.h"
#include "common/ranks.h"
#include "common/report.h"

namespace apps {

// One thread calls `create`, which makes the tasks; the others of its team run them. Returns the
// time from a barrier of all ranks to the next one, when all tasks are complete, and that of
// `create`.
template <typename Create> Cost time_tasks(const Create &create) {
    Cost cost;
    ranks::barrier();
    const double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    {
        const double first = omp_get_wtime();
        create();
        cost.discovery_seconds = omp_get_wtime() - first;
    }
    ranks::barrier();
    cost.seconds = omp_get_wtime() - start;
    return cost;
}

} // namespace apps
