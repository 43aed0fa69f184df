/* Flags that tasks set, and a task that gives them the time for it. */
#pragma once

#include <omp.h>

/* Gives other tasks time to set the flag: a call that returned too early shows itself meanwhile. */
static void let_others_run(const int *until, double seconds) {
    const double end = omp_get_wtime() + seconds;
    int seen = 0;
    while (!seen && omp_get_wtime() < end) {
#pragma omp atomic read acquire
        seen = *until;
#pragma omp taskyield
    }
}
static int is_set(const int *flag) {
    int seen = 0;
#pragma omp atomic read acquire
    seen = *flag;
    return seen;
}
static void set(int *flag) {
#pragma omp atomic write release
    *flag = 1;
}
