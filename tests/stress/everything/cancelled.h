// Taskgroups and regions that are cancelled: it is left open what of them runs, but not that all of
// it has ended.
#pragma once

#include "batches.h"
#include "locks.h"
#include "program.h"

namespace cancelled {

/// Work that may be discarded anywhere, and holds nothing where it stops.
inline void loosely(Random random, Scope scope, int depth) {
    work(random);
    if (random.chance(30) && scope.lock < kLockLevels) {
        const int level = scope.lock + random.below(kLockLevels - scope.lock);
        locks::with(scope, level, random, [] {
#pragma omp taskyield
        });
    }
    if (depth > 0) {
        for (int i = random.below(3); i > 0; --i) {
            const Random own = random.fork();
#pragma omp task firstprivate(own, scope, depth) priority(i)
            loosely(own, scope, depth - 1);
        }
    }
    if (random.chance(50)) {
#pragma omp taskwait
    } else if (random.chance(50)) {
#pragma omp taskyield
    }
}

inline void group(Random random, Scope scope) {
    WITHIN("cancelled group");
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    const int n = 1 + random.below(20);
    const int at = random.below(30);
#pragma omp taskgroup
    {
        for (int i = 0; i < n; ++i) {
            const Random own = random.fork();
#pragma omp task firstprivate(own, i, scope) shared(begun, ended)
            {
                begun++;
                loosely(own, scope, 2);
                if (i == at) {
#pragma omp cancel taskgroup
                }
#pragma omp cancellation point taskgroup
                ended++;
            }
        }
    }
    const int first = begun.load();
    const int last = ended.load();
    const bool cancels = at < n && omp_get_cancellation() != 0;
    if (last > first || first > n || (!cancels && last != n))
        fail("of %d tasks in a taskgroup %d began and %d ended (cancelled by %d)", n, first, last,
             at);
}

inline void region(Random random, Scope scope) {
    WITHIN("cancelled region");
    const int size = 1 + random.below(4);
    const int who = random.below(size + 1);
    const bool stops_loop = random.chance(50);
    const Random own = random.fork();
    std::atomic<int> passed{0};
    std::atomic<int> iterations{0};
    int team = 0;
#pragma omp parallel num_threads(size) shared(passed, iterations, team)                            \
    firstprivate(own, who, stops_loop, scope)
    {
        const int self = omp_get_thread_num();
        Random mine{own.state + static_cast<unsigned>(self)};
#pragma omp master
        team = omp_get_num_threads();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 40; ++i) {
            if (stops_loop && i == 17) {
#pragma omp cancel for
            }
            iterations++;
#pragma omp cancellation point for
        }
        for (int i = mine.below(6); i > 0; --i) {
            const Random inner = mine.fork();
#pragma omp task firstprivate(inner, scope)
            loosely(inner, scope, 2);
        }
        if (self == who) {
#pragma omp cancel parallel
        }
        loosely(mine, scope, 1);
#pragma omp barrier
        passed++;
    }
    const bool cancels = omp_get_cancellation() != 0;
    CHECK_EQ(passed.load(), who < team && cancels ? 0 : team);
    if (!stops_loop || !cancels)
        CHECK_EQ(iterations.load(), 40);
    else if (iterations.load() > 40)
        fail("a loop of 40 has run %d iterations", iterations.load());
}

/// A taskgroup whose tasks run in batches; some of those without a kind cancel it.
inline void in_batches(Random random) {
    WITHIN("cancelled batches");
    constexpr int kMostCells = 60;
    batches::Cell cells[kMostCells];
    int chains[4] = {};
    const bool cancels = random.chance(50) && omp_get_cancellation() != 0;
    const int n = random.below(kMostCells);
#pragma omp taskgroup
    for (int i = 0; i < n; ++i) {
        batches::Cell *cell = &cells[i];
        cell->node = Node{random.next(), 1};
        if (random.chance(80))
            loomp_next_task_kind(cancels ? batches::cancelled_kind() : batches::kind(random), cell);
        if (random.chance(30)) {
            int *chain = &chains[random.below(4)];
#pragma omp task depend(inout : *chain) firstprivate(cell)
            batches::mark(*cell);
        } else {
#pragma omp task firstprivate(cell, cancels, i)
            {
                batches::mark(*cell);
                if (cancels && i % 16 == 7) {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    for (int i = 0; i < n; ++i)
        if (cells[i].times != 1 && (!cancels || cells[i].times != 0))
            fail("task %d of %d has run %d times", i, n, cells[i].times.load());
}

} // namespace cancelled
