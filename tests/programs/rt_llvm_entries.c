/* The entry points of the LLVM interface that Intel's compiler, and clang from 20 on, call: loops
   with the simd modifier, lists of thread numbers, `taskwait depend nowait` as a task without a
   routine, and omp_all_memory as the address -1. Regions that share
   many variables.
   compilers: clang */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "kmp_task.h"
#include "omp_decls.h"

typedef struct {
    intptr_t address;
    size_t length;
    uint8_t flags;
} item_t;
enum { kIn = 1, kInout = 3, kTied = 1 };

int32_t __kmpc_global_thread_num(void *);
int32_t __kmpc_omp_task_with_deps(void *, int32_t, task_t *, int32_t, item_t *, int32_t, item_t *);
void __kmpc_push_num_threads_list(void *, int32_t, uint32_t, int32_t *);
void __kmpc_fork_call(void *, int32_t, void (*)(int32_t *, int32_t *, ...), ...);
void __kmpc_pop_num_threads(void *, int32_t);
void __kmpc_dispatch_init_4(void *, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
int __kmpc_dispatch_next_4(void *, int32_t, int32_t *, int32_t *, int32_t *, int32_t *);

static int order, seen[4];

static int32_t note(int32_t gtid, task_t *task) {
    (void)gtid;
    const int i = *(int *)task->shareds;
    seen[i] = __atomic_add_fetch(&order, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void create(int i, intptr_t address, int flags) {
    const int32_t gtid = __kmpc_global_thread_num(NULL);
    task_t *task = __kmpc_omp_task_alloc(NULL, gtid, kTied, sizeof(task_t), sizeof(int), note);
    *(int *)task->shareds = i;
    item_t item = {address, 1, (uint8_t)flags};
    __kmpc_omp_task_with_deps(NULL, gtid, task, 1, &item, 0, NULL);
}

static void tasks(void) {
    int x, y;
    order = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        const int32_t gtid = __kmpc_global_thread_num(NULL);
        create(0, (intptr_t)&x, kInout);
        create(1, -1, kInout); // after 0, which names something else
        // taskwait depend(in: x) depend(inout: y) nowait
        task_t *wait = __kmpc_omp_task_alloc(NULL, gtid, kTied, sizeof(task_t), 0, NULL);
        item_t items[2] = {{(intptr_t)&x, 1, kIn}, {(intptr_t)&y, 1, kInout}};
        __kmpc_omp_task_with_deps(NULL, gtid, wait, 2, items, 0, NULL);
        create(2, (intptr_t)&y, kIn); // after that
    }
    CHECK_EQ(seen[0], 1);
    CHECK_EQ(seen[1], 2);
    CHECK_EQ(seen[2], 3);
}

/// Each iteration once, in chunks of whole vectors but for the loop's end.
static void simd_loop(int schedule, int vector, int trip, int threads) {
    enum { kMost = 200 };
    int hits[kMost];
    memset(hits, 0, sizeof hits);
#pragma omp parallel num_threads(threads)
    {
        const int32_t gtid = __kmpc_global_thread_num(NULL);
        int32_t last, lower, upper, stride;
        __kmpc_dispatch_init_4(NULL, gtid, schedule, 0, trip - 1, 1, vector);
        while (__kmpc_dispatch_next_4(NULL, gtid, &last, &lower, &upper, &stride)) {
            CHECK(lower % vector == 0 && ((upper + 1) % vector == 0 || upper == trip - 1));
            CHECK_EQ(last, upper == trip - 1);
            for (int i = lower; i <= upper; ++i)
#pragma omp atomic
                hits[i]++;
        }
#pragma omp barrier
    }
    for (int i = 0; i < kMost; ++i)
        CHECK_EQ(hits[i], i < trip);
}

static void simd_loops(void) {
    enum { kStatic = 45, kGuided = 46, kRuntime = 47 };
    for (int threads = 1; threads <= 4; ++threads)
        for (int vector = 1; vector <= 8; vector += 3)
            for (int trip = 1; trip < 200; trip += 11) {
                simd_loop(kStatic, vector, trip, threads);
                simd_loop(kGuided, vector, trip, threads);
                for (int kind = omp_sched_static; kind <= omp_sched_auto; ++kind)
                    for (int chunk = 0; chunk < 3; ++chunk) {
                        omp_set_schedule((omp_sched_t)kind, chunk);
                        simd_loop(kRuntime, vector, trip, threads);
                    }
            }
}

static int sizes[4];

static void nest(int level) {
    if (level == 4)
        return;
#pragma omp parallel
#pragma omp master
    {
        sizes[level] = omp_get_num_threads();
        nest(level + 1);
    }
}

static void expect_sizes(int a, int b, int c, int d) {
    const int expected[4] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
        CHECK_EQ(sizes[i], expected[i]);
}

static void lists(void) {
    omp_set_max_active_levels(4);
    const int32_t gtid = __kmpc_global_thread_num(NULL);
    nest(0);
    const int usual = sizes[0];
    expect_sizes(usual, usual, usual, usual);
    int32_t list[] = {3, 1, 2};
    __kmpc_push_num_threads_list(NULL, gtid, 3, list);
    list[1] = 4; // it has been read
    nest(0);
    expect_sizes(3, 1, 2, 2);
    nest(0); // counts for one region
    expect_sizes(usual, usual, usual, usual);
    __kmpc_push_num_threads_list(NULL, gtid, 1, list);
    nest(0);
    expect_sizes(3, usual, usual, usual);
    __kmpc_push_num_threads_list(NULL, gtid, 3, list);
    __kmpc_pop_num_threads(NULL, gtid);
    nest(0);
    expect_sizes(usual, usual, usual, usual);
}

/* Regions that share any number of variables. */
static int shared_count, sums;
static void add_all(int32_t *gtid, int32_t *tid, ...) {
    (void)gtid, (void)tid;
    va_list list;
    va_start(list, tid);
    int sum = 0;
    for (int i = 0; i < shared_count; ++i)
        sum += *va_arg(list, int *) * (i + 1);
    va_end(list);
    __atomic_add_fetch(&sums, sum, __ATOMIC_RELAXED);
}
#define FORK(COUNT, ...)                                                                           \
    do {                                                                                           \
        shared_count = COUNT;                                                                      \
        sums = 0;                                                                                  \
        __kmpc_fork_call(NULL, COUNT, add_all, __VA_ARGS__);                                       \
        CHECK_EQ(sums, omp_get_max_threads() * (COUNT) * ((COUNT) + 1) / 2);                       \
    } while (0)
#define FOUR(A) A, A, A, A
static void shared_variables(void) {
    int x = 1;
    FORK(1, &x);
    FORK(4, FOUR(&x));
    FORK(5, FOUR(&x), &x);
    FORK(6, FOUR(&x), &x, &x);
    FORK(7, FOUR(&x), &x, &x, &x);
    FORK(8, FOUR(&x), FOUR(&x));
    FORK(9, FOUR(&x), FOUR(&x), &x);
    FORK(256, FOUR(FOUR(FOUR(FOUR(&x)))));
    FORK(257, FOUR(FOUR(FOUR(FOUR(&x)))), &x);
    FORK(1025, FOUR(FOUR(FOUR(FOUR(FOUR(&x))))), &x);
}

int main(void) {
    shared_variables();
    for (int i = 0; i < 20; ++i)
        tasks();
    simd_loops();
    lists();
    return 0;
}
