/* A program's request for its next task applies to a target task, if that comes next, and to no
   later task. The kind's body stands for the region's code.

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
    return 0;
}
