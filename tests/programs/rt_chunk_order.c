/* A thread gets its chunks of a dynamic loop in rising order where a stock runtime keeps that
   order, and LOOMP_DYNAMIC_LOOPS or libomp's variable changes it. One thread stays in its first
   iteration until the other, which begins later, has executed all others. If threads take over each
   other's chunks, the other one executes the second half first.

   flags: -D_GNU_SOURCE
   env: OMP_SCHEDULE=dynamic
   threads: 2 */
#include "again_with.h"
#include "omp_decls.h"

enum { kIterations = 400 };

static int done, others, begun, falls, last[2];

/* `chunk` iterations belong to the chunk with which thread 0 waits. */
static void begin(int chunk) {
    others = kIterations - chunk;
    done = begun = falls = 0;
    last[0] = last[1] = -1;
}

static int is_done(void) { return __atomic_load_n(&done, __ATOMIC_RELAXED) == others; }

static void execute(int i) {
    const int thread = omp_get_thread_num();
    if (i < last[thread])
        __atomic_add_fetch(&falls, 1, __ATOMIC_RELAXED);
    if (last[thread] == -1 && thread == 0) {
        __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
        WAIT_UNTIL(is_done());
    } else if (last[thread] == -1) {
        WAIT_UNTIL(__atomic_load_n(&begun, __ATOMIC_RELAXED));
    }
    last[thread] = i;
    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
}

#define LOOP(TYPE, CHUNK, SCHEDULE)                                                                \
    begin(CHUNK);                                                                                  \
    _Pragma("omp parallel num_threads(2)") {                                                       \
        _Pragma(SCHEDULE) for (TYPE i = 0; i < kIterations; i++) execute((int)i);                  \
    }

int main(int count, char **arguments) {
    const char *expected = count > 1 ? arguments[1] : "default";
    int plain = 0;
    LOOP(int, 1, "omp for schedule(dynamic)");
    plain += falls;
    LOOP(int, 4, "omp for schedule(nonmonotonic : dynamic, 4) nowait");
    plain += falls;
    LOOP(unsigned long long, 1, "omp for schedule(dynamic)");
    plain += falls;
    begin(1);
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int i = 0; i < kIterations; i++)
        execute(i);
    plain += falls;

    int chosen = 0;
    LOOP(int, 1, "omp for schedule(runtime)"); /* OMP_SCHEDULE */
    chosen += falls;
    omp_set_schedule(omp_sched_dynamic, 2);
    LOOP(int, 2, "omp for schedule(runtime)");
    chosen += falls;
    LOOP(int, 2, "omp for schedule(nonmonotonic : runtime)");
    chosen += falls;

    int required = 0;
    LOOP(int, 1, "omp for schedule(monotonic : dynamic)");
    required += falls;
    omp_set_schedule((omp_sched_t)(omp_sched_dynamic | omp_sched_monotonic), 1);
    LOOP(int, 1, "omp for schedule(runtime)");
    required += falls;
    CHECK_EQ(required, 0);

    if (strcmp(expected, "falling") == 0) {
        CHECK(plain > 0);
        CHECK(chosen > 0);
        return 0;
    }
    CHECK_EQ(chosen, 0);
#ifdef __clang__ /* libomp does not keep it there, either */
    CHECK((plain == 0) == (strcmp(expected, "rising") == 0));
#else
    CHECK_EQ(plain, 0);
#endif
    if (count > 1)
        return 0;
    run_again_with("LOOMP_DYNAMIC_LOOPS=nonmonotonic", "falling");
    run_again_with("LOOMP_DYNAMIC_LOOPS=monotonic", "rising");
    run_again_with("KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=1", "rising");
    return 0;
}
