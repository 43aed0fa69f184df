// GNU ABI: the allocate directive and clause.
#include <unordered_set>

#include "platform/export.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/memory/allocator.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/worker/worker.h"

using namespace loomp;

LOOMP_EXPORT void *GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
    if (allocator == core::kNullAllocator)
        allocator = core::Worker::current()->task->icvs->default_allocator;
    return core::allocate_or_abort(alignment, size, allocator);
}

LOOMP_EXPORT void GOMP_free(void *block, std::uintptr_t) { core::deallocate(block); }

// The compiler does not know whether the allocate directive applied to a Fortran allocatable
// variable when it deallocates it.

namespace {

core::SpinLock given_lock; ///< guards `given`
const core::LocksAtFork at_fork([](core::LocksAtFork::Each each) { each(given_lock); });
/// Blocks of allocatable variables; never destroyed, because variables are freed during exit.
std::unordered_set<void *> &given() {
    static auto &set = *new std::unordered_set<void *>;
    return set;
}

} // namespace

/// Records that `block` comes from GOMP_alloc().
LOOMP_EXPORT void GOMP_add_alloc(void *block) {
    const core::SpinGuard guard(given_lock);
    given().insert(block);
}
/// Returns whether GOMP_alloc() made `block`, and forgets the block, because the caller frees it.
LOOMP_EXPORT bool GOMP_is_alloc(void *block) {
    const core::SpinGuard guard(given_lock);
    return given().erase(block) != 0;
}
