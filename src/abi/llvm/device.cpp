// LLVM ABI: device routines that take depend objects in the compiler's layout.
#include <vector>

#include "abi/api/device.h"
#include "abi/llvm/depend.h"
#include "core/scheduling/waiting.h"

using namespace loomp;
using namespace loomp::abi::llvm;

namespace {

/// Waits for what a list of depend objects names. An object is an array of items; the one before
/// its first holds their number.
void wait_for(int count, KmpDependInfo *const *objects) {
    std::vector<KmpDependInfo> items;
    for (int i = 0; i < count; ++i)
        items.insert(items.end(), objects[i], objects[i] + objects[i][-1].address);
    if (items.empty())
        return;
    const DependClause clause(static_cast<std::int32_t>(items.size()), items.data(), 0, nullptr);
    core::wait_dependences(clause.data(), clause.size());
}

} // namespace

// An asynchronous copy is a target task. It is done before the call returns: a copy between two
// places of one memory has nothing to overlap with but other tasks' work, which goes on meanwhile.

LOOMP_EXPORT int omp_target_memcpy_async(void *to, const void *from, std::size_t length,
                                         std::size_t to_offset, std::size_t from_offset,
                                         int to_device, int from_device, int count,
                                         KmpDependInfo *const *objects) {
    wait_for(count, objects);
    return omp_target_memcpy(to, from, length, to_offset, from_offset, to_device, from_device);
}
LOOMP_EXPORT int
omp_target_memcpy_rect_async(void *to, const void *from, std::size_t element, int dimensions,
                             const std::size_t *volume, const std::size_t *to_offsets,
                             const std::size_t *from_offsets, const std::size_t *to_dimensions,
                             const std::size_t *from_dimensions, int to_device, int from_device,
                             int count, KmpDependInfo *const *objects) {
    if (to != nullptr || from != nullptr)
        wait_for(count, objects);
    return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets,
                                  to_dimensions, from_dimensions, to_device, from_device);
}

LOOMP_EXPORT int __kmpc_pause_resource(int kind) { return omp_pause_resource_all(kind); }
