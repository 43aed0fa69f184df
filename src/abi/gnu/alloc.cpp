// GNU ABI: the allocate directive and clause.
#include "abi/export.h"
#include "core/memory/allocator.h"
#include "core/task/task.h"
#include "core/team/icv.h"
#include "core/worker/worker.h"

using namespace loomp;

LOOMP_EXPORT void *GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
    if (allocator == core::kNullAllocator)
        allocator = core::Worker::current()->task->icvs->default_allocator;
    return core::allocate_or_abort(alignment, size, allocator);
}

LOOMP_EXPORT void GOMP_free(void *block, std::uintptr_t) { core::deallocate(block); }
