/* Entry points of the LLVM interface that flang, Intel's compilers, older clangs and tools call,
   called by hand: loops of teams, sections, barriers, locks, memory, threadprivate variables,
   tasks.

   compilers: clang
   flags: -D_GNU_SOURCE
   threads: 3 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kmp_task.h"
#include "omp_decls.h"

int32_t __kmpc_global_thread_num(void *);
int32_t __kmpc_global_num_threads(void *);
int32_t __kmpc_bound_thread_num(void *);
int32_t __kmpc_bound_num_threads(void *);
int32_t __kmpc_in_parallel(void *);
int32_t __kmpc_ok_to_fork(void *);
void __kmpc_begin(void *, int32_t);
void __kmpc_end(void *);
uint64_t __kmpc_get_taskid(void);
uint64_t __kmpc_get_parent_taskid(void);
int32_t __kmpc_barrier_master(void *, int32_t);
void __kmpc_end_barrier_master(void *, int32_t);
int32_t __kmpc_barrier_master_nowait(void *, int32_t);
void __kmpc_barrier(void *, int32_t);
void *__kmpc_copyprivate_light(void *, int32_t, void *);
void __kmpc_scope(void *, int32_t, void *);
void __kmpc_end_scope(void *, int32_t, void *);
int32_t __kmpc_sections_init(void *, int32_t);
int32_t __kmpc_next_section(void *, int32_t, int32_t);
void __kmpc_end_sections(void *, int32_t);
void __kmpc_dispatch_fini_8(void *, int32_t);

static int32_t self(void) { return __kmpc_global_thread_num(NULL); }

/* --- Inquiries and barriers ----------------------------------------------------------------------
 */

static void inquiries(void) {
    __kmpc_begin(NULL, 0);
    CHECK_EQ(__kmpc_in_parallel(NULL), 0);
    CHECK_EQ(__kmpc_ok_to_fork(NULL), 1);
    CHECK_EQ(__kmpc_bound_num_threads(NULL), 1);
    CHECK_EQ(__kmpc_bound_thread_num(NULL), 0);
    _Atomic int seen = 0, masters = 0;
    uint64_t of_child = 0, of_parent = 0;
#pragma omp parallel num_threads(3)
    {
        CHECK_EQ(__kmpc_in_parallel(NULL), 1);
        CHECK_EQ(__kmpc_bound_num_threads(NULL), 3);
        CHECK_EQ(__kmpc_bound_thread_num(NULL), omp_get_thread_num());
        CHECK(__kmpc_global_num_threads(NULL) >= 3);
        seen++;
        // The primary thread goes on alone when all are there; the others wait for it.
        if (__kmpc_barrier_master(NULL, self())) {
            CHECK_EQ(omp_get_thread_num(), 0);
            CHECK_EQ(seen, 3);
            usleep(2000);
            masters++;
            __kmpc_end_barrier_master(NULL, self());
        } else {
            __kmpc_end_barrier_master(NULL, self());
        }
        CHECK_EQ(masters, 1);
        seen++;
        if (__kmpc_barrier_master_nowait(NULL, self()))
            CHECK_EQ(omp_get_thread_num(), 0);
        CHECK_EQ(seen, 6);
        __kmpc_scope(NULL, self(), NULL);
        __kmpc_end_scope(NULL, self(), NULL);
        // All threads get the value that one thread has.
        int value = omp_get_thread_num() == 1 ? 42 : 0;
        int *from =
            __kmpc_copyprivate_light(NULL, self(), omp_get_thread_num() == 1 ? &value : NULL);
        CHECK_EQ(*from, 42);
        __kmpc_barrier(NULL, self());
#pragma omp single
        {
            const uint64_t own = __kmpc_get_taskid();
#pragma omp task shared(of_child, of_parent)
            {
                of_child = __kmpc_get_taskid();
                of_parent = __kmpc_get_parent_taskid();
            }
#pragma omp taskwait
            CHECK(of_child != own);
            CHECK(of_parent == own);
        }
    }
    __kmpc_end(NULL);
}

/* --- Loops of teams ------------------------------------------------------------------------------
 */

enum { kMost = 64, kTeams = 3, kThreads = 2 };

/* Each iteration is done once, by a thread of a team; one share has the last one. */
#define TEAM_LOOPS(SUFFIX, TYPE, STRIDE)                                                           \
    void __kmpc_dist_for_static_init_##SUFFIX(void *, int32_t, int32_t, int32_t *, TYPE *, TYPE *, \
                                              TYPE *, STRIDE *, STRIDE, STRIDE);                   \
    void __kmpc_team_static_init_##SUFFIX(void *, int32_t, int32_t *, TYPE *, TYPE *, STRIDE *,    \
                                          STRIDE, STRIDE);                                         \
    void __kmpc_dist_dispatch_init_##SUFFIX(void *, int32_t, int32_t, int32_t *, TYPE, TYPE,       \
                                            STRIDE, STRIDE);                                       \
    int __kmpc_dispatch_next_##SUFFIX(void *, int32_t, int32_t *, TYPE *, TYPE *, STRIDE *);       \
    static void loops_##SUFFIX(int trip, int chunk) {                                              \
        int hits[3][kMost] = {{0}}, lasts = 0;                                                     \
        const TYPE end = (TYPE)(trip - 1);                                                         \
        _Pragma("omp teams num_teams(kTeams)") {                                                   \
            /* Chunks of a team, dealt out by turns. */                                            \
            TYPE lower = 0, upper = end;                                                           \
            STRIDE stride = 0;                                                                     \
            int32_t last = 0;                                                                      \
            __kmpc_team_static_init_##SUFFIX(NULL, 0, &last, &lower, &upper, &stride, 1,           \
                                             (STRIDE)chunk);                                       \
            for (; lower <= end; lower += (TYPE)stride, upper += (TYPE)stride)                     \
                for (TYPE i = lower; i <= (upper < end ? upper : end); i++)                        \
                    hits[0][i]++;                                                                  \
            _Pragma("omp parallel num_threads(kThreads)") {                                        \
                /* A team's block, in which each thread has one. */                                \
                TYPE low = 0, high = end, team_high = 0;                                           \
                STRIDE step = 0;                                                                   \
                int32_t is_last = 0;                                                               \
                __kmpc_dist_for_static_init_##SUFFIX(NULL, self(), 34, &is_last, &low, &high,      \
                                                     &team_high, &step, 1, 0);                     \
                CHECK(low > high || high <= team_high);                                            \
                for (TYPE i = low; low <= high && i <= high && i <= end; i++)                      \
                    __atomic_fetch_add(&hits[1][i], 1, __ATOMIC_SEQ_CST);                          \
                if (is_last)                                                                       \
                    __atomic_fetch_add(&lasts, 1, __ATOMIC_SEQ_CST);                               \
                /* And one that its threads share by dynamic chunks. */                            \
                __kmpc_dist_dispatch_init_##SUFFIX(NULL, self(), 35, &is_last, 0, end, 1,          \
                                                   (STRIDE)chunk);                                 \
                while (__kmpc_dispatch_next_##SUFFIX(NULL, self(), &is_last, &low, &high, &step))  \
                    for (TYPE i = low; i <= high; i++)                                             \
                        __atomic_fetch_add(&hits[2][i], 1, __ATOMIC_SEQ_CST);                      \
            }                                                                                      \
        }                                                                                          \
        for (int way = 0; way < 3; way++)                                                          \
            for (int i = 0; i < kMost; i++)                                                        \
                CHECK_EQ(hits[way][i], i < trip);                                                  \
        CHECK_EQ(lasts, 1);                                                                        \
    }
TEAM_LOOPS(4, int32_t, int32_t)
TEAM_LOOPS(4u, uint32_t, int32_t)
TEAM_LOOPS(8, int64_t, int64_t)
TEAM_LOOPS(8u, uint64_t, int64_t)

static void team_loops(void) {
    for (int trip = 1; trip <= kMost; trip += 7)
        for (int chunk = 1; chunk <= 5; chunk += 2) {
            loops_4(trip, chunk);
            loops_4u(trip, chunk);
            loops_8(trip, chunk);
            loops_8u(trip, chunk);
        }
}

/* --- Sections, as flang has them -----------------------------------------------------------------
 */

static void sections(void) {
    for (int count = 1; count < 9; count++) {
        int hits[9] = {0};
#pragma omp parallel num_threads(3)
        for (int round = 0; round < 3; round++) {
            __kmpc_sections_init(NULL, self());
            int32_t section;
            while ((section = __kmpc_next_section(NULL, self(), count)) < count) {
                CHECK(section >= 0);
                __atomic_fetch_add(&hits[section], 1, __ATOMIC_SEQ_CST);
            }
            __kmpc_end_sections(NULL, self());
            __kmpc_barrier(NULL, self());
        }
        for (int i = 0; i < 9; i++)
            CHECK_EQ(hits[i], i < count ? 3 : 0);
    }
}

/* --- Locks ---------------------------------------------------------------------------------------
 */

#define LOCK(NAME)                                                                                 \
    void __kmpc_init_##NAME(void *, int32_t, void **);                                             \
    void __kmpc_init_##NAME##_with_hint(void *, int32_t, void **, uintptr_t);                      \
    void __kmpc_destroy_##NAME(void *, int32_t, void **);                                          \
    void __kmpc_set_##NAME(void *, int32_t, void **);                                              \
    void __kmpc_unset_##NAME(void *, int32_t, void **);                                            \
    int32_t __kmpc_test_##NAME(void *, int32_t, void **);                                          \
    static void lock_##NAME(int nests, int with_hint) {                                            \
        void *lock = NULL;                                                                         \
        long sum = 0;                                                                              \
        if (with_hint)                                                                             \
            __kmpc_init_##NAME##_with_hint(NULL, self(), &lock, 2);                                \
        else                                                                                       \
            __kmpc_init_##NAME(NULL, self(), &lock);                                               \
        _Pragma("omp parallel num_threads(3)") for (int i = 0; i < 200; i++) {                     \
            if (i % 2 == 0)                                                                        \
                __kmpc_set_##NAME(NULL, self(), &lock);                                            \
            else                                                                                   \
                WAIT_UNTIL(__kmpc_test_##NAME(NULL, self(), &lock));                               \
            CHECK_EQ(__kmpc_test_##NAME(NULL, self(), &lock), nests ? 2 : 0);                      \
            sum++;                                                                                 \
            if (nests)                                                                             \
                __kmpc_unset_##NAME(NULL, self(), &lock);                                          \
            __kmpc_unset_##NAME(NULL, self(), &lock);                                              \
        }                                                                                          \
        CHECK_EQ(sum, 600);                                                                        \
        __kmpc_destroy_##NAME(NULL, self(), &lock);                                                \
    }
LOCK(lock)
LOCK(nest_lock)

/* --- Memory --------------------------------------------------------------------------------------
 */

void *__kmpc_alloc(int, size_t, void *);
void *__kmpc_calloc(int, size_t, size_t, void *);
void *__kmpc_realloc(int, void *, size_t, void *, void *);
void __kmpc_free(int, void *, void *);
void *__kmpc_init_allocator(int, void *, int, void *);
void __kmpc_destroy_allocator(int, void *);
void __kmpc_set_default_allocator(int, void *);
void *__kmpc_get_default_allocator(int);

static void memory(void) {
    struct {
        int key;
        uintptr_t value;
    } traits[] = {{2 /* alignment */, 256}};
    void *const allocator = __kmpc_init_allocator(0, NULL /* default_mem_space */, 1, traits);
    CHECK(allocator != NULL);
    char *block = __kmpc_calloc(0, 50, 8, allocator);
    CHECK_EQ((uintptr_t)block % 256, 0);
    for (int i = 0; i < 400; i++)
        CHECK_EQ(block[i], 0);
    memset(block, 7, 400);
    block = __kmpc_realloc(0, block, 5000, allocator, allocator);
    CHECK_EQ((uintptr_t)block % 256, 0);
    for (int i = 0; i < 400; i++)
        CHECK_EQ(block[i], 7);
    __kmpc_free(0, block, allocator);

    void *const before = __kmpc_get_default_allocator(0);
    __kmpc_set_default_allocator(0, allocator);
    CHECK(__kmpc_get_default_allocator(0) == allocator);
    block = __kmpc_alloc(0, 10, NULL);
    CHECK_EQ((uintptr_t)block % 256, 0);
    __kmpc_free(0, block, NULL);
    __kmpc_set_default_allocator(0, before);
    CHECK(__kmpc_get_default_allocator(0) == before);
    __kmpc_destroy_allocator(0, allocator);
}

/* --- Threadprivate variables ---------------------------------------------------------------------
 */

void *__kmpc_threadprivate(void *, int32_t, void *, size_t);
void *__kmpc_threadprivate_cached(void *, int32_t, void *, size_t, void ***);
void __kmpc_threadprivate_register(void *, void *, void *(*)(void *), void *(*)(void *, void *),
                                   void (*)(void *));
void __kmpc_threadprivate_register_vec(void *, void *, void *(*)(void *, size_t),
                                       void *(*)(void *, void *, size_t), void (*)(void *, size_t),
                                       size_t);

static long plain = 5, constructed = 1, copied = 9, row[4] = {1, 2, 3, 4};
static void *construct(void *at) {
    *(long *)at = 100;
    return at;
}
static void *copy(void *at, void *from) {
    *(long *)at = *(long *)from + 1;
    return at;
}
static void *construct_row(void *at, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((long *)at)[i] = (long)(10 * i);
    return at;
}

static void threadprivate(void) {
    static void **cache;
    __kmpc_threadprivate_register(NULL, &constructed, construct, NULL, NULL);
    __kmpc_threadprivate_register(NULL, &copied, NULL, copy, NULL);
    __kmpc_threadprivate_register_vec(NULL, row, construct_row, NULL, NULL, 4);
    for (int round = 0; round < 2; round++) {
#pragma omp parallel num_threads(3)
        {
            const int other = omp_get_thread_num() != 0;
            long *own = __kmpc_threadprivate(NULL, self(), &plain, sizeof plain);
            CHECK_EQ(own == &plain, !other);
            CHECK_EQ(*own, 5 + round * (1 + omp_get_thread_num())); // kept from region to region
            if (round == 0)
                *own += 1 + omp_get_thread_num();
            CHECK(__kmpc_threadprivate(NULL, self(), &plain, sizeof plain) == own);
            CHECK_EQ(*(long *)__kmpc_threadprivate_cached(NULL, self(), &constructed,
                                                          sizeof constructed, &cache),
                     other ? 100 : 1);
            CHECK_EQ(*(long *)__kmpc_threadprivate(NULL, self(), &copied, sizeof copied),
                     other ? 10 : 9);
            CHECK_EQ(((long *)__kmpc_threadprivate(NULL, self(), row, sizeof row))[3],
                     other ? 30 : 4);
        }
    }
}

/* --- Tasks ---------------------------------------------------------------------------------------
 */

int32_t __kmpc_omp_task_parts(void *, int32_t, task_t *);
void __kmpc_invoke_task_func(task_t *);
int32_t __kmpc_omp_reg_task_with_affinity(void *, int32_t, task_t *, int32_t, void *);
void *__kmpc_task_allow_completion_event(void *, int32_t, task_t *);
void __kmpc_proxy_task_completed(int32_t, task_t *);
void __kmpc_proxy_task_completed_ooo(task_t *);
uint8_t __kmpc_omp_has_task_team(int32_t);
void **__kmpc_omp_get_target_async_handle_ptr(int32_t);

static _Atomic int ran;
static int32_t count_run(int32_t gtid, task_t *task) {
    (void)gtid, (void)task;
    ran++;
    return 0;
}

static void tasks(void) {
    enum { kTied = 1, kProxy = 1 << 4, kDetachable = 1 << 6 };
    ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        CHECK_EQ(__kmpc_omp_has_task_team(self()), 1);
        task_t *task = __kmpc_omp_task_alloc(NULL, self(), kTied, sizeof(task_t), 0, count_run);
        __kmpc_invoke_task_func(task); // its code, and no more
        CHECK_EQ(ran, 1);
        CHECK_EQ(__kmpc_omp_reg_task_with_affinity(NULL, self(), task, 0, NULL), 0);
        __kmpc_omp_task_parts(NULL, self(), task);
#pragma omp taskwait
        CHECK_EQ(ran, 2);
        // Complete when others say so: from a thread of the team, and from anywhere.
        for (int way = 0; way < 2; way++) {
            task = __kmpc_omp_task_alloc(NULL, self(), kTied | kDetachable, sizeof(task_t), 0,
                                         count_run);
            __kmpc_task_allow_completion_event(NULL, self(), task);
            __kmpc_omp_task_parts(NULL, self(), task);
            int completed = 0;
#pragma omp task shared(completed) firstprivate(task, way)
            {
                WAIT_UNTIL(ran == 3 + way);
                completed = 1;
                if (way == 0)
                    __kmpc_proxy_task_completed(self(), task);
                else
                    __kmpc_proxy_task_completed_ooo(task);
            }
#pragma omp taskwait
            CHECK_EQ(completed, 1);
        }
    }
    CHECK_EQ(ran, 4);
}

int main(void) {
    inquiries();
    team_loops();
    sections();
    for (int hint = 0; hint < 2; hint++) {
        lock_lock(0, hint);
        lock_nest_lock(1, hint);
    }
    memory();
    threadprivate();
    tasks();
    return 0;
}
