// GNU ABI: device routines with depend objects in the compiler's layout, and pointers to functions.
#include "runtime/abi/api/routines.h"

#include <cstring>
#include <string>
#include <vector>

#include "platform/export.h"
#include "runtime/abi/api/api.h"
#include "runtime/abi/gnu/gnu_depend.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/target/libomptarget.h"
#include "runtime/target/library_lifetime.h"

using namespace loomp;
using loomp::abi::clamp_int;
using loomp::abi::number_of;
using namespace loomp::abi::gnu;

namespace {

/// omp_depend_t.
struct DependObject {
    void *address;
    void *kind;
};

/// Waits for the dependences of depend objects.
LOOMP_MAY_SWITCH void wait_for(int count, DependObject *objects) {
    if (count < 1)
        return;
    const auto total = static_cast<std::size_t>(count);
    std::vector<void *> words(5 + total, nullptr); // laid out like the compiler's clause of objects
    words[1] = reinterpret_cast<void *>(total);
    for (std::size_t i = 0; i < total; ++i)
        words[5 + i] = &objects[i];
    wait_for_clause(words.data());
}

} // namespace

// The LLVM interface uses the names without `gnu_`, with different depend objects. The copy is
// complete before the call returns, like there.

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

// OpenMP 6.0. libomptarget has its own version for clang's programs, which includes devices.

extern "C" __attribute__((visibility("default"), used)) void *
gnu_omp_target_memset(void *block, int value, std::size_t length, int device) {
    using Set = void *(void *, int, std::size_t, int);
    if (auto *set = reinterpret_cast<Set *>(target::find_function("omp_target_memset"))) {
        const target::Inquiry inquiry;
        return set(block, value, length, number_of(device));
    }
    return std::memset(block, value, length);
}
extern "C" __attribute__((visibility("default"), used)) void *
gnu_omp_target_memset_async(void *block, int value, std::size_t length, int device, int count,
                            DependObject *objects) {
    wait_for(count, objects);
    return gnu_omp_target_memset(block, value, length, device);
}
asm(".symver gnu_omp_target_memset, omp_target_memset@GOMP_6.0.1, remove\n\t"
    ".symver gnu_omp_target_memset_async, omp_target_memset_async@GOMP_6.0.1, remove");

namespace {

using core::kInitialDevice;
using core::kInvalidDevice;

constexpr char kHostIdentifier[] = "OMP_INITIAL_DEVICE"; ///< libgomp's

} // namespace

/// Returns a name of the device that is the same in other processes and runs; null if there is
/// none. Programs of gcc have only the host as a device here.
extern "C" __attribute__((visibility("default"), used)) const char *
gnu_omp_get_uid_from_device(int device) {
    return loomp::abi::names_host(device) ? kHostIdentifier : nullptr;
}
extern "C" __attribute__((visibility("default"), used)) int
gnu_omp_get_device_from_uid(const char *identifier) {
    return identifier != nullptr && std::strcmp(identifier, kHostIdentifier) == 0 ? kInitialDevice
                                                                                  : kInvalidDevice;
}
/// Fortran: returns a `character(:), pointer`.
extern "C" __attribute__((visibility("default"), used)) void
gnu_omp_get_uid_from_device_(const char **result, std::size_t *length, std::int32_t device) {
    *result = gnu_omp_get_uid_from_device(device);
    *length = *result != nullptr ? std::strlen(*result) : 0;
}
extern "C" __attribute__((visibility("default"), used)) void
gnu_omp_get_uid_from_device_8_(const char **result, std::size_t *length, std::int64_t device) {
    gnu_omp_get_uid_from_device_(result, length, clamp_int(device));
}
extern "C" __attribute__((visibility("default"), used)) int
gnu_omp_get_device_from_uid_(const char *identifier, std::size_t length) {
    return gnu_omp_get_device_from_uid(std::string(identifier, length).c_str());
}
asm(".symver gnu_omp_get_uid_from_device, omp_get_uid_from_device@GOMP_6.0, remove\n\t"
    ".symver gnu_omp_get_uid_from_device_, omp_get_uid_from_device_@GOMP_6.0, remove\n\t"
    ".symver gnu_omp_get_uid_from_device_8_, omp_get_uid_from_device_8_@GOMP_6.0, remove\n\t"
    ".symver gnu_omp_get_device_from_uid, omp_get_device_from_uid@GOMP_6.0, remove\n\t"
    ".symver gnu_omp_get_device_from_uid_, omp_get_device_from_uid_@GOMP_6.0, remove");

/// Host functions need no mapping.
LOOMP_EXPORT void *GOMP_target_map_indirect_ptr(void *function) { return function; }
