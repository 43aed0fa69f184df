// Several devices, and the routines: memory and copies, waited for or not, to, from and between
// them.
#include "../../programs/check.h"
#include <omp.h>
#include <stdlib.h>

enum { kLength = 3000 };

int main(void) {
    const int devices = omp_get_num_devices(), host = omp_get_initial_device();
    CHECK(devices >= 1);
    CHECK(host == devices);
    CHECK(omp_get_device_num() == host);
    CHECK(omp_is_initial_device());
    int on_host = 1;
#pragma omp target map(from : on_host)
    on_host = 0;
    CHECK(!on_host);
    int *values = malloc(sizeof(int) * kLength), *back = malloc(sizeof(int) * kLength);
    for (int i = 0; i < kLength; ++i)
        values[i] = 5 * i;
#pragma omp parallel
#pragma omp single
    for (int d = 0; d < devices; ++d) {
        int *there = omp_target_alloc(sizeof(int) * kLength, d);
        int *next = omp_target_alloc(sizeof(int) * kLength, (d + 1) % devices);
        CHECK(there != NULL && next != NULL);
        omp_depend_t written;
#pragma omp depobj(written) depend(inout : there[0])
        CHECK(omp_target_memcpy_async(there, values, sizeof(int) * kLength, 0, 0, d, host, 1,
                                      &written) == 0);
#pragma omp target device(d) nowait is_device_ptr(there) depend(inout : there[0])
        for (int i = 0; i < kLength; ++i)
            there[i] += d;
        CHECK(omp_target_memcpy_async(next, there, sizeof(int) * kLength, 0, 0, (d + 1) % devices,
                                      d, 1, &written) == 0);
        CHECK(omp_target_memcpy_async(back, next, sizeof(int) * kLength, 0, 0, host,
                                      (d + 1) % devices, 1, &written) == 0);
#pragma omp taskwait
        for (int i = 0; i < kLength; ++i)
            CHECK(back[i] == 5 * i + d);
        CHECK(omp_target_memcpy(back, values, 4, 0, 8, host, host) == 0 && back[0] == 10);
        const size_t volume[1] = {10}, none[1] = {0}, size[1] = {kLength};
        CHECK(omp_target_memcpy_rect_async(back, there, sizeof(int), 1, volume, none, none, size,
                                           size, host, d, 1, &written) == 0);
#pragma omp taskwait
        CHECK(back[9] == 45 + d);
#pragma omp depobj(written) destroy
        omp_target_free(there, d);
        omp_target_free(next, (d + 1) % devices);
    }
    void *mine = omp_target_alloc(8, host);
    CHECK(mine != NULL && omp_target_is_present(mine, host));
    omp_target_free(mine, host);
    free(values);
    free(back);
    return 0;
}
