/* A nestable lock that a task waited for, and gave up its thread meanwhile, has one level: it is
   free after as many releases as acquisitions.

   threads: 2 */
#include <omp.h>

#include "check.h"

static omp_nest_lock_t lock;
static int levels[8], inside;

static void take_twice(int i) {
    omp_set_nest_lock(&lock); /* most wait here */
    CHECK_EQ(++inside, 1);
    levels[i] = omp_test_nest_lock(&lock);
#pragma omp taskyield
    omp_unset_nest_lock(&lock);
    CHECK_EQ(inside--, 1);
    omp_unset_nest_lock(&lock);
}

int main(void) {
    omp_init_nest_lock(&lock);
    for (int round = 0; round < 50; round++) {
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
            take_twice(i);
        }
        for (int i = 0; i < 8; i++)
            CHECK_EQ(levels[i], 2);
        CHECK_EQ(omp_test_nest_lock(&lock), 1); /* it is free */
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return 0;
}
