/* Errors that end a program compiled by gcc, and their messages.

   compilers: gcc
   sanitizers: no
   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>
#include <stdint.h>

#include "dies.h"
#include "said.h"

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, _Bool, unsigned,
               void **, int, void *);
void GOMP_taskgroup_reduction_register(uintptr_t *);
void GOMP_task_reduction_remap(size_t, size_t, void **);

static void nothing(void *data) { (void)data; }

static void unknown_reduction(void) {
    int x = 0;
    void *item = &x;
#pragma omp parallel num_threads(1)
    GOMP_task_reduction_remap(1, 0, &item);
}

static void large_reduction(void) {
    int x = 0;
    uintptr_t data[10] = {1, (uintptr_t)1 << 55, 64, (uintptr_t)-1, 0, 0, 0, (uintptr_t)&x, 0, 0};
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
    GOMP_taskgroup_reduction_register(data);
}

static void long_clause(void) {
    void *depend[2] = {(void *)((uintptr_t)1 << 50), NULL};
#pragma omp parallel num_threads(1)
    GOMP_task(nothing, NULL, NULL, 0, 1, 1, 8, depend, 0, NULL);
}

static void wrong_depend_object(void) {
    omp_depend_t object;
    void *words[2] = {&object, (void *)99};
    memcpy(&object, words, sizeof words);
#pragma omp parallel num_threads(1)
    {
#pragma omp task depend(depobj : object)
        ;
    }
}

static void invalid_device(void) {
#pragma omp target device(-4)
    ;
}

static void error_directive(void) {
#pragma omp error at(execution) severity(fatal) message("enough")
}
static void error_without_message(void) {
#pragma omp error at(execution) severity(fatal)
}

int main(void) {
    check_dies(unknown_reduction, kAborts, "that no enclosing task_reduction names");
    check_dies(large_reduction, kAborts,
               "loomp: out of memory: 36028797018963968 bytes for task reductions");
    check_dies(long_clause, kAborts,
               "loomp: out of memory: a task with 1125899906842624 dependences");
    check_dies(wrong_depend_object, kAborts,
               ": unknown dependence type 99; was it initialised by a depobj construct?");
    check_dies(invalid_device, kAborts,
               "loomp: a target construct is to run on omp_invalid_device");
    check_dies(error_directive, 1, "libgomp: fatal error: error directive encountered: enough\n");
    check_dies(error_without_message, 1, "libgomp: fatal error: error directive encountered\n");

    listen_to_stderr();
#pragma omp error at(execution) severity(warning) message("not yet")
    check_said("libgomp: error directive encountered: not yet\n", 1);
    return 0;
}
