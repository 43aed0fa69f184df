/* A program's request for its next task applies to a target task, if that comes next, and to no
   later task, whatever clauses the construct has. The kind's body stands for the code of a deferred
   one; a set counts for each.

   threads: 2 */
#include <stddef.h>

#include "check.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

static void add_to_all(void *const *data, size_t count, void *context) {
    (void)context;
    for (size_t i = 0; i < count; i++)
        __atomic_add_fetch((int *)data[i], 100, __ATOMIC_RELAXED);
}

static int order, started;

/* A set whose location a slow task writes, and the next task's request for it. */
static void ask_for_set(loomp_dependences_t *set, int *location) {
    __atomic_store_n(&started, 0, __ATOMIC_RELAXED);
#pragma omp task depend(out : *location)
    {
        usleep(2000);
        __atomic_store_n(&order, 1, __ATOMIC_RELAXED);
    }
    loomp_next_task_depends(set);
}

/* The next ordinary task has no such dependence, so it need not wait. */
static void check_unasked(void) {
#pragma omp task
    __atomic_store_n(&started, 1, __ATOMIC_RELAXED);
    WAIT_UNTIL(__atomic_load_n(&started, __ATOMIC_RELAXED));
#pragma omp taskwait
    __atomic_store_n(&order, 0, __ATOMIC_RELAXED);
}

/* In a function, because a target region has copies of scalar variables. */
static int written(void) { return __atomic_load_n(&order, __ATOMIC_RELAXED); }

static void sets(void) {
    int location = 0, other = 0, seen = 0;
    (void)other;
    loomp_dependences_t *set = loomp_dependences_create();
    loomp_dependences_add(set, LOOMP_DEPEND_IN, &location);
    ask_for_set(set, &location);
#pragma omp target nowait map(tofrom : seen)
    seen = written();
    check_unasked();
    CHECK_EQ(seen, 1);
    ask_for_set(set, &location);
#pragma omp target nowait map(tofrom : seen) depend(out : other)
    seen += written();
    check_unasked();
    CHECK_EQ(seen, 2);
    ask_for_set(set, &location);
#pragma omp target map(tofrom : seen) depend(out : other)
    seen += written();
    check_unasked();
    CHECK_EQ(seen, 3);
#ifndef __clang__ /* which drops these */
    for (int kind = 0; kind < 4; kind++) {
        ask_for_set(set, &location);
        if (kind == 0) {
#pragma omp target enter data map(to : seen) depend(out : other)
        } else if (kind == 1) {
#pragma omp target exit data map(from : seen) nowait depend(out : other)
        } else if (kind == 2) {
#pragma omp target update to(seen) nowait
        } else {
#pragma omp target update to(seen) depend(out : other)
        }
#pragma omp task depend(in : other) shared(seen)
        seen += written();
        check_unasked();
        if (kind != 2)
            CHECK_EQ(seen, 4 + kind - (kind == 3));
        else
            seen = 5;
    }
#endif
    loomp_dependences_free(set);
}

int main(void) {
    int in_kind = 0, after = 0;
    const int kind = loomp_task_kind("cells", add_to_all, NULL, 2);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++) {
        loomp_next_task_kind(kind, &in_kind);
#pragma omp target nowait map(tofrom : in_kind)
        __atomic_add_fetch(&in_kind, 100, __ATOMIC_RELAXED);
#pragma omp task shared(after)
        __atomic_add_fetch(&after, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(in_kind, 400);
    CHECK_EQ(after, 4);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        sets();
        /* In place: the construct's own code runs, once. */
        in_kind = after = 0;
        loomp_next_task_kind(kind, &in_kind);
#pragma omp target map(tofrom : in_kind) depend(out : after)
        in_kind++;
#pragma omp task shared(after)
        after++;
#pragma omp taskwait
        CHECK_EQ(in_kind, 1);
        CHECK_EQ(after, 1);
    }
    return 0;
}
