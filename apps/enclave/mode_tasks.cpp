#include "enclave/walk.h"

namespace enclave {

void run_tasks(Traversal &traversal) {
    Traversal *all = &traversal;
    const auto make_task = [all](int cell, int) {
#pragma omp task firstprivate(all, cell)
        all->advance(cell);
        all->count_tasks(1);
    };
#pragma omp parallel
    walk(traversal, make_task, [] {}); // the region's end waits for all tasks
}

} // namespace enclave
