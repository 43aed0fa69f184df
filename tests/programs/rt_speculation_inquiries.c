/* Queries about speculative iterations: the last one, the calling task's, and completion of all up
   to one. It also checks which task may begin the next one.

   threads: 4 */
#include <limits.h>
#include <pthread.h>

#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "omp_decls.h"
#include "said.h"

static loomp_speculation_t *one;

/* A thread that OpenMP has nothing to do with. */
static void *ask_from_outside(void *last) {
    CHECK_EQ(loomp_speculation_last(one), *(int *)last);
    CHECK_EQ(loomp_speculation_iteration(one), -1);
    CHECK_EQ(loomp_speculation_completed(one, 100), 0);
    return NULL;
}

static void check_from_outside(int last) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, ask_from_outside, &last), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* The earliest of several cuts counts, whoever makes it. */
static void cuts(void) {
    one = loomp_speculation_begin();
    CHECK_EQ(loomp_speculation_last(one), INT_MAX);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(loomp_speculation_next(one), i);
    loomp_speculation_cut(one, 9);
    CHECK_EQ(loomp_speculation_last(one), 9);
    CHECK_EQ(loomp_speculation_next(one), 5);
#pragma omp task
    loomp_speculation_cut(one, 7);
#pragma omp taskwait
    CHECK_EQ(loomp_speculation_last(one), 7);
    loomp_speculation_cut(one, 8);
    listen_to_stderr();
    loomp_speculation_cut(one, -1);
    check_said("loomp_speculation_cut(): no iteration has the number -1 (a task that belongs to "
               "none calls it?); ignored",
               1);
    CHECK_EQ(loomp_speculation_last(one), 7);
    check_from_outside(7);
    CHECK_EQ(loomp_speculation_next(one), 6);
    CHECK_EQ(loomp_speculation_next(one), 7);
    CHECK_EQ(loomp_speculation_next(one), -1);
    CHECK_EQ(loomp_speculation_last(one), 7);
    CHECK_EQ(loomp_speculation_end(one), 8);
}

/* When all have completed, nothing belongs to them any more. */
static void ask_at_end(void *of_later) {
#pragma omp task
    *(int *)of_later = loomp_speculation_iteration(one);
#pragma omp taskwait
    CHECK_EQ(loomp_speculation_iteration(one), -1);
}

/* A task's iteration is its creator's; a region within it has none, nor has another series. */
static void iterations(void) {
    static int seen[3], of_child[3], of_region = 0, of_other = 0, of_later = 0;
    one = loomp_speculation_begin();
    CHECK_EQ(loomp_speculation_iteration(one), -1);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(loomp_speculation_next(one), i);
        CHECK_EQ(loomp_speculation_iteration(one), i);
#pragma omp task firstprivate(i)
        {
            seen[i] = loomp_speculation_iteration(one);
#pragma omp task firstprivate(i)
            of_child[i] = loomp_speculation_iteration(one);
            if (i == 1) {
#pragma omp parallel num_threads(1)
#pragma omp task
                of_region = loomp_speculation_iteration(one);
            }
            if (i == 2) {
                loomp_speculation_t *const inner = loomp_speculation_begin();
                CHECK_EQ(loomp_speculation_next(inner), 0);
                CHECK_EQ(loomp_speculation_iteration(inner), 0);
                of_other = loomp_speculation_iteration(one);
                CHECK_EQ(loomp_speculation_end(inner), 1);
            }
        }
    }
    loomp_speculation_at_end(one, ask_at_end, &of_later);
    CHECK_EQ(loomp_speculation_end(one), 3);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(seen[i], i);
        CHECK_EQ(of_child[i], i);
    }
    CHECK_EQ(of_region, -1);
    CHECK_EQ(of_other, -1); // the nearest series is another one
    CHECK_EQ(of_later, -1);
}

static void ask_completed(void *asked) {
    CHECK_EQ(loomp_speculation_completed(one, 2), 1);
    CHECK_EQ(loomp_speculation_completed(one, 3), 0); // never begun
    *(int *)asked = 1;
}

/* An iteration has completed when its tasks and those of earlier ones have, and the next one has
 * begun. */
static void completion(void) {
    static _Atomic int go, ran;
    go = ran = 0;
    one = loomp_speculation_begin();
    CHECK_EQ(loomp_speculation_next(one), 0);
#pragma omp task
    WAIT_UNTIL(go >= 1);
    CHECK_EQ(loomp_speculation_next(one), 1);
#pragma omp task
    ran = 1;
    WAIT_UNTIL(ran);
    CHECK_EQ(loomp_speculation_next(one), 2);
    // The tasks of 1 have run; 0 has one that has not.
    CHECK_EQ(loomp_speculation_completed(one, 0), 0);
    CHECK_EQ(loomp_speculation_completed(one, 1), 0);
    check_from_outside(INT_MAX);
    go = 1;
    WAIT_UNTIL(loomp_speculation_completed(one, 0));
    WAIT_UNTIL(loomp_speculation_completed(one, 1));
    // 2 has no tasks, but others may still be created.
    CHECK_EQ(loomp_speculation_completed(one, 2), 0);
    int asked = 0;
    loomp_speculation_at_end(one, ask_completed, &asked);
    CHECK_EQ(loomp_speculation_end(one), 3);
    CHECK_EQ(asked, 1);
}

/* Iterations are begun, and waited for, by the task that began the series. */
static void owner(void) {
    one = loomp_speculation_begin();
    CHECK_EQ(loomp_speculation_next(one), 0);
    listen_to_stderr();
    int next = 0, ended = 0;
#pragma omp task shared(next, ended)
    {
        next = loomp_speculation_next(one);
        ended = loomp_speculation_end(one);
    }
#pragma omp taskwait
    check_said(
        "loomp_speculation_next(): only the task that began the iterations may call it; ignored",
        2);
    CHECK_EQ(next, -1);
    CHECK_EQ(ended, -1);
    CHECK_EQ(loomp_speculation_next(NULL), -1);
    CHECK_EQ(loomp_speculation_end(NULL), -1);
    CHECK_EQ(loomp_speculation_next(one), 1);
    CHECK_EQ(loomp_speculation_end(one), 2);
}

int main(void) {
    for (int i = 0; i < 20; i++) {
#pragma omp parallel
#pragma omp single
        {
            cuts();
            iterations();
            completion();
            owner();
        }
    }
    return 0;
}
