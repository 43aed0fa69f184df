// Tasks of a kind, which the runtime runs together (loomp_task_kind()).
#pragma once

#include "extensions.h"
#include "program.h"

namespace batches {

/// The data of a task with a kind.
struct Cell {
    Node node;
    std::uint64_t value = 0;
    std::atomic<int> times{0};
};

inline void mark(Cell &cell) {
    cell.value = serially(cell.node);
    ++cell.times;
}

/// Marks each cell; every other time in tasks of its own.
inline void mark_all(void *const *cells, std::size_t count, void *) {
    const bool in_tasks = steps.fetch_add(1, std::memory_order_relaxed) % 2 != 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto *cell = static_cast<Cell *>(cells[i]);
#pragma omp task firstprivate(cell) if (in_tasks)
        mark(*cell);
    }
#pragma omp taskwait
}

constexpr int kKinds = 4;
inline int kinds[kKinds];

/// Once in the process.
inline void make_kinds() {
    for (int i = 0; i < kKinds; ++i)
        kinds[i] = loomp_task_kind("mark", mark_all, nullptr, 2u + 7u * static_cast<unsigned>(i));
}

/// Mostly the first one, so that there are whole batches of it.
inline int kind(Random &random) { return kinds[random.chance(80) ? 0 : random.below(kKinds - 1)]; }

/// The kind of tasks that are cancelled. The children of a batch are those of its first task, and
/// discarded with it: the batch's other tasks must be cancelled, too.
inline int cancelled_kind() { return kinds[kKinds - 1]; }

} // namespace batches
