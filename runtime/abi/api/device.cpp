// OpenMP API: devices (OpenMP 5.2, 18.7 and 18.8). If the program has libomptarget, these names
// lead to it. Another thread then makes the calls that wait for a device. Otherwise the host is the
// only device: its number is the count of other devices, and device addresses are host addresses.
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "runtime/abi/api/api.h"
#include "runtime/abi/api/routines.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/regions/thread.h"
#include "runtime/target/device_operation.h"
#include "runtime/target/library_lifetime.h"

using namespace loomp;
using namespace loomp::abi;

namespace {

using core::kInitialDevice;

/// Returns null if the host is the only device.
const target::Library *devices() {
    return core::device_settings().target_offload == core::TargetOffload::disabled
               ? nullptr
               : target::library();
}
int device_count() {
    const target::Library *library = devices();
    if (library == nullptr)
        return 0;
    const target::Inquiry inquiry;
    return library->get_num_devices();
}
int host() { return device_count(); }
bool is_host(int device) { return device == kInitialDevice || device == host(); }
/// Returns whether the device exists and is not the host.
bool is_device(int device) { return device >= 0 && device < device_count(); }
bool exists(int device) { return is_host(device) || is_device(device); }
/// Calls `ask(library)` if the device exists and is not the host; else returns `otherwise`.
template <class Result, class Ask> Result ask_of(int device, Result otherwise, Ask ask) {
    if (!is_device(device))
        return otherwise;
    const target::Inquiry inquiry;
    return ask(*devices());
}

/// A box of `dimensions` dimensions, copied between two arrays. Sizes and offsets count elements,
/// outermost dimension first.
struct Box {
    const std::size_t *volume;
    const std::size_t *to_offsets;
    const std::size_t *from_offsets;
    const std::size_t *to_dimensions;
    const std::size_t *from_dimensions;

    Box inner() const {
        return {volume + 1, to_offsets + 1, from_offsets + 1, to_dimensions + 1,
                from_dimensions + 1};
    }
};

/// Computes the bytes of one step in the outermost dimension; false if no array can be that large.
bool step_bytes(std::size_t element, const std::size_t *dimensions, int count, std::size_t &bytes) {
    bytes = element;
    for (int i = 1; i < count; ++i)
        if (__builtin_mul_overflow(bytes, dimensions[i], &bytes))
            return false;
    return true;
}

int copy_box(char *to, const char *from, std::size_t element, int dimensions, const Box &box) {
    std::size_t to_step = 0, from_step = 0, to_skip = 0, from_skip = 0, length = 0;
    if (!step_bytes(element, box.to_dimensions, dimensions, to_step) ||
        !step_bytes(element, box.from_dimensions, dimensions, from_step) ||
        __builtin_mul_overflow(to_step, box.to_offsets[0], &to_skip) ||
        __builtin_mul_overflow(from_step, box.from_offsets[0], &from_skip) ||
        __builtin_mul_overflow(element, box.volume[0], &length))
        return EINVAL;
    to += to_skip;
    from += from_skip;
    if (dimensions == 1) {
        std::memcpy(to, from, length);
        return 0;
    }
    for (std::size_t i = 0; i < box.volume[0]; ++i, to += to_step, from += from_step)
        if (const int error = copy_box(to, from, element, dimensions - 1, box.inner()))
            return error;
    return 0;
}

} // namespace

int loomp::abi::number_of(int device) {
    return device == core::kDefaultDevice ? icvs().default_device : device;
}
bool loomp::abi::names_host(int device) { return is_host(number_of(device)); }

LOOMP_API_GET(OMP_4.0, int, omp_get_num_devices, device_count());
LOOMP_API_GET(OMP_4.0, int, omp_is_initial_device, 1);
LOOMP_API_GET(OMP_4.5, int, omp_get_initial_device, host());
LOOMP_API_GET(OMP_5.0.2, int, omp_get_device_num, host());

// Device memory. Fortran calls these by their C names.

LOOMP_EXPORT void *omp_target_alloc(std::size_t size, int device) {
    device = number_of(device);
    if (is_host(device))
        return std::malloc(size);
    void *block = nullptr;
    if (is_device(device))
        target::elsewhere(device, [&] {
            block = devices()->allocate(size, device);
            return 0;
        });
    return block;
}
LOOMP_EXPORT void omp_target_free(void *block, int device) {
    device = number_of(device);
    if (is_host(device))
        std::free(block);
    else if (is_device(device))
        target::elsewhere(device, [&] {
            devices()->free(block, device);
            return 0;
        });
}
LOOMP_EXPORT int omp_target_is_present(const void *address, int device) {
    device = number_of(device);
    return address != nullptr &&
           (is_host(device) || ask_of(device, false, [&](const target::Library &library) {
                return library.is_present(address, device) != 0;
            }));
}
LOOMP_EXPORT int omp_target_is_accessible(const void *block, std::size_t size, int device) {
    return block != nullptr && size != 0 && names_host(device);
}
LOOMP_EXPORT void *omp_get_mapped_ptr(const void *address, int device) {
    device = number_of(device);
    if (is_host(device))
        return const_cast<void *>(address);
    return ask_of<void *>(device, nullptr, [&](const target::Library &library) {
        return library.get_mapped(address, device);
    });
}
LOOMP_EXPORT int omp_target_memcpy(void *to, const void *from, std::size_t length,
                                   std::size_t to_offset, std::size_t from_offset, int to_device,
                                   int from_device) {
    to_device = number_of(to_device);
    from_device = number_of(from_device);
    if (!exists(to_device) || !exists(from_device))
        return EINVAL;
    if (!is_host(to_device) || !is_host(from_device))
        return target::elsewhere(is_host(to_device) ? from_device : to_device, [&] {
            return devices()->copy(to, from, length, to_offset, from_offset, to_device,
                                   from_device);
        });
    std::memcpy(static_cast<char *>(to) + to_offset, static_cast<const char *>(from) + from_offset,
                length);
    return 0;
}
LOOMP_EXPORT int
omp_target_memcpy_rect(void *to, const void *from, std::size_t element, int dimensions,
                       const std::size_t *volume, const std::size_t *to_offsets,
                       const std::size_t *from_offsets, const std::size_t *to_dimensions,
                       const std::size_t *from_dimensions, int to_device, int from_device) {
    to_device = number_of(to_device);
    from_device = number_of(from_device);
    if (to == nullptr && from == nullptr)
        return INT_MAX; // the caller queries the maximal number of dimensions
    if (!exists(to_device) || !exists(from_device) || dimensions < 1)
        return EINVAL;
    if (!is_host(to_device) || !is_host(from_device))
        return target::elsewhere(is_host(to_device) ? from_device : to_device, [&] {
            return devices()->copy_box(to, from, element, dimensions, volume, to_offsets,
                                       from_offsets, to_dimensions, from_dimensions, to_device,
                                       from_device);
        });
    return copy_box(static_cast<char *>(to), static_cast<const char *>(from), element, dimensions,
                    {volume, to_offsets, from_offsets, to_dimensions, from_dimensions});
}
/// The host's memory corresponds to itself; no other address can be associated with it.
LOOMP_EXPORT int omp_target_associate_ptr(const void *address, const void *block, std::size_t size,
                                          std::size_t offset, int device) {
    device = number_of(device);
    return ask_of(device, EINVAL, [&](const target::Library &library) {
        return library.associate(address, block, size, offset, device);
    });
}
LOOMP_EXPORT int omp_target_disassociate_ptr(const void *address, int device) {
    device = number_of(device);
    return ask_of(device, EINVAL, [&](const target::Library &library) {
        return library.disassociate(address, device);
    });
}

LOOMP_SINCE(OMP_4.5, omp_target_alloc);
LOOMP_SINCE(OMP_4.5, omp_target_free);
LOOMP_SINCE(OMP_4.5, omp_target_is_present);
LOOMP_SINCE(OMP_4.5, omp_target_memcpy);
LOOMP_SINCE(OMP_4.5, omp_target_memcpy_rect);
LOOMP_SINCE(OMP_4.5, omp_target_associate_ptr);
LOOMP_SINCE(OMP_4.5, omp_target_disassociate_ptr);
LOOMP_SINCE(OMP_5.1.1, omp_get_mapped_ptr);
LOOMP_SINCE(OMP_5.1.1, omp_target_is_accessible);
// libomptarget's names for the same, so that its routines are called inside the gate
// (runtime/target/library_lifetime.h).
LOOMP_SINCE(VERS1.0, omp_get_num_devices);
LOOMP_SINCE(VERS1.0, omp_get_initial_device);
LOOMP_SINCE(VERS1.0, omp_get_device_num);
LOOMP_SINCE(VERS1.0, omp_target_is_present);
LOOMP_SINCE(VERS1.0, omp_get_mapped_ptr);
LOOMP_SINCE(VERS1.0, omp_target_associate_ptr);
LOOMP_SINCE(VERS1.0, omp_target_disassociate_ptr);
LOOMP_SINCE(VERS1.0, omp_target_alloc);
LOOMP_SINCE(VERS1.0, omp_target_free);
LOOMP_SINCE(VERS1.0, omp_target_memcpy);
LOOMP_SINCE(VERS1.0, omp_target_memcpy_rect);

// Pausing (18.6.1), soft or hard, ends threads, and their threadprivate variables with them. OpenMP
// 6.0 also lets the tool stop, but only if all devices pause.

namespace {
enum PauseKind { kResume, kSoft, kHard, kStopTool };
}

LOOMP_EXPORT int omp_pause_resource_all(int kind) {
    if (kind < kResume || kind > kStopTool || team().level != 0)
        return -1;
    if (kind != kResume) {
        core::retire_teams(worker());
        core::end_idle_threads();
    }
    if (kind == kStopTool && core::stop_tool != nullptr)
        core::stop_tool();
    return 0;
}
LOOMP_EXPORT int omp_pause_resource(int kind, int device) {
    return names_host(device) && kind != kStopTool ? omp_pause_resource_all(kind) : -1;
}
LOOMP_EXPORT int omp_pause_resource_(const std::int32_t *kind, const std::int32_t *device) {
    return omp_pause_resource(*kind, *device);
}
LOOMP_EXPORT int omp_pause_resource_all_(const std::int32_t *kind) {
    return omp_pause_resource_all(*kind);
}
LOOMP_API_SINCE(OMP_5.0, omp_pause_resource);
LOOMP_API_SINCE(OMP_5.0, omp_pause_resource_all);
