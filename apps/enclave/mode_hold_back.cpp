#include "enclave/traversal.h"

namespace enclave {

void run_held_back(Traversal &traversal) {
    const Partition &partition = traversal.partition();
    const std::vector<Piece> &subdomains = partition.subdomains();
    const int count = static_cast<int>(subdomains.size());
    Traversal *all = &traversal;
#pragma omp parallel
    {
        std::vector<int> held;
        traversal.begin_messages();
#pragma omp for schedule(static, 1) nowait
        for (int s = 0; s < count; ++s) {
            for (int cell = subdomains[s].first; cell < subdomains[s].last; ++cell) {
                if (partition.is_skeleton(cell))
                    traversal.advance_skeleton(cell);
                else
                    held.push_back(cell);
            }
        }
        for (const int cell : held) {
#pragma omp task firstprivate(all, cell)
            all->advance(cell);
        }
        traversal.count_tasks(static_cast<long>(held.size()));
    }
}

} // namespace enclave
