// LLVM's allocators of memory of the host, of shared and of devices' memory, and allocators that
// are made of those spaces: what kernels and the host see of it; aligned, zeroed, with another
// size, from tasks, given back with and without the allocator's name.
#include "../../programs/check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { kParts = 12, kLength = 5000, kKinds = 3, kRecord = 32 };

static const omp_allocator_handle_t handles[kKinds] = {llvm_omp_target_host_mem_alloc,
                                                       llvm_omp_target_shared_mem_alloc,
                                                       llvm_omp_target_device_mem_alloc};
static const omp_memspace_handle_t spaces[kKinds] = {llvm_omp_target_host_mem_space,
                                                     llvm_omp_target_shared_mem_space,
                                                     llvm_omp_target_device_mem_space};

static void read_back(double *to, const double *from, int length) {
    const int device =
        omp_get_num_devices() > 0 ? omp_get_default_device() : omp_get_initial_device();
    CHECK(omp_target_memcpy(to, from, sizeof(double) * (size_t)length, 0, 0,
                            omp_get_initial_device(), device) == 0);
}

// A block of any kind is the kernel's without a map; the host may not read a device's.
static void use(int kind, omp_allocator_handle_t handle, int c) {
    double *block = omp_calloc(kLength / 2, sizeof(double), handle);
    CHECK(block != NULL);
    block = omp_realloc(block, kLength * sizeof(double), handle,
                        c % 2 == 0 ? handle : omp_null_allocator);
    CHECK(block != NULL);
#pragma omp target is_device_ptr(block) firstprivate(c)
    for (int i = 0; i < kLength; ++i)
        block[i] = (i < kLength / 2 ? block[i] : 0) + i + c;
    if (kind == 2) {
        double values[kLength];
        read_back(values, block, kLength);
        for (int i = 0; i < kLength; ++i)
            CHECK(values[i] == i + c);
    } else {
        for (int i = 0; i < kLength; ++i)
            CHECK(block[i] == i + c);
    }
    omp_free(block, c % 3 == 0 ? omp_null_allocator : handle);
}

int main(void) {
    for (int kind = 0; kind < kKinds; ++kind) {
        omp_alloctrait_t traits[] = {
            {omp_atk_alignment, 4096},
            {omp_atk_pool_size, (kParts + 1) * kLength * sizeof(double) * 2},
            {omp_atk_fallback, omp_atv_null_fb}};
        omp_allocator_handle_t made = omp_init_allocator(spaces[kind], 3, traits);
        CHECK(made != omp_null_allocator);
#pragma omp parallel
#pragma omp single
        for (int c = 0; c < kParts; ++c) {
#pragma omp task
            use(kind, c % 4 == 0 ? made : handles[kind], c);
        }
        void *aligned = omp_alloc(10, made);
        CHECK(aligned != NULL && (uintptr_t)aligned % 4096 == 0);
        omp_free(aligned, omp_null_allocator);
        CHECK(omp_alloc((kParts + 1) * kLength * sizeof(double) * 3, made) == NULL);
        // Blocks that were given back are the pool's again; it also has a record of each block.
        void *whole = omp_alloc((kParts + 1) * kLength * sizeof(double) * 2 - kRecord, made);
        CHECK(whole != NULL);
        omp_free(whole, made);
        omp_destroy_allocator(made);
    }
    return 0;
}
