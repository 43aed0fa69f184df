// A program that gcc has compiled, with code for a device in one of its objects, clang's (part.c).
// Tasks of both wait for each other; a target region of gcc's own runs on the host.
#include "../../programs/check.h"
#include <omp.h>

void step_on_device(double *part, int length);
int device_number(void);

enum { kParts = 16, kLength = 512 };

static double parts[kParts][kLength];

int main(void) {
    const int there = device_number();
    int on_host = 0;
#pragma omp target map(tofrom : on_host)
    on_host = omp_is_initial_device();
    CHECK(on_host == 1);
#pragma omp parallel
#pragma omp single
    for (int c = 0; c < kParts; ++c) {
        double *part = parts[c];
#pragma omp task depend(out : part[0])
        for (int i = 0; i < kLength; ++i)
            part[i] = i;
        for (int round = 0; round < 3; ++round) {
            step_on_device(part, kLength);
#pragma omp target map(tofrom : part[0 : kLength]) nowait depend(inout : part[0])
            for (int i = 0; i < kLength; ++i)
                part[i] *= 2;
        }
    }
    for (int c = 0; c < kParts; ++c)
        for (int i = 0; i < kLength; ++i)
            CHECK(parts[c][i] == 8 * i + 14);
    CHECK(there == 0 || omp_get_num_devices() > 0);
    return 0;
}
