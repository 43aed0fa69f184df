// Allocators (OpenMP 5.2, chapter 6): a memory space with traits, behind a handle.
//
// Handles up to kLastPredefined name predefined allocators, which take the system's memory, but for
// LLVM's three, and libgomp's pinned and managed one, of the drivers of devices (driver_memory.h);
// larger ones point to an Allocator that make_allocator() made. Each block carries a header that
// says what it came from, or the table of devices' own blocks does, so any block can be given back
// without its allocator being named. A pool's accounting counts the bytes that were asked for and,
// as libgomp's and libomp's do, a record for each block; not padding.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::core {

/// omp_allocator_handle_t
using AllocatorHandle = std::uintptr_t;
inline constexpr AllocatorHandle kNullAllocator = 0;
inline constexpr AllocatorHandle kDefaultMemAlloc = 1;
/// The standard's end at 8; LLVM and libgomp number their own up to here.
inline constexpr AllocatorHandle kLastPredefined = 1024;

/// Bytes that a block takes of its pool besides those that were asked for.
inline constexpr std::size_t kBlockRecord = 32;

/// Layout of omp_alloctrait_t.
struct AllocatorTrait {
    int key;
    std::uintptr_t value;
};

/// Whether the number is one of the standard's memory spaces: all of ordinary memory, as it is for
/// the predefined allocators. But programs of libomp's that ask for high bandwidth find none.
bool is_space_of_host(std::uintptr_t space);
/// That of a memory space; kNullAllocator: there is none, or it is 0, OpenMP 6.0's null space.
AllocatorHandle predefined_allocator(std::uintptr_t space);

/// kNullAllocator if the memory space does not exist here, or a trait has no such value.
AllocatorHandle make_allocator(std::uintptr_t space, int count, const AllocatorTrait *traits);
/// Its blocks must have been freed, unless it has no pool size.
void destroy_allocator(AllocatorHandle handle);

/// The first value of def-allocator-var: OMP_ALLOCATOR.
AllocatorHandle initial_allocator();

enum class Content { undefined, zero };

/// A block at an address that is a multiple of `alignment`, of the allocator's alignment trait and
/// of 16; null where the fallback trait says so, and for a size of 0. `handle` is not
/// kNullAllocator.
void *allocate(std::size_t alignment, std::size_t size, AllocatorHandle handle,
               Content content = Content::undefined);

/// The block with another size, its content kept as far as both sizes reach, now from `handle`;
/// kNullAllocator: from where it was. If that cannot be had: null, and the block stays as it is.
void *reallocate(void *block, std::size_t size, AllocatorHandle handle);

void deallocate(void *block);

/// For allocations that a directive makes: there is nobody to check for null (6.6).
void *allocate_or_abort(std::size_t alignment, std::size_t size, AllocatorHandle handle);

} // namespace loomp::core
