/* The layout of a task in clang's programs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct task task_t;
struct task {
    void *shareds;
    int32_t (*routine)(int32_t, task_t *);
    int32_t part;
    void *more[2];
};
task_t *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                              int32_t (*)(int32_t, task_t *));
