// GNU ABI: device routines that take depend objects in the compiler's layout, and pointers to
// functions.
#include "abi/api/device.h"

#include <vector>

#include "abi/export.h"
#include "abi/gnu/depend.h"
#include "core/scheduling/waiting.h"

using namespace loomp;
using namespace loomp::abi::gnu;

namespace {

/// omp_depend_t.
struct DependObject {
    void *address;
    void *kind;
};

/// Waits for what depend objects name.
void wait_for(int count, DependObject *objects) {
    if (count < 1)
        return;
    const auto total = static_cast<std::size_t>(count);
    std::vector<void *> words(5 + total, nullptr); // as the compiler lays out a clause of objects
    words[1] = reinterpret_cast<void *>(total);
    for (std::size_t i = 0; i < total; ++i)
        words[5 + i] = &objects[i];
    const DependClause clause(words.data());
    core::wait_dependences(clause.data(), clause.size());
}

} // namespace

// The names without `gnu_` are those of the LLVM interface, whose depend objects are different. As
// there, the copy is done before the call returns.

extern "C" __attribute__((visibility("default"), used)) int
gnu_omp_target_memcpy_async(void *to, const void *from, std::size_t length, std::size_t to_offset,
                            std::size_t from_offset, int to_device, int from_device, int count,
                            DependObject *objects) {
    wait_for(count, objects);
    return omp_target_memcpy(to, from, length, to_offset, from_offset, to_device, from_device);
}
extern "C" __attribute__((visibility("default"), used)) int
gnu_omp_target_memcpy_rect_async(void *to, const void *from, std::size_t element, int dimensions,
                                 const std::size_t *volume, const std::size_t *to_offsets,
                                 const std::size_t *from_offsets, const std::size_t *to_dimensions,
                                 const std::size_t *from_dimensions, int to_device, int from_device,
                                 int count, DependObject *objects) {
    if (to != nullptr || from != nullptr)
        wait_for(count, objects);
    return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets,
                                  to_dimensions, from_dimensions, to_device, from_device);
}
asm(".symver gnu_omp_target_memcpy_async, omp_target_memcpy_async@OMP_5.1.1, remove\n\t"
    ".symver gnu_omp_target_memcpy_rect_async, omp_target_memcpy_rect_async@OMP_5.1.1, remove");

/// The host's functions are where their pointers point.
LOOMP_EXPORT void *GOMP_target_map_indirect_ptr(void *function) { return function; }
