/* A subset of the machine: its processors are used, and surplus threads stay on it.
   env: KMP_HW_SUBSET=:1t OMP_PLACES=threads */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>

#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_num_places(), 1);
#pragma omp parallel num_threads(3)
    {
        cpu_set_t set;
        CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
        CHECK_EQ(CPU_COUNT(&set), 1);
    }
    return 0;
}
