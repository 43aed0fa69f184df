// Boxes of an array, copied to a device and back as tasks that depend on each other. The program
// may forget where they lie when the call returns.
#include "../../programs/check.h"
#include <omp.h>
#include <string.h>

enum { kRows = 40, kColumns = 30 };

static double from[kRows][kColumns], to[kRows][kColumns];

static void copy(void *into, const void *out_of, int into_device, int out_of_device, int first,
                 omp_depend_t *after) {
    size_t volume[2] = {1, (size_t)(kColumns - first)}, offsets[2] = {first, first};
    size_t sizes[2] = {kRows, kColumns};
    CHECK(omp_target_memcpy_rect_async(into, out_of, sizeof(double), 2, volume, offsets, offsets,
                                       sizes, sizes, into_device, out_of_device, 1, after) == 0);
    memset(volume, -1, sizeof volume);
    memset(offsets, -1, sizeof offsets);
    memset(sizes, -1, sizeof sizes);
}

int main(void) {
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kColumns; ++j)
            from[i][j] = 100 * i + j + 1;
    double *block = omp_target_alloc(sizeof from, device);
    CHECK(block != NULL);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < kColumns; ++i) {
            omp_depend_t row;
#pragma omp depobj(row) depend(inout : from[i][0])
            copy(block, from, device, host, i, &row);
            copy(to, block, host, device, i, &row);
#pragma omp depobj(row) destroy
        }
#pragma omp taskwait
    }
    for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kColumns; ++j)
            CHECK(to[i][j] == (i < kColumns && j >= i ? from[i][j] : 0));
    omp_target_free(block, device);
    return 0;
}
