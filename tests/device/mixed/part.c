// clang's object of the program in main.c.
#include <omp.h>

void step_on_device(double *part, int length) {
#pragma omp target nowait map(tofrom : part[0 : length]) depend(inout : part[0])
    for (int i = 0; i < length; ++i)
        part[i] += 1;
}

int device_number(void) { return omp_get_num_devices(); }
