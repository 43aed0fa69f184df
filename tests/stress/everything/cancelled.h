// Taskgroups and regions that are cancelled: what of them runs is left open, but not that all of it
// has ended.
#pragma once

#include "locks.h"
#include "program.h"

namespace cancelled {

/// What may be discarded anywhere, and holds nothing where it stops.
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
    if (last > first || first > n || (at >= n && last != n))
        fail("of %d tasks in a taskgroup %d began and %d ended (cancelled by %d)", n, first, last,
             at);
}

inline void region(Random random, Scope scope) {
    WITHIN("cancelled region");
    const int size = 1 + random.below(4);
    const int who = random.below(size + 1);
    const Random own = random.fork();
    std::atomic<int> passed{0};
    int team = 0;
#pragma omp parallel num_threads(size) shared(passed, team) firstprivate(own, who, scope)
    {
        const int self = omp_get_thread_num();
        Random mine{own.state + static_cast<unsigned>(self)};
#pragma omp master
        team = omp_get_num_threads();
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
    CHECK_EQ(passed.load(), who < team ? 0 : team);
}

} // namespace cancelled
