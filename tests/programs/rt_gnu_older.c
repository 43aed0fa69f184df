/* Entry points of libgomp that only older gcc, or no gcc any more, calls: loops, sections,
   constructs for devices. They are called like by that gcc.

   compilers: gcc
   flags: -D_GNU_SOURCE
   env: OMP_CANCELLATION=true OMP_SCHEDULE=dynamic,3
   threads: 3 */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "said.h"

typedef unsigned long long ull;
void GOMP_loop_end(void);
void GOMP_parallel_loop_static(void (*)(void *), void *, unsigned, long, long, long, long,
                               unsigned);
void GOMP_parallel_loop_runtime_start(void (*)(void *), void *, unsigned, long, long, long);
void GOMP_parallel_end(void);
_Bool GOMP_loop_static_next(long *, long *);
_Bool GOMP_loop_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void);
_Bool GOMP_loop_ull_static_start(_Bool, ull, ull, ull, ull, ull *, ull *);
_Bool GOMP_loop_ull_static_next(ull *, ull *);
_Bool GOMP_loop_ull_ordered_static_start(_Bool, ull, ull, ull, ull, ull *, ull *);
_Bool GOMP_loop_ull_ordered_static_next(ull *, ull *);
_Bool GOMP_loop_ull_ordered_dynamic_start(_Bool, ull, ull, ull, ull, ull *, ull *);
_Bool GOMP_loop_ull_ordered_dynamic_next(ull *, ull *);
_Bool GOMP_loop_ull_ordered_runtime_start(_Bool, ull, ull, ull, ull *, ull *);
_Bool GOMP_loop_ull_ordered_runtime_next(ull *, ull *);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
_Bool GOMP_loop_doacross_runtime_start(unsigned, long *, long *, long *);
void GOMP_doacross_post(long *);
void GOMP_doacross_wait(long, ...);
_Bool GOMP_loop_ull_doacross_runtime_start(unsigned, ull *, ull *, ull *);
_Bool GOMP_loop_ull_runtime_next(ull *, ull *);
void GOMP_doacross_ull_post(ull *);
void GOMP_doacross_ull_wait(ull, ...);
unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections_next(void);
_Bool GOMP_sections_end_cancel(void);
_Bool GOMP_cancel(int, _Bool);
void GOMP_target(int, void (*)(void *), const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_end_data(void);
void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_teams(unsigned, unsigned);
void GOMP_offload_register(const void *, int, const void *);
void GOMP_offload_unregister(const void *, int, const void *);

enum { kMost = 60 };
static int hits[kMost], order[kMost], runs;

static void reset(void) {
    memset(hits, 0, sizeof hits);
    runs = 0;
}
static void hit(long from, long to) {
    for (long i = from; i < to; i++)
        __atomic_fetch_add(&hits[i], 1, __ATOMIC_SEQ_CST);
}
static void check_hits(int trip) {
    for (int i = 0; i < kMost; i++)
        CHECK_EQ(hits[i], i < trip);
}

/* --- Loops that are regions ----------------------------------------------------------------------
 */

static void static_body(void *data) {
    long from, to;
    CHECK_EQ(*(int *)data, 17);
    while (GOMP_loop_static_next(&from, &to))
        hit(from, to);
    GOMP_loop_end_nowait();
}
static void runtime_body(void *data) {
    long from, to;
    CHECK_EQ(*(int *)data, 17);
    while (GOMP_loop_runtime_next(&from, &to)) {
        CHECK(to - from <= 3); // OMP_SCHEDULE
        hit(from, to);
    }
    GOMP_loop_end_nowait();
}

static void combined_loops(int trip) {
    int data = 17;
    reset();
    GOMP_parallel_loop_static(static_body, &data, 3, 0, trip, 1, 4, 0);
    check_hits(trip);
    reset();
    GOMP_parallel_loop_runtime_start(runtime_body, &data, 3, 0, trip, 1);
    runtime_body(&data);
    GOMP_parallel_end();
    check_hits(trip);
}

/* --- Loops of unsigned long long -----------------------------------------------------------------
 */

static void in_order(ull from, ull to) {
    GOMP_ordered_start();
    for (ull i = from; i < to; i++)
        order[runs++] = (int)i;
    GOMP_ordered_end();
}

static void unsigned_loops(int trip) {
    reset();
#pragma omp parallel num_threads(3)
    {
        ull from, to;
        if (GOMP_loop_ull_static_start(1, 0, (ull)trip, 1, 5, &from, &to))
            do
                hit((long)from, (long)to);
            while (GOMP_loop_ull_static_next(&from, &to));
        GOMP_loop_end();
    }
    check_hits(trip);
    for (int way = 0; way < 3; way++) {
        reset();
#pragma omp parallel num_threads(3)
        {
            ull from, to;
            if (way == 0   ? GOMP_loop_ull_ordered_static_start(1, 0, (ull)trip, 1, 2, &from, &to)
                : way == 1 ? GOMP_loop_ull_ordered_dynamic_start(1, 0, (ull)trip, 1, 2, &from, &to)
                           : GOMP_loop_ull_ordered_runtime_start(1, 0, (ull)trip, 1, &from, &to))
                do
                    in_order(from, to);
                while (way == 0   ? GOMP_loop_ull_ordered_static_next(&from, &to)
                       : way == 1 ? GOMP_loop_ull_ordered_dynamic_next(&from, &to)
                                  : GOMP_loop_ull_ordered_runtime_next(&from, &to));
            GOMP_loop_end();
        }
        CHECK_EQ(runs, trip);
        for (int i = 0; i < trip; i++)
            CHECK_EQ(order[i], i);
    }
}

/* --- Iterations that wait for the one before -----------------------------------------------------
 */

static void doacross(int trip) {
    for (int is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
        reset();
#pragma omp parallel num_threads(3)
        {
            long extent = trip, from, to;
            ull uextent = (ull)trip, ufrom = 0, uto = 0;
            if (is_unsigned ? GOMP_loop_ull_doacross_runtime_start(1, &uextent, &ufrom, &uto)
                            : GOMP_loop_doacross_runtime_start(1, &extent, &from, &to))
                do {
                    if (is_unsigned)
                        from = (long)ufrom, to = (long)uto;
                    for (long i = from; i < to; i++) {
                        ull ui = (ull)i;
                        if (i > 0 && is_unsigned)
                            GOMP_doacross_ull_wait(ui - 1);
                        else if (i > 0)
                            GOMP_doacross_wait(i - 1);
                        order[runs++] = (int)i;
                        if (is_unsigned)
                            GOMP_doacross_ull_post(&ui);
                        else
                            GOMP_doacross_post(&i);
                    }
                } while (is_unsigned ? GOMP_loop_ull_runtime_next(&ufrom, &uto)
                                     : GOMP_loop_runtime_next(&from, &to));
            GOMP_loop_end();
        }
        CHECK_EQ(runs, trip);
        for (int i = 0; i < trip; i++)
            CHECK_EQ(order[i], i);
    }
}

/* --- Sections whose end is a cancellation point --------------------------------------------------
 */

static void sections(void) {
    enum { kParallel = 1 };
    for (int cancels = 0; cancels < 2; cancels++) {
        _Atomic int left = 0, stayed = 0;
        reset();
#pragma omp parallel num_threads(3)
        {
            for (unsigned section = GOMP_sections_start(6); section != 0;
                 section = GOMP_sections_next())
                hit(section - 1, section);
            if (cancels && omp_get_thread_num() == 1)
                GOMP_cancel(kParallel, 1);
            if (GOMP_sections_end_cancel())
                left++;
            else
                stayed++;
        }
        check_hits(6);
        CHECK_EQ(left, cancels ? 3 : 0);
        CHECK_EQ(stayed, cancels ? 0 : 3);
    }
}

/* --- Devices -------------------------------------------------------------------------------------
 */

static void target_body(void *data) {
    void **addresses = data;
    GOMP_teams(1, 2);
    CHECK_EQ(omp_get_thread_limit(), 2);
    int threads = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    threads = omp_get_num_threads();
    CHECK(threads <= 2);
    ++*(int *)addresses[0];
}

static void targets(void) {
    int value = 1;
    void *addresses[1] = {&value};
    size_t sizes[1] = {sizeof value};
    unsigned char kinds[1] = {3};
    const int limit = omp_get_thread_limit();
    GOMP_target_data(-1, NULL, 1, addresses, sizes, kinds);
    GOMP_target(-1, target_body, NULL, 1, addresses, sizes, kinds);
    GOMP_target_update(-1, NULL, 1, addresses, sizes, kinds);
    GOMP_target_end_data();
    CHECK_EQ(value, 2);
    CHECK_EQ(omp_get_thread_limit(), limit); // that of the region was its own
}

/* Code for a device is not run there; the first image that is offered is told of. */
static void images(void) {
    listen_to_stderr();
    for (int i = 0; i < 2; i++)
        GOMP_offload_register(NULL, 6, NULL);
    GOMP_offload_unregister(NULL, 6, NULL);
    check_said("loomp: target regions that gcc compiled for a device run on the host: libgomp's "
               "plugins need libgomp; clang -fopenmp --offload-arch=native makes code that runs "
               "there\n",
               1);
}

int main(void) {
    omp_set_dynamic(0);
    for (int trip = 1; trip <= kMost; trip += 13) {
        combined_loops(trip);
        unsigned_loops(trip);
        doacross(trip);
    }
    sections();
    targets();
    images();
    return 0;
}
