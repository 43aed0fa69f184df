/* If OpenMP leaves a choice to the runtime, a clang program finds libomp's choice; a thread of the
   program keeps its processors until its first region; each team has places.
   compilers: clang
   env: OMP_PROC_BIND=close OMP_PLACES=threads OMP_TEAMS_THREAD_LIMIT=1 OMP_NUM_THREADS=2 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "check.h"
#include "omp_decls.h"

int omp_get_place_num(void);
int omp_get_num_places(void);
int omp_get_partition_num_places(void);

static cpu_set_t all;

static void *other(void *unused) {
    cpu_set_t now;
    omp_set_num_threads(2);
    CHECK(sched_getaffinity(0, sizeof now, &now) == 0);
    CHECK(memcmp(&now, &all, sizeof all) == 0);
    CHECK_EQ(omp_get_place_num(), 0);
    CHECK(sched_getaffinity(0, sizeof now, &now) == 0);
    CHECK_EQ(CPU_COUNT(&now), 1);
    return unused;
}

int main(void) {
    omp_sched_t kind;
    int chunk = -1;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind, omp_sched_static);
    CHECK_EQ(chunk, 0);

    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, other, NULL) == 0);
    pthread_join(thread, NULL);

    const int places = omp_get_num_places();
    CHECK_EQ(places, CPU_COUNT(&all));
#pragma omp teams num_teams(places)
    {
        CHECK_EQ(omp_get_place_num(), omp_get_team_num());
        CHECK_EQ(omp_get_partition_num_places(), 1);
    }
    CHECK_EQ(omp_get_place_num(), 0);
    CHECK_EQ(omp_get_partition_num_places(), places);
    return 0;
}
