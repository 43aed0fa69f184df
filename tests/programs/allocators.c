/* The memory management API and the allocate clause: the default allocator belongs to the data
   environment, and OMP_ALLOCATOR may bring traits.
   env: OMP_ALLOCATOR=omp_default_mem_space:alignment=4096,pool_size=8192,fallback=null_fb */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
/* The bytes that a block takes of a pool besides its own. */
enum { kRecord = 32 };

static int is_aligned(const void *p, size_t to) { return (uintptr_t)p % to == 0; }

int main(void) {
    const omp_allocator_handle_t from_environment = omp_get_default_allocator();
    void *a = omp_alloc(8000, omp_null_allocator);
    CHECK(a != NULL && is_aligned(a, 4096));
    CHECK(omp_alloc(193 - 2 * kRecord, omp_null_allocator) == NULL);
    void *b = omp_alloc(192 - 2 * kRecord, omp_null_allocator);
    CHECK(b != NULL);
    omp_free(a, omp_null_allocator);
    omp_free(b, from_environment);

    omp_alloctrait_t traits[] = {{omp_atk_alignment, 128},
                                 {omp_atk_pool_size, 4096 + kRecord},
                                 {omp_atk_fallback, omp_atv_null_fb}};
    /* High bandwidth is ordinary memory on libgomp, and none on libomp. */
    const omp_allocator_handle_t wide = omp_init_allocator(omp_high_bw_mem_space, 0, NULL);
#ifdef __clang__
    CHECK(wide == omp_null_allocator);
#else
    CHECK(wide != omp_null_allocator);
    omp_destroy_allocator(wide);
#endif
    const omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, traits);
    CHECK(pool != omp_null_allocator);

    /* The default is inherited by the region's tasks and changed by each for itself. */
    omp_set_default_allocator(pool);
#pragma omp parallel num_threads(4)
    {
        CHECK(omp_get_default_allocator() == pool);
        omp_set_default_allocator(omp_default_mem_alloc);
        CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
    }
    CHECK(omp_get_default_allocator() == pool);

    char *p = omp_calloc(16, 256, omp_null_allocator);
    CHECK(p != NULL && is_aligned(p, 128));
    for (int i = 0; i < 4096; ++i)
        CHECK(p[i] == 0);
    CHECK(omp_calloc(1, 1, omp_null_allocator) == NULL);
    volatile size_t huge = SIZE_MAX / 2;
    CHECK(omp_calloc(huge, 3, omp_null_allocator) == NULL);
    CHECK(omp_calloc(huge, 3, omp_default_mem_alloc) == NULL);
    memset(p, 3, 4096);
    p = omp_realloc(p, 10000, omp_default_mem_alloc, pool);
    CHECK(p != NULL && p[0] == 3 && p[4095] == 3);
    CHECK(omp_realloc(p, 0, omp_null_allocator, omp_null_allocator) == NULL);
    p = omp_realloc(NULL, 64, pool, omp_null_allocator);
    CHECK(p != NULL && is_aligned(p, 128));
    omp_free(p, pool);
    p = omp_aligned_alloc(1024, 10, pool);
    CHECK(p != NULL && is_aligned(p, 1024));
    omp_free(p, pool);
    p = omp_aligned_calloc(512, 5, 2, pool);
    CHECK(p != NULL && is_aligned(p, 512) && p[9] == 0);
    omp_free(p, pool);
    omp_free(NULL, pool);

    /* The clause: a private copy for each thread. */
    omp_set_default_allocator(omp_default_mem_alloc);
    int copy = 5, sum = 0;
#pragma omp parallel num_threads(4) firstprivate(copy) allocate(omp_default_mem_alloc : copy)      \
    reduction(+ : sum)
    sum += ++copy;
    CHECK_EQ(sum, 24);
    CHECK_EQ(copy, 5);
    omp_destroy_allocator(pool);

#ifdef __clang__
    char *k = kmp_malloc(10);
    strcpy(k, "kept");
    k = kmp_realloc(k, 1000);
    CHECK(strcmp(k, "kept") == 0);
    kmp_free(k);
    k = kmp_calloc(10, 10);
    CHECK(k[99] == 0);
    kmp_free(k);
    k = kmp_aligned_malloc(100, 2);
    CHECK(k != NULL);
    kmp_free(k);
    k = kmp_aligned_malloc(100, 4096);
    CHECK(is_aligned(k, 4096));
    kmp_free(k);
#endif
    return 0;
}
