/* Reports about persistent graphs: iterations that differ from earlier ones, tasks that cannot be
   kept, and misplaced calls. The tasks run nevertheless.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>
#include <stdbool.h>

#include "said.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

static long x, y, other[3];
static int n;

static void add(long *to) {
#pragma omp atomic
    ++*to;
}

/* Two tasks of one construct. */
static void usual(void) {
    for (int i = 0; i < 2; i++) {
#pragma omp task depend(inout : x)
        add(&x);
    }
}

static void is_missing(void) {
    for (int i = 0; i < (n == 2 ? 1 : 2); i++) {
#pragma omp task depend(inout : x)
        add(&x);
    }
    if (n == 2)
        add(&x);
}

static void is_more(void) {
    usual();
    if (n == 2) {
#pragma omp task depend(inout : x)
        add(&other[0]);
    }
}

static void has_other_code(void) {
    if (n == 2) {
#pragma omp task depend(inout : x)
        add(&other[0]);
    } else {
#pragma omp task depend(inout : x)
        add(&other[1]);
    }
}

static void has_other_dependences(void) {
    long *of = n == 2 ? &y : &other[2];
    (void)of;
#pragma omp task depend(inout : of[0])
    add(&other[0]);
}

static void is_undeferred(void) {
#pragma omp task depend(inout : x) if (n != 2)
    add(&x);
}

/* The other way round: nothing was kept for a task that its creator ran. */
static void is_deferred(void) {
    for (int i = 0; i < 2; i++) {
#pragma omp task depend(inout : x) if (n == 2 || i > 0)
        add(&x);
    }
}

static void has_mutexinoutset(void) {
#pragma omp task depend(mutexinoutset : x)
    add(&x);
}

static void has_event(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(inout : x) detach(event)
    add(&x);
    omp_fulfill_event(event);
}

static void has_an_undeferred_event(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(inout : x) detach(event) if (0)
    {
        add(&x);
        omp_fulfill_event(event);
    }
}

static void runs_a_task(void) {
    usual();
#pragma omp task depend(inout : x) if (0)
    add(&other[0]);
}

static void waits(void) {
    usual();
#pragma omp taskwait
    usual();
}

/* Another task each time, the graph is made anew until it is given up. */
static void always_differs(void) {
    for (int i = 0; i < 2 + n % 2; i++) {
#pragma omp task depend(inout : x)
        add(&x);
    }
}

/* A target task, which completes on the host, among those of the graph. */
static void has_a_target_task(void) {
    long ones[] = {0, 1}; /* more than a word, which would need no copy */
    usual();
#pragma omp target nowait depend(inout : x) map(tofrom : other) firstprivate(ones)
    other[0] += ones[1];
}
static void has_a_target_task_later(void) {
    usual();
    if (n == 2) {
#pragma omp target nowait depend(inout : x) map(tofrom : other)
        other[0]++;
    }
}

/* One that has no private data can be replayed. */
static void has_a_plain_target_task(void) {
    usual();
#pragma omp target nowait depend(inout : x) map(tofrom : other)
    other[0]++;
}

#ifdef __clang__
/* clang evaluates the clause when the task has been created. */
static long *begin_and_name_x(void) {
    loomp_persistent_begin("later", 0);
    return &x;
}
/* The other task is created between the allocation of this one and its submission. */
static long *create_and_name_x(void) {
#pragma omp task depend(inout : x)
    add(&other[0]);
    return &x;
}
static void creates_in_a_clause(void) {
#pragma omp task depend(inout : y, create_and_name_x()[0])
    add(&x);
}
static long *name_x_and(bool creates) {
    if (creates) {
#pragma omp task depend(inout : x)
        add(&other[0]);
    }
    return &x;
}
static void creates_in_a_clause_later(void) {
#pragma omp task depend(inout : name_x_and(n == 2)[0])
    add(&x);
    if (n != 2)
        name_x_and(true);
}
static void begins_in_a_clause(void) {
#pragma omp task depend(inout : begin_and_name_x()[0])
    add(&x);
    loomp_persistent_end();
    loomp_persistent_free("later");
}
#endif

#ifndef __clang__
/* GNU's entry: one code with private data of another size in one iteration */
void GOMP_task(void (*code)(void *), void *data, void (*copy)(void *, void *), long size,
               long alignment, bool deferred, unsigned flags, void **dependences, int priority,
               void *detach);
static void add_to_x(void *data) {
    (void)data;
    add(&x);
}
static void has_other_data(void) {
    enum { DEPEND = 8 };
    void *dependences[] = {(void *)1, (void *)1, &x};
    long data[2] = {0, 0};
    GOMP_task(add_to_x, data, NULL, (n == 2 ? 2 : 1) * (long)sizeof *data, 8, true, DEPEND,
              dependences, 0, NULL);
}
#endif

static void nests(void) {
    LOOMP_PERSISTENT_AT("inner", 0)
    usual();
    usual();
}

/* Creates the tasks of `create` in so many iterations of a graph; one line with `text` is written.
 */
static void iterate(void (*create)(void), unsigned flags, int iterations, const char *text,
                    int lines) {
    static const char graph[] = "graph";
    listen_to_stderr();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (n = 0; n < iterations; n++)
            LOOMP_PERSISTENT_AT(graph, flags)
        create();
        loomp_persistent_free(graph);
    }
    check_said(text, lines);
}

int main(void) {
    x = y = 0;

    iterate(is_missing, 0, 4,
            "graph: persistent graph: task 1 of the iteration is missing; the graph is made anew",
            1);
    CHECK_EQ(x, 8);
    iterate(is_more, 0, 4,
            "task 2 of the iteration is one more than before; the graph is made anew", 1);
    CHECK_EQ(x, 16);
    CHECK_EQ(other[0], 1);
    iterate(has_other_code, 0, 4, "task 0 of the iteration has other code than before", 1);
    CHECK_EQ(other[0], 2);
    CHECK_EQ(other[1], 3);
    iterate(has_other_dependences, LOOMP_PERSISTENT_CHECK, 4,
            "task 0 of the iteration has other dependences than before", 1);
    CHECK_EQ(other[0], 6);
    iterate(is_undeferred, 0, 4, "task 0 of the iteration is not deferred any more", 1);
    CHECK_EQ(x, 20);
    /* Without barriers, tasks of the iteration before count: a task does not wait for itself. */
    iterate(is_undeferred, LOOMP_PERSISTENT_NO_BARRIER, 4,
            "task 0 of the iteration is not deferred any more", 1);
    CHECK_EQ(x, 24);
    iterate(has_other_dependences, LOOMP_PERSISTENT_NO_BARRIER | LOOMP_PERSISTENT_CHECK, 4,
            "task 0 of the iteration has other dependences than before", 1);
    CHECK_EQ(other[0], 10);
    x = 20;
    iterate(is_deferred, 0, 4, "task 1 of the iteration is not of the graph", 1);
    CHECK_EQ(x, 28);
    iterate(has_mutexinoutset, 0, 4, "graph: persistent graph: mutexinoutset cannot be kept", 1);
    CHECK_EQ(x, 32);
    iterate(always_differs, 0, 30,
            "graph: persistent graph: every iteration differs from the one before", 2);

    iterate(has_an_undeferred_event, 0, 4,
            "graph: persistent graph: an undeferred task has an event", 1);

    x = other[0] = 0;
    iterate(has_a_target_task, 0, 4, NULL, 0);
    CHECK_EQ(x, 8);
    CHECK_EQ(other[0], 4);
    iterate(has_a_plain_target_task, LOOMP_PERSISTENT_REPLAY, 4, NULL, 0);
    CHECK_EQ(x, 16);
    CHECK_EQ(other[0], 8);
    x = 8;
    other[0] = 4;
    iterate(has_a_target_task_later, 0, 4, "task 2 of the iteration is one more than before", 1);
    CHECK_EQ(x, 16);
    CHECK_EQ(other[0], 5);
#ifndef __clang__
    iterate(has_a_target_task, LOOMP_PERSISTENT_REPLAY, 4,
            "cannot be replayed, its code is run each time: a target task has private data", 1);
    CHECK_EQ(x, 24);
    CHECK_EQ(other[0], 9);
    iterate(has_other_data, 0, 4, "task 0 of the iteration has other private data than before", 1);
    CHECK_EQ(x, 28);
#endif

#ifdef __clang__
    x = 0;
    listen_to_stderr();
#pragma omp parallel num_threads(2)
#pragma omp single
    begins_in_a_clause();
    check_said("later: persistent graph: a task was created before the iteration", 1);
    CHECK_EQ(x, 1);
    x = 0;
    iterate(creates_in_a_clause, 0, 4,
            "graph: persistent graph: a task was created in a clause of "
            "another one",
            1);
    CHECK_EQ(x, 4);
    x = other[0] = 0;
    iterate(
        creates_in_a_clause_later, 0, 4,
        "graph: persistent graph: task 1 of the iteration is created in a clause of another one; "
        "the graph is made anew",
        1);
    CHECK_EQ(x, 4);
    CHECK_EQ(other[0], 4);
    x = other[0] = 0;
#endif

    // The code of an iteration that cannot be replayed is run.
    x = other[0] = 0;
    iterate(has_event, LOOMP_PERSISTENT_REPLAY, 4,
            "persistent graph: cannot be replayed, its code is run each time: a task has an event, "
            "or private variables of classes",
            1);
    CHECK_EQ(x, 4);
    iterate(runs_a_task, LOOMP_PERSISTENT_REPLAY, 4,
            "its code is run each time: the producer runs a task itself", 1);
    CHECK_EQ(x, 12);
    CHECK_EQ(other[0], 4);
    iterate(waits, LOOMP_PERSISTENT_REPLAY, 4,
            "its code is run each time: the producer waits between its tasks", 1);
    CHECK_EQ(x, 28);

    // Calls in the wrong place.
    iterate(nests, 0, 3,
            "graph: persistent graph: iterations do not nest; the inner one is an ordinary one", 1);
    CHECK_EQ(x, 28 + 3 * 4);
    iterate(usual, 8, 2, "graph: loomp_persistent_begin: flags 0x8 are unknown and ignored", 1);
    return 0;
}
