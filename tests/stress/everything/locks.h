// Locks of all kinds, held across whatever a node does.
#pragma once

#include "program.h"

namespace locks {

struct Set {
    omp_lock_t plain[2];
    omp_nest_lock_t nested[2];
    bool held[kLockLevels]; ///< guarded by the lock of the level

    void prepare() {
        for (int i = 0; i < 2; ++i) {
            omp_init_lock(&plain[i]);
            omp_init_nest_lock(&nested[i]);
        }
    }
};

inline Set of_parent;
/// The child of fork() has locks of its own: threads that are not there may hold the others. Those
/// of the parent's tasks that its thread had suspended may go on in the child, and take the others:
/// they may wait for tasks that a thread in the child's regions does not begin.
inline Set of_child;

template <class Body> void held_by_one(bool &held, Body body) {
    CHECK_EQ(held, false);
    held = true;
    body();
    CHECK_EQ(held, true);
    held = false;
}

/// The body, with the lock of a level.
template <class Body> void with(Scope scope, int level, Random random, Body body) {
    Set &set = scope.of_child ? of_child : of_parent;
    bool &held = set.held[level];
    omp_lock_t *lock = &set.plain[level / 3];
    omp_nest_lock_t *nest = &set.nested[level / 3];
    const bool tries = random.chance(20);
    switch (level) {
    case 0:
    case 3:
        if (!tries || omp_test_lock(lock) == 0)
            omp_set_lock(lock);
        held_by_one(held, body);
        omp_unset_lock(lock);
        break;
    case 1:
    case 4:
        if (!tries || omp_test_nest_lock(nest) == 0)
            omp_set_nest_lock(nest);
        omp_set_nest_lock(nest);
        held_by_one(held, body);
        omp_unset_nest_lock(nest);
        omp_unset_nest_lock(nest);
        break;
    // The compilers have one name for each.
    case 2:
        if (in_child)
            body();
        else
#pragma omp critical(everything_one)
            held_by_one(held, body);
        break;
    default:
        if (in_child)
            body();
        else
#pragma omp critical(everything_two)
            held_by_one(held, body);
    }
}

} // namespace locks
