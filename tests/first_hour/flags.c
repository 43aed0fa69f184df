/* A flag that LOOMP_PERSISTENT does not know, in each of several iterations. */
#define LOOMP_WEAK
#include "loomp/loomp.h"

int main(void) {
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5; i++)
        LOOMP_PERSISTENT(8) {
#pragma omp task depend(inout : x)
            x++;
        }
    return x == 5 ? 0 : 1;
}
