// Tasks of a kind (loomp_task_kind) that are one kernel together: the batch's body gathers their
// values, has a device work on all of them, and scatters the results. It waits for the device as a
// task does, in a region without nowait or for a target task that it has made.
#include "../../programs/check.h"
#include <dlfcn.h>
#include <loomp/loomp.h>

enum { kTasks = 600, kMax = 32, kRounds = 3 };

static int cells[kTasks];
static _Atomic int in_batches;

static void step_all(void *const *data, size_t count, void *waits) {
    int values[kMax];
    in_batches += (int)count;
    for (size_t i = 0; i < count; ++i)
        values[i] = *(int *)data[i];
    if (waits != NULL) {
#pragma omp target nowait map(tofrom : values[0 : count]) firstprivate(count)
        for (size_t i = 0; i < count; ++i)
            values[i] = 2 * values[i] + 1;
#pragma omp taskwait
    } else {
#pragma omp target map(tofrom : values[0 : count]) firstprivate(count)
        for (size_t i = 0; i < count; ++i)
            values[i] = 2 * values[i] + 1;
    }
    for (size_t i = 0; i < count; ++i)
        *(int *)data[i] = values[i];
}

int main(void) {
    int (*task_kind)(const char *, loomp_batch_fn, void *, unsigned);
    void (*next_kind)(int, void *);
    *(void **)&task_kind = dlsym(RTLD_DEFAULT, "loomp_task_kind");
    *(void **)&next_kind = dlsym(RTLD_DEFAULT, "loomp_next_task_kind");
    CHECK(task_kind != NULL && next_kind != NULL);
    int waits = 1;
    const int kinds[] = {task_kind("step", step_all, NULL, kMax),
                         task_kind("step and wait", step_all, &waits, kMax)};
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < kRounds; ++round)
        for (int i = 0; i < kTasks; ++i) {
            next_kind(kinds[i % 2], &cells[i]);
#pragma omp task depend(inout : cells[i]) firstprivate(i)
            cells[i] = 2 * cells[i] + 1;
        }
    for (int i = 0; i < kTasks; ++i)
        CHECK(cells[i] == (1 << kRounds) - 1);
    CHECK(in_batches > kTasks);
    return 0;
}
