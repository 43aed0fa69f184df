/* A program may clear its environment before it first uses OpenMP.
   flags: -D_GNU_SOURCE */
#include <stdlib.h>

#include "check.h"
#include "omp_decls.h"

int main(void) {
    int threads = 0;
    CHECK_EQ(clearenv(), 0);
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads += 1;
    CHECK_EQ(threads, 2);
    return 0;
}
