// Fused by the program: a thread makes one task of several enclaves. Runtimes without kinds of
// tasks can do this, too.
#include "enclave/walk.h"

#include <algorithm>
#include <utility>

namespace enclave {

namespace {

void make_task(Traversal &traversal, const std::vector<int> &cells, bool forks) {
    Traversal *all = &traversal;
    const int count = static_cast<int>(cells.size());
#pragma omp task firstprivate(all, cells, count, forks)
    {
        if (forks) {
            const int *const first = cells.data();
#pragma omp taskloop grainsize(1) firstprivate(all, first)
            for (int k = 0; k < count; ++k)
                all->advance(first[k]);
            all->count_tasks(count);
        } else {
            for (const int cell : cells)
                all->advance(cell);
        }
    }
    traversal.count_tasks(1);
}

} // namespace

void run_joined(Traversal &traversal, int batch, Join join, bool forks) {
#pragma omp parallel
    {
        std::vector<int> met;
        // Those from `first` on, as many as make whole batches; at the end all.
        const auto make_tasks = [&](bool end) {
            std::size_t first = 0;
            while (met.size() - first >= static_cast<std::size_t>(batch) ||
                   (end && first < met.size())) {
                const std::size_t last =
                    std::min(met.size(), first + static_cast<std::size_t>(batch));
                make_task(traversal,
                          {met.begin() + static_cast<std::ptrdiff_t>(first),
                           met.begin() + static_cast<std::ptrdiff_t>(last)},
                          forks);
                first = last;
            }
            met.erase(met.begin(), met.begin() + static_cast<std::ptrdiff_t>(first));
        };
        const auto meet = [&](int cell, int) {
            met.push_back(cell);
            if (join == Join::at_once)
                make_tasks(false);
        };
        walk(traversal, meet, [&] { make_tasks(true); });
    }
}

} // namespace enclave
