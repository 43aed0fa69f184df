// OpenMP API: memory management (OpenMP 5.2, 18.13).
#include "runtime/core/memory/allocator.h"

#include "runtime/abi/api/api.h"

using namespace loomp;
using namespace loomp::abi;
using core::AllocatorHandle;
using core::AllocatorTrait;

namespace {

AllocatorHandle or_default(AllocatorHandle handle) {
    return handle == core::kNullAllocator ? icvs().default_allocator : handle;
}

} // namespace

LOOMP_EXPORT AllocatorHandle omp_init_allocator(std::uintptr_t space, int count,
                                                const AllocatorTrait *traits) {
    return core::make_allocator(space, count, traits);
}
LOOMP_EXPORT AllocatorHandle omp_init_allocator_(const std::uintptr_t *space,
                                                 const std::int32_t *count,
                                                 const AllocatorTrait *traits) {
    return omp_init_allocator(*space, *count, traits);
}
LOOMP_EXPORT AllocatorHandle omp_init_allocator_8_(const std::uintptr_t *space,
                                                   const std::int64_t *count,
                                                   const AllocatorTrait *traits) {
    return omp_init_allocator(*space, clamp_int(*count), traits);
}
LOOMP_API_SINCE_8(OMP_5.0.1, omp_init_allocator);

LOOMP_EXPORT void omp_destroy_allocator(AllocatorHandle handle) { core::destroy_allocator(handle); }
LOOMP_EXPORT void omp_destroy_allocator_(const AllocatorHandle *handle) {
    omp_destroy_allocator(*handle);
}
LOOMP_API_SINCE(OMP_5.0.1, omp_destroy_allocator);

LOOMP_EXPORT void omp_set_default_allocator(AllocatorHandle handle) {
    change_icvs([handle](core::IcvValues &own) {
        own.default_allocator = handle == core::kNullAllocator ? core::kDefaultMemAlloc : handle;
    });
}
LOOMP_EXPORT void omp_set_default_allocator_(const AllocatorHandle *handle) {
    omp_set_default_allocator(*handle);
}
LOOMP_API_SINCE(OMP_5.0.1, omp_set_default_allocator);
LOOMP_API_GET(OMP_5.0.1, AllocatorHandle, omp_get_default_allocator, icvs().default_allocator);

// Fortran calls these by their C names.

LOOMP_EXPORT void *omp_aligned_alloc(std::size_t alignment, std::size_t size,
                                     AllocatorHandle handle) {
    return core::allocate(alignment, size, or_default(handle));
}
LOOMP_EXPORT void *omp_alloc(std::size_t size, AllocatorHandle handle) {
    return core::allocate(1, size, or_default(handle));
}
LOOMP_EXPORT void *omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size,
                                      AllocatorHandle handle) {
    std::size_t total = 0;
    if (__builtin_mul_overflow(count, size, &total))
        total = SIZE_MAX; // no allocator has that much, so the fallback decides
    return core::allocate(alignment, total, or_default(handle), core::Content::zero);
}
LOOMP_EXPORT void *omp_calloc(std::size_t count, std::size_t size, AllocatorHandle handle) {
    return omp_aligned_calloc(1, count, size, handle);
}
LOOMP_EXPORT void omp_free(void *block, AllocatorHandle) { core::deallocate(block); }
LOOMP_EXPORT void *omp_realloc(void *block, std::size_t size, AllocatorHandle handle,
                               AllocatorHandle) {
    if (block == nullptr)
        return omp_alloc(size, handle);
    if (size != 0)
        return core::reallocate(block, size, handle);
    core::deallocate(block);
    return nullptr;
}
LOOMP_SINCE(OMP_5.0.1, omp_alloc);
LOOMP_SINCE(OMP_5.0.1, omp_free);
LOOMP_SINCE(OMP_5.0.2, omp_aligned_alloc);
LOOMP_SINCE(OMP_5.0.2, omp_calloc);
LOOMP_SINCE(OMP_5.0.2, omp_aligned_calloc);
LOOMP_SINCE(OMP_5.0.2, omp_realloc);

// libomp also exports these constants of omp.h as data.
#define LOOMP_HANDLE(NAME, VALUE)                                                                  \
    extern "C" {                                                                                   \
    extern const std::uintptr_t NAME __attribute__((visibility("default")));                       \
    const std::uintptr_t NAME = VALUE;                                                             \
    }
LOOMP_HANDLE(omp_null_allocator, 0)
LOOMP_HANDLE(omp_default_mem_alloc, 1)
LOOMP_HANDLE(omp_large_cap_mem_alloc, 2)
LOOMP_HANDLE(omp_const_mem_alloc, 3)
LOOMP_HANDLE(omp_high_bw_mem_alloc, 4)
LOOMP_HANDLE(omp_low_lat_mem_alloc, 5)
LOOMP_HANDLE(omp_cgroup_mem_alloc, 6)
LOOMP_HANDLE(omp_pteam_mem_alloc, 7)
LOOMP_HANDLE(omp_thread_mem_alloc, 8)
LOOMP_HANDLE(omp_default_mem_space, 0)
LOOMP_HANDLE(omp_large_cap_mem_space, 1)
LOOMP_HANDLE(omp_const_mem_space, 2)
LOOMP_HANDLE(omp_high_bw_mem_space, 3)
LOOMP_HANDLE(omp_low_lat_mem_space, 4)
LOOMP_HANDLE(omp_cgroup_mem_space, 5)
LOOMP_HANDLE(omp_null_mem_space, 0)
