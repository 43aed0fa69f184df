/* Device routines with the host as the only device: numbers, memory, copies of boxes, and
   pausing. clang's libomp leaves device memory to another library, so gcc builds it.
   compilers: gcc
   env: OMP_MAX_ACTIVE_LEVELS=2 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static int kept = 5;
#pragma omp threadprivate(kept)

int main(void) {
    const int host = omp_get_initial_device(), none = 7;
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(host, 0);
    CHECK_EQ(omp_get_device_num(), host);
    CHECK(omp_is_initial_device());

    char *block = omp_target_alloc(64, host);
    CHECK(block != NULL);
    CHECK(omp_target_is_present(block, host));
    CHECK(!omp_target_is_present(block, none));
    CHECK(omp_target_alloc(64, none) == NULL);
    CHECK(omp_target_memcpy(block, "abcdef", 3, 10, 2, host, host) == 0);
    CHECK(memcmp(block + 10, "cde", 3) == 0);
    CHECK(omp_target_memcpy(block, "abcdef", 3, 0, 0, none, host) != 0);
    CHECK(omp_target_memcpy(block, "abcdef", 3, 0, 0, host, none) != 0);
    CHECK(omp_target_associate_ptr(block, block, 64, 0, host) != 0);
    CHECK(omp_target_disassociate_ptr(block, host) != 0);
    /* gcc 16's omp_default_device: stands for what default-device-var says, and leaves it. */
    const int by_default = -5, invalid = -4;
    CHECK(omp_target_is_present(block, by_default));
    omp_set_default_device(none);
    omp_set_default_device(by_default);
    CHECK_EQ(omp_get_default_device(), none);
    CHECK(!omp_target_is_present(block, by_default));
    CHECK(omp_target_alloc(64, by_default) == NULL);
    omp_set_default_device(host);
    CHECK(!omp_target_is_present(NULL, host));
    /* Later versions of gcc have this. */
    int (*is_accessible)(const void *, size_t, int);
    *(void **)&is_accessible = dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
    CHECK(is_accessible != NULL);
    CHECK(is_accessible(block, 64, host) && is_accessible(block, 64, by_default));
    CHECK(!is_accessible(block, 0, host) && !is_accessible(NULL, 64, host));
    CHECK(!is_accessible(block, 64, invalid));
    omp_target_free(block, host);
    omp_target_free(NULL, host);

    /* A 2 x 3 x 2 box from (1, 0, 1) of a 3 x 4 x 5 array to (0, 2, 1) of a 2 x 5 x 3 one. */
    enum { a = 3, b = 4, c = 5, x = 2, y = 5, z = 3 };
    int from[a][b][c], to[x][y][z];
    for (int i = 0; i < a * b * c; ++i)
        ((int *)from)[i] = i + 1;
    memset(to, 0, sizeof to);
    const size_t volume[] = {2, 3, 2}, to_offsets[] = {0, 2, 1}, from_offsets[] = {1, 0, 1};
    const size_t to_dimensions[] = {x, y, z}, from_dimensions[] = {a, b, c};
    CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
    CHECK_EQ(omp_target_memcpy_rect(to, from, sizeof(int), 3, volume, to_offsets, from_offsets,
                                    to_dimensions, from_dimensions, host, host),
             0);
    for (int i = 0; i < x; ++i)
        for (int j = 0; j < y; ++j)
            for (int k = 0; k < z; ++k) {
                const int inside = j >= 2 && k >= 1;
                CHECK_EQ(to[i][j][k], inside ? from[i + 1][j - 2][k] : 0);
            }
    const size_t huge[] = {1, SIZE_MAX, SIZE_MAX};
    CHECK(omp_target_memcpy_rect(to, from, sizeof(int), 3, volume, to_offsets, from_offsets, huge,
                                 huge, host, host) != 0);

    /* Threads end with a pause, and their threadprivate variables with them; not inside a region.
     */
    for (int kind = 1; kind <= 2; ++kind)
        for (int round = 0; round < 20; ++round) {
            int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
            {
                CHECK(omp_pause_resource_all(1) != 0);
                CHECK(omp_get_thread_num() == 0 || kept == 5);
                kept = 6;
#pragma omp parallel num_threads(2) reduction(+ : sum)
                sum += 1;
            }
            CHECK_EQ(sum, 8);
            CHECK_EQ(omp_pause_resource(kind, host), 0);
        }
    CHECK(omp_pause_resource(1, none) != 0);
    CHECK(omp_pause_resource_all(9) != 0);
    return 0;
}
