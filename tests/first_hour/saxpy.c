/* The example of README.md. */
#include <stdio.h>

int main(void) {
    double x[4] = {1, 2, 3, 4}, y[4] = {0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : x[i]) depend(inout : y[i])
        y[i] += 2 * x[i];
    }
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    return 0;
}
