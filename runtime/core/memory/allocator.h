// Allocators (OpenMP 5.2, chapter 6): a memory space with traits, behind a handle.
//
// Handles up to kLastPredefined name predefined allocators. They use the system's memory. The
// exceptions are LLVM's three, and libgomp's pinned and managed ones: the drivers of devices
// provide that memory (driver_memory.h). Larger handles point to an Allocator from
// make_allocator(). Each block has a header with its source; a table holds the sources of devices'
// own blocks. So a block can be freed without naming its allocator. A pool counts the requested
// bytes and a record for each block, like libgomp and libomp, but no padding.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::core {

/// omp_allocator_handle_t
using AllocatorHandle = std::uintptr_t;
inline constexpr AllocatorHandle kNullAllocator = 0;
inline constexpr AllocatorHandle kDefaultMemAlloc = 1;
/// The standard's handles end at 8; LLVM and libgomp number their own up to here.
inline constexpr AllocatorHandle kLastPredefined = 1024;

/// The bytes that a block takes of its pool besides the requested ones.
inline constexpr std::size_t kBlockRecord = 32;

/// Layout of omp_alloctrait_t.
struct AllocatorTrait {
    int key;
    std::uintptr_t value;
};

/// Returns whether the number is one of the standard's memory spaces. All of them are ordinary
/// memory, as for the predefined allocators. Programs built for libomp find no high-bandwidth
/// space.
bool is_space_of_host(std::uintptr_t space);
/// Returns the predefined allocator of a memory space. Returns kNullAllocator if there is none, or
/// if the space is 0, OpenMP 6.0's null space.
AllocatorHandle predefined_allocator(std::uintptr_t space);

/// Returns kNullAllocator if the memory space does not exist here, or if a trait has an invalid
/// value.
AllocatorHandle make_allocator(std::uintptr_t space, int count, const AllocatorTrait *traits);
/// The program must have freed its blocks, unless it has no pool size.
void destroy_allocator(AllocatorHandle handle);

/// The first value of def-allocator-var: OMP_ALLOCATOR.
AllocatorHandle initial_allocator();

enum class Content { undefined, zero };

/// Returns a block whose address is a multiple of `alignment`, of the allocator's alignment trait
/// and of 16. Returns null if the fallback trait requires it, and for a size of 0. `handle` is not
/// kNullAllocator.
void *allocate(std::size_t alignment, std::size_t size, AllocatorHandle handle,
               Content content = Content::undefined);

/// Returns the block with another size and its content, now from `handle`; kNullAllocator: from its
/// old allocator. Returns null without memory, and then leaves the block unchanged.
void *reallocate(void *block, std::size_t size, AllocatorHandle handle);

void deallocate(void *block);

/// For allocations of a directive, whose code does not check for null (6.6).
void *allocate_or_abort(std::size_t alignment, std::size_t size, AllocatorHandle handle);

} // namespace loomp::core
