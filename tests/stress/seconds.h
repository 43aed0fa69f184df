/* The time, for programs that run for so many seconds. */
#pragma once

#include <time.h>

/* Seconds of the monotonic clock. */
static inline double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
