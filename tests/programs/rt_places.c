/* The places of threads of close and spread teams, with four places on the available processors:
   both OpenMP's places and the system's affinity.

   env: OMP_PLACES={0},{1},{0},{1}

   threads: 2 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>

#include "check.h"

static int only_processor(void) {
    cpu_set_t set;
    CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    CHECK_EQ(CPU_COUNT(&set), 1);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            return i;
    return -1;
}

static int place_of[2], partition_of[2];

static void note(void) {
    int ids[1];
    const int thread = omp_get_thread_num(), place = omp_get_place_num();
    place_of[thread] = place;
    partition_of[thread] = omp_get_partition_num_places();
    CHECK_EQ(omp_get_place_num_procs(place), 1);
    omp_get_place_proc_ids(place, ids);
    CHECK_EQ(only_processor(), ids[0]);
}

int main(void) {
    CHECK_EQ(omp_get_num_places(), 4);
#pragma omp parallel num_threads(2) proc_bind(close)
    note();
    /* Next to each other, in the whole partition (OpenMP 5.2, 10.1.3). */
    CHECK_EQ(place_of[1], (place_of[0] + 1) % 4);
    CHECK_EQ(partition_of[0], 4);
    CHECK_EQ(partition_of[1], 4);
#pragma omp parallel num_threads(2) proc_bind(spread)
    note();
    /* The threads are in the two halves, each with its half. */
    CHECK_EQ(place_of[1] / 2, 1 - place_of[0] / 2);
    CHECK_EQ(place_of[1], 2);
    CHECK_EQ(partition_of[0], 2);
    CHECK_EQ(partition_of[1], 2);
#pragma omp parallel num_threads(2) proc_bind(primary)
    note();
    CHECK_EQ(place_of[1], place_of[0]);
    return 0;
}
