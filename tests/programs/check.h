/* Checks of test programs: silent when they hold, otherwise one line and a failing exit code. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#define CHECK_EQ(a, b)                                                                             \
    do {                                                                                           \
        const long long check_a = (long long)(a), check_b = (long long)(b);                        \
        if (check_a != check_b) {                                                                  \
            fprintf(stderr, "%s:%d: %s is %lld, not %s (%lld)\n", __FILE__, __LINE__, #a, check_a, \
                    #b, check_b);                                                                  \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* Spins until the condition holds; the test's time limit ends an infinite wait. */
#define WAIT_UNTIL(condition)                                                                      \
    do {                                                                                           \
        while (!(condition))                                                                       \
            usleep(50);                                                                            \
    } while (0)
