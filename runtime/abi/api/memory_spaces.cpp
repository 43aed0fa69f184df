// OpenMP API: memory spaces and allocators of sets of devices (OpenMP 6.0, 27.1 to 27.4).
// libomptarget up to LLVM 23 does not report which memory a device can reach. So a space exists
// only if the host is the only requested device: the predefined space, with one resource.
#include <algorithm>

#include "runtime/abi/api/api.h"
#include "runtime/abi/api/routines.h"
#include "runtime/core/memory/allocator.h"

using namespace loomp;
using core::AllocatorHandle;

namespace {

using Space = std::uintptr_t;
constexpr Space kNullSpace = 0; ///< omp_null_mem_space; the default one before LLVM 22

Space space_of(int count, const int *devices, Space space) {
    const bool is_of_host = count > 0 && devices != nullptr &&
                            std::all_of(devices, devices + count, abi::names_host) &&
                            core::is_space_of_host(space);
    return is_of_host ? space : kNullSpace;
}

Space space_of_all(Space space) {
    const int host = omp_get_initial_device();
    return host == 0 ? space_of(1, &host, space) : kNullSpace; // no other device exists
}

} // namespace

/// Defines routines for a set of devices, for one device, for either with the host, and for all;
/// each also for Fortran. RESULT is computed from their space.
#define LOOMP_OF_DEVICES(TYPE, KIND, RESULT)                                                       \
    LOOMP_OF_SOME_DEVICES(TYPE, KIND, RESULT)                                                      \
    LOOMP_OF_SOME_DEVICES(TYPE, and_host_##KIND, RESULT)                                           \
    LOOMP_EXPORT TYPE omp_get_devices_all_##KIND(Space space) {                                    \
        return RESULT(space_of_all(space));                                                        \
    }                                                                                              \
    LOOMP_EXPORT TYPE omp_get_devices_all_##KIND##_(const Space *space) {                          \
        return omp_get_devices_all_##KIND(*space);                                                 \
    }
#define LOOMP_OF_SOME_DEVICES(TYPE, KIND, RESULT)                                                  \
    LOOMP_EXPORT TYPE omp_get_devices_##KIND(int count, const int *devices, Space space) {         \
        return RESULT(space_of(count, devices, space));                                            \
    }                                                                                              \
    LOOMP_EXPORT TYPE omp_get_device_##KIND(int device, Space space) {                             \
        return RESULT(space_of(1, &device, space));                                                \
    }                                                                                              \
    LOOMP_EXPORT TYPE omp_get_devices_##KIND##_(const int *count, const int *devices,              \
                                                const Space *space) {                              \
        return omp_get_devices_##KIND(*count, devices, *space);                                    \
    }                                                                                              \
    LOOMP_EXPORT TYPE omp_get_device_##KIND##_(const int *device, const Space *space) {            \
        return omp_get_device_##KIND(*device, *space);                                             \
    }
LOOMP_OF_DEVICES(Space, memspace, )
LOOMP_OF_DEVICES(AllocatorHandle, allocator, core::predefined_allocator)

LOOMP_EXPORT int omp_get_memspace_num_resources(Space space) {
    return space != kNullSpace && core::is_space_of_host(space) ? 1 : 0;
}
LOOMP_EXPORT int omp_get_memspace_num_resources_(const Space *space) {
    return omp_get_memspace_num_resources(*space);
}
/// Selects the resources with these numbers; a space of one resource has only the number 0.
LOOMP_EXPORT Space omp_get_submemspace(Space space, int count, const int *resources) {
    const bool is_whole = count == 1 && resources != nullptr && *resources == 0;
    return is_whole && core::is_space_of_host(space) ? space : kNullSpace;
}
LOOMP_EXPORT Space omp_get_submemspace_(const Space *space, const int *count,
                                        const int *resources) {
    return omp_get_submemspace(*space, *count, resources);
}
