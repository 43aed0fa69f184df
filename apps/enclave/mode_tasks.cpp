#include "enclave/walk.h"

namespace enclave {

void run_tasks(Traversal &traversal) {
    Traversal *all = &traversal;
#pragma omp parallel // whose end waits for all tasks
    {
        long made = 0;
        const auto make_task = [all, &made](int cell, int) {
#pragma omp task firstprivate(all, cell)
            all->advance(cell);
            ++made;
        };
        walk(traversal, make_task, [all, &made] { all->count_tasks(made); });
    }
}

} // namespace enclave
