/* ALPI (include/loomp/alpi.h) in an OpenMP program: blocking, events and code that is run again in
 * tasks as compilers make them, and a spawned function that serves them all.
 *
 * link: alpi */
#include "check.h"

#include <stdatomic.h>
#include <string.h>

#include <loomp/alpi.h>

enum { N = 500 };

/* The requests of tasks: a slot each. */
static _Atomic(struct alpi_task *) to_unblock[N], to_release[N];
static atomic_int stop, stopped, served;

static struct alpi_task *self(void) {
    struct alpi_task *task = 0;
    CHECK(alpi_task_self(&task) == ALPI_SUCCESS && task != 0);
    return task;
}

static void serve(void *data) {
    (void)data;
    for (int i = 0; i < N; ++i) {
        struct alpi_task *task = atomic_exchange(&to_unblock[i], 0);
        if (task) {
            ++served;
            CHECK(alpi_task_unblock(task) == ALPI_SUCCESS);
        }
        task = atomic_exchange(&to_release[i], 0);
        if (task) {
            ++served;
            CHECK(alpi_task_events_decrease(task, 1) == ALPI_SUCCESS);
        }
    }
    if (!stop) {
        CHECK(alpi_task_suspend_mode_set(self(), ALPI_SUSPEND_TIMEOUT_SUBMIT, 50000) ==
              ALPI_SUCCESS);
        CHECK(alpi_task_suspend(self()) == ALPI_SUCCESS);
    }
}

static void has_stopped(void *data) {
    (void)data;
    stopped = 1;
}

int main(void) {
    CHECK(alpi_task_spawn(serve, 0, has_stopped, 0, "server", 0) == ALPI_SUCCESS);

    static int data[N];
    static atomic_int right;
    int blocked = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; ++i) {
#pragma omp task depend(out : data[i])
        {
            CHECK(alpi_task_events_increase(self(), 1) == ALPI_SUCCESS);
            to_release[i] = self();
        }
#pragma omp task depend(inout : data[i]) shared(blocked)
        {
            to_unblock[i] = self();
            CHECK(alpi_task_block(self()) == ALPI_SUCCESS);
#pragma omp atomic
            ++blocked;
            data[i] = i;
        }
#pragma omp task depend(inout : data[i])
        {
            uint64_t actual = 0;
            CHECK(alpi_task_waitfor_ns(1000, &actual) == ALPI_SUCCESS && actual >= 1000);
            static atomic_int all_runs[N];
            if (++all_runs[i] < 3) {
                CHECK(alpi_task_suspend_mode_set(self(), ALPI_SUSPEND_SUBMIT, 0) == ALPI_SUCCESS);
                CHECK(alpi_task_suspend(self()) == ALPI_SUCCESS);
            } else {
                data[i] += 3;
            }
        }
#pragma omp task depend(in : data[i])
        right += data[i] == i + 3;
    }
    CHECK(blocked == N);
    CHECK(right == N);
    CHECK(served == 2 * N);

    /* Events of implicit tasks: the region's end waits. */
    for (int round = 0; round < 20; ++round) {
        int before = served;
#pragma omp parallel num_threads(3)
        {
            static atomic_int next;
            CHECK(alpi_task_events_increase(self(), 1) == ALPI_SUCCESS);
            to_release[next++ % N] = self();
        }
        CHECK(served == before + 3);
    }

    stop = 1;
    while (!stopped)
        CHECK(alpi_task_waitfor_ns(100000, 0) == ALPI_SUCCESS);
    return 0;
}
