#include "enclave/walk.h"

namespace enclave {

void run_held_back(Traversal &traversal) {
    Traversal *all = &traversal;
#pragma omp parallel
    {
        std::vector<int> held;
        const auto make_tasks = [&held, all] {
            for (const int cell : held) {
#pragma omp task firstprivate(all, cell)
                all->advance(cell);
            }
            all->count_tasks(static_cast<long>(held.size()));
        };
        walk(traversal, [&held](int cell, int) { held.push_back(cell); }, make_tasks);
    }
}

} // namespace enclave
