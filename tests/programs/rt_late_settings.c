/* A program that knows libomp may change its environment until it first uses OpenMP; after that, it
   is ignored. One that knows libgomp can do so only before it loads the library.
   flags: -D_GNU_SOURCE
   env: OMP_NUM_THREADS=3 */
#include <stdlib.h>

#include "check.h"
#include "omp_decls.h"

int omp_get_num_places(void);
#ifdef __clang__
void kmp_set_defaults(const char *);
#endif

int main(void) {
    setenv("OMP_NUM_THREADS", "7", 1);
    setenv("OMP_PLACES", "threads(1)", 1);
#ifdef __clang__
    kmp_set_defaults("OMP_SCHEDULE=guided,9|OMP_THREAD_LIMIT=6");
    CHECK_EQ(omp_get_max_threads(), 7);
    CHECK_EQ(omp_get_num_places(), 1);
    CHECK_EQ(omp_get_thread_limit(), 6);
    omp_sched_t kind;
    int chunk = -1;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind & 0xff, omp_sched_guided);
    CHECK_EQ(chunk, 9);
#else
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(omp_get_num_places(), 0);
#endif
    setenv("OMP_MAX_ACTIVE_LEVELS", "5", 1);
    CHECK_EQ(omp_get_max_active_levels(), 1);
    return 0;
}
