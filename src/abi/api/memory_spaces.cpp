// OpenMP API: memory spaces and allocators of sets of devices (OpenMP 6.0, 27.1 to 27.4). What the
// devices themselves could reach nobody tells: libomptarget up to LLVM 23 does not. So only where
// the host is all that is asked for there is a space, the predefined one, of one resource.
#include <algorithm>

#include "abi/api/api.h"
#include "abi/api/device.h"
#include "core/environment/device_numbers.h"
#include "core/memory/allocator.h"

using namespace loomp;
using core::AllocatorHandle;

namespace {

using Space = std::uintptr_t;
constexpr Space kNullSpace = 0; ///< omp_null_mem_space; the default one before LLVM 22

bool is_host(int device) {
    device = abi::number_of(device);
    return device == core::kInitialDevice || device == omp_get_initial_device();
}

Space space_of(int count, const int *devices, Space space) {
    const bool is_of_host = count > 0 && devices != nullptr &&
                            std::all_of(devices, devices + count, is_host) &&
                            core::is_space_of_host(space);
    return is_of_host ? space : kNullSpace;
}

Space space_of_all(Space space) {
    const int host = omp_get_initial_device();
    return host == 0 ? space_of(1, &host, space) : kNullSpace; // there is no other device
}

} // namespace

LOOMP_EXPORT Space omp_get_devices_memspace(int count, const int *devices, Space space) {
    return space_of(count, devices, space);
}
LOOMP_EXPORT Space omp_get_device_memspace(int device, Space space) {
    return space_of(1, &device, space);
}
LOOMP_EXPORT Space omp_get_devices_and_host_memspace(int count, const int *devices, Space space) {
    return space_of(count, devices, space);
}
LOOMP_EXPORT Space omp_get_device_and_host_memspace(int device, Space space) {
    return space_of(1, &device, space);
}
LOOMP_EXPORT Space omp_get_devices_all_memspace(Space space) { return space_of_all(space); }

LOOMP_EXPORT AllocatorHandle omp_get_devices_allocator(int count, const int *devices, Space space) {
    return core::predefined_allocator(space_of(count, devices, space));
}
LOOMP_EXPORT AllocatorHandle omp_get_device_allocator(int device, Space space) {
    return core::predefined_allocator(space_of(1, &device, space));
}
LOOMP_EXPORT AllocatorHandle omp_get_devices_and_host_allocator(int count, const int *devices,
                                                                Space space) {
    return core::predefined_allocator(space_of(count, devices, space));
}
LOOMP_EXPORT AllocatorHandle omp_get_device_and_host_allocator(int device, Space space) {
    return core::predefined_allocator(space_of(1, &device, space));
}
LOOMP_EXPORT AllocatorHandle omp_get_devices_all_allocator(Space space) {
    return core::predefined_allocator(space_of_all(space));
}

LOOMP_EXPORT int omp_get_memspace_num_resources(Space space) {
    return space != kNullSpace && core::is_space_of_host(space) ? 1 : 0;
}
/// Of the resources with these numbers; a space of one has the number 0 only.
LOOMP_EXPORT Space omp_get_submemspace(Space space, int count, const int *resources) {
    const bool is_whole = count == 1 && resources != nullptr && *resources == 0;
    return is_whole && core::is_space_of_host(space) ? space : kNullSpace;
}

// Fortran.
LOOMP_EXPORT Space omp_get_devices_memspace_(const int *count, const int *devices,
                                             const Space *space) {
    return omp_get_devices_memspace(*count, devices, *space);
}
LOOMP_EXPORT Space omp_get_device_memspace_(const int *device, const Space *space) {
    return omp_get_device_memspace(*device, *space);
}
LOOMP_EXPORT Space omp_get_devices_and_host_memspace_(const int *count, const int *devices,
                                                      const Space *space) {
    return omp_get_devices_and_host_memspace(*count, devices, *space);
}
LOOMP_EXPORT Space omp_get_device_and_host_memspace_(const int *device, const Space *space) {
    return omp_get_device_and_host_memspace(*device, *space);
}
LOOMP_EXPORT Space omp_get_devices_all_memspace_(const Space *space) {
    return omp_get_devices_all_memspace(*space);
}
LOOMP_EXPORT AllocatorHandle omp_get_devices_allocator_(const int *count, const int *devices,
                                                        const Space *space) {
    return omp_get_devices_allocator(*count, devices, *space);
}
LOOMP_EXPORT AllocatorHandle omp_get_device_allocator_(const int *device, const Space *space) {
    return omp_get_device_allocator(*device, *space);
}
LOOMP_EXPORT AllocatorHandle omp_get_devices_and_host_allocator_(const int *count,
                                                                 const int *devices,
                                                                 const Space *space) {
    return omp_get_devices_and_host_allocator(*count, devices, *space);
}
LOOMP_EXPORT AllocatorHandle omp_get_device_and_host_allocator_(const int *device,
                                                                const Space *space) {
    return omp_get_device_and_host_allocator(*device, *space);
}
LOOMP_EXPORT AllocatorHandle omp_get_devices_all_allocator_(const Space *space) {
    return omp_get_devices_all_allocator(*space);
}
LOOMP_EXPORT int omp_get_memspace_num_resources_(const Space *space) {
    return omp_get_memspace_num_resources(*space);
}
LOOMP_EXPORT Space omp_get_submemspace_(const Space *space, const int *count,
                                        const int *resources) {
    return omp_get_submemspace(*space, *count, resources);
}
