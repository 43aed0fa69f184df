/* LOOMP_HW_SUBSET decides, and an impossible KMP_HW_SUBSET is not even read. Unbound threads do not
   use excluded processors, either.

   env: LOOMP_HW_SUBSET=:1t KMP_HW_SUBSET=:999t */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>

#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_num_places(), 0);
#pragma omp parallel num_threads(3)
    {
        cpu_set_t set;
        CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
        CHECK_EQ(CPU_COUNT(&set), 1);
    }
    return 0;
}
