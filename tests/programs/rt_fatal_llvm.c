/* Errors that end a program compiled by clang, with their messages, and reports after which it
   continues.

   compilers: clang
   flags: -D_GNU_SOURCE
   threads: 2 */
#include <stdint.h>

#include "dies.h"
#include "omp_decls.h"
#include "said.h"

typedef struct {
    intptr_t address;
    size_t length;
    uint8_t flags;
} item_t;
typedef struct {
    void *shared, *original;
    size_t size;
    void *init, *fini, *combine;
    uint32_t flags;
} reduction_t;
typedef struct {
    int64_t lower, upper, stride;
} loop_t;

int32_t __kmpc_global_thread_num(void *);
void __kmpc_omp_wait_deps(void *, int32_t, int32_t, item_t *, int32_t, item_t *);
void *__kmpc_task_reduction_get_th_data(int, void *, void *);
void *__kmpc_taskred_init(int, int, void *);
void __kmpc_doacross_init(void *, int32_t, int32_t, loop_t *);
void *__kmpc_threadprivate_cached(void *, int32_t, void *, size_t, void ***);
void __kmpc_error(void *, int32_t, const char *);
void omp_set_num_teams(int);
void omp_set_teams_thread_limit(int);
int omp_get_max_teams(void);

static int x;

static void unknown_reduction(void) {
#pragma omp parallel num_threads(1)
    __kmpc_task_reduction_get_th_data(__kmpc_global_thread_num(NULL), NULL, &x);
}

static void large_reduction(void) {
    reduction_t input = {&x, &x, (size_t)1 << 55, NULL, NULL, NULL, 0};
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
    __kmpc_taskred_init(__kmpc_global_thread_num(NULL), 1, &input);
}

static void long_clause(void) {
    static item_t items[1];
    (void)__kmpc_global_thread_num(NULL);
    limit_memory(1 << 20);
    __kmpc_omp_wait_deps(NULL, 0, 1 << 30, items, 0, NULL);
}

static void many_loops(void) {
    static loop_t loops[65];
#pragma omp parallel num_threads(1)
    __kmpc_doacross_init(NULL, __kmpc_global_thread_num(NULL), 65, loops);
}

static void long_loops(void) {
    loop_t loops[1] = {{0, (int64_t)1 << 50, 1}};
#pragma omp parallel num_threads(2)
    __kmpc_doacross_init(NULL, __kmpc_global_thread_num(NULL), 1, loops);
}

static void large_threadprivate(void) {
    void **cache = NULL;
    __kmpc_threadprivate_cached(NULL, __kmpc_global_thread_num(NULL), &x, (size_t)1 << 55, &cache);
}

static void error_directive(void) {
#pragma omp error at(execution) severity(fatal) message("enough")
}
static void error_without_message(void) { __kmpc_error(NULL, 2, NULL); }

int main(void) {
    check_dies(unknown_reduction, kAborts, "that no enclosing task_reduction names");
#if !defined(__SANITIZE_THREAD__) // whose allocator ends a program that asks for too much
    check_dies(large_reduction, kAborts, "loomp: out of memory: task reductions");
    check_dies(long_clause, kAborts, "loomp: out of memory: a task with 1073741824 dependences");
    check_dies(long_loops, kAborts,
               "loomp: out of memory: flags of 1125899906842624 doacross iterations");
    check_dies(large_threadprivate, kAborts, "loomp: out of memory: threadprivate variables");
#endif
    check_dies(many_loops, kAborts, "loomp: ordered(65): at most 64 nested loops are supported");
    check_dies(error_directive, 1, "OMP: Error: error directive encountered: enough ;");
    check_dies(error_without_message, 1, "OMP: Error: error directive encountered: (no message)");

    listen_to_stderr();
#pragma omp error at(execution) severity(warning) message("not yet")
    check_said("OMP: Warning: error directive encountered: not yet ;", 1);
    // Both have no effect inside a region.
    omp_set_num_teams(3);
    listen_to_stderr();
#pragma omp parallel num_threads(1)
    omp_set_num_teams(5);
    check_said("omp_set_num_teams() inside a parallel or teams region: call ignored; it belongs in "
               "front of the region",
               1);
    CHECK_EQ(omp_get_max_teams(), 3);
    listen_to_stderr();
#pragma omp parallel num_threads(1)
    omp_set_teams_thread_limit(5);
    check_said("omp_set_teams_thread_limit() inside a parallel or teams region: call ignored", 1);
    return 0;
}
