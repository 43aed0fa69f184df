// LLVM ABI: the allocate directive and clause, and the kmp_* memory routines.
#include <algorithm>
#include <cstdlib>

#include "platform/export.h"
#include "runtime/abi/api/routines.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/memory/allocator.h"

using namespace loomp;
using core::AllocatorHandle;

// The program ends if there is no memory, because code of an allocate directive does not check the
// result.
LOOMP_EXPORT void *__kmpc_aligned_alloc(int, std::size_t alignment, std::size_t size,
                                        AllocatorHandle handle) {
    if (handle == core::kNullAllocator)
        handle = omp_get_default_allocator();
    return core::allocate_or_abort(alignment, size, handle);
}
LOOMP_EXPORT void *__kmpc_alloc(int gtid, std::size_t size, AllocatorHandle handle) {
    return __kmpc_aligned_alloc(gtid, 1, size, handle);
}
LOOMP_EXPORT void __kmpc_free(int, void *block, AllocatorHandle) { core::deallocate(block); }

// Other names of the API's routines.
LOOMP_EXPORT void *__kmpc_calloc(int, std::size_t count, std::size_t size, AllocatorHandle handle) {
    return omp_calloc(count, size, handle);
}
LOOMP_EXPORT void *__kmpc_realloc(int, void *block, std::size_t size, AllocatorHandle handle,
                                  AllocatorHandle free_handle) {
    return omp_realloc(block, size, handle, free_handle);
}
LOOMP_EXPORT AllocatorHandle __kmpc_init_allocator(int, std::uintptr_t space, int count,
                                                   const core::AllocatorTrait *traits) {
    return omp_init_allocator(space, count, traits);
}
LOOMP_EXPORT void __kmpc_destroy_allocator(int, AllocatorHandle handle) {
    omp_destroy_allocator(handle);
}
LOOMP_EXPORT void __kmpc_set_default_allocator(int, AllocatorHandle handle) {
    omp_set_default_allocator(handle);
}
LOOMP_EXPORT AllocatorHandle __kmpc_get_default_allocator(int) {
    return omp_get_default_allocator();
}

// Memory of the C library, because kmp_free() and free() take the same blocks.
LOOMP_EXPORT void *kmpc_malloc(std::size_t size) { return std::malloc(size); }
LOOMP_EXPORT void *kmpc_calloc(std::size_t count, std::size_t size) {
    return std::calloc(count, size);
}
LOOMP_EXPORT void *kmpc_realloc(void *block, std::size_t size) { return std::realloc(block, size); }
LOOMP_EXPORT void kmpc_free(void *block) { std::free(block); }
LOOMP_EXPORT void *kmpc_aligned_malloc(std::size_t size, std::size_t alignment) {
    void *block = nullptr;
    return posix_memalign(&block, std::max(alignment, sizeof(void *)), size) == 0 ? block : nullptr;
}

LOOMP_EXPORT void *kmp_malloc(std::size_t size) { return kmpc_malloc(size); }
LOOMP_EXPORT void *kmp_calloc(std::size_t count, std::size_t size) {
    return kmpc_calloc(count, size);
}
LOOMP_EXPORT void *kmp_realloc(void *block, std::size_t size) { return kmpc_realloc(block, size); }
LOOMP_EXPORT void kmp_free(void *block) { kmpc_free(block); }
LOOMP_EXPORT void *kmp_aligned_malloc(std::size_t size, std::size_t alignment) {
    return kmpc_aligned_malloc(size, alignment);
}

LOOMP_EXPORT void *kmp_malloc_(const std::size_t *size) { return kmpc_malloc(*size); }
LOOMP_EXPORT void *kmp_calloc_(const std::size_t *count, const std::size_t *size) {
    return kmpc_calloc(*count, *size);
}
LOOMP_EXPORT void *kmp_realloc_(void *const *block, const std::size_t *size) {
    return kmpc_realloc(*block, *size);
}
LOOMP_EXPORT void kmp_free_(void *const *block) { kmpc_free(*block); }
LOOMP_EXPORT void *kmp_aligned_malloc_(const std::size_t *size, const std::size_t *alignment) {
    return kmpc_aligned_malloc(*size, *alignment);
}
