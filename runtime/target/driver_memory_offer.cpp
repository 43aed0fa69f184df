// Memory of the devices' drivers, through libomptarget while it is available.
#include "runtime/core/memory/driver_memory.h"

#include <cstddef>

#include "runtime/core/environment/device_settings.h"
#include "runtime/target/device_operation.h"
#include "runtime/target/library_lifetime.h"

namespace loomp::target {

namespace {

using core::DriverMemory;
using core::Drivers;

struct Names {
    const char *allocate;
    const char *free;
};

Names names_of(DriverMemory kind) {
    switch (kind) {
    case DriverMemory::host:
        return {"llvm_omp_target_alloc_host", "llvm_omp_target_free_host"};
    case DriverMemory::shared:
        return {"llvm_omp_target_alloc_shared", "llvm_omp_target_free_shared"};
    case DriverMemory::device:
        break;
    }
    return {"llvm_omp_target_alloc_device", "llvm_omp_target_free_device"};
}

/// A process without its devices ends soon, and a child cannot use its parent's.
bool has_lost_devices() { return is_forked() || is_closed_here(); }

/// Returns the default device. If that is the host, returns the first device for memory of the
/// host, because copies of other devices need it. Returns kNoDevice if there is no device, or if
/// the program disables them.
int device_to_ask(DriverMemory kind) {
    if (core::device_settings().target_offload == core::TargetOffload::disabled ||
        has_lost_devices())
        return Drivers::kNoDevice;
    const int count = [] {
        const Inquiry inquiry;
        return library()->get_num_devices();
    }();
    if (count == 0)
        return Drivers::kNoDevice;
    const std::int64_t number = number_of(kDefaultDevice);
    if (number >= 0 && number < count && number <= Drivers::kLastDevice)
        return static_cast<int>(number);
    return kind == DriverMemory::host ? 0 : Drivers::kNoDevice;
}

LOOMP_MAY_SWITCH void *allocate(DriverMemory kind, std::size_t size, int &device) {
    using Function = void *(*)(std::size_t, int);
    const auto function = reinterpret_cast<Function>(find_function(names_of(kind).allocate));
    device = function == nullptr ? Drivers::kNoDevice : device_to_ask(kind);
    if (device == Drivers::kNoDevice)
        return nullptr;
    void *block = nullptr;
    elsewhere(device, [&] {
        block = function(size, device);
        return 0;
    });
    return block;
}

LOOMP_MAY_SWITCH void free(DriverMemory kind, void *block, int device) {
    if (has_lost_devices())
        return;
    using Function = void (*)(void *, int);
    const auto function = reinterpret_cast<Function>(find_function(names_of(kind).free));
    elsewhere(device, [&] {
        function(block, device);
        return 0;
    });
}

LOOMP_MAY_SWITCH bool copy(void *to, int to_device, const void *from, int from_device,
                           std::size_t size) {
    if (has_lost_devices())
        return false;
    const int host = [] {
        const Inquiry inquiry;
        return library()->get_initial_device();
    }();
    const auto number = [host](int device) { return device == Drivers::kNoDevice ? host : device; };
    return elsewhere(to_device == Drivers::kNoDevice ? from_device : to_device, [&] {
               return library()->copy(to, from, size, 0, 0, number(to_device), number(from_device));
           }) == 0;
}

LOOMP_MAY_SWITCH bool zero(void *block, std::size_t size, int device) {
    using Function = void *(*)(void *, int, std::size_t, int);
    const auto function = reinterpret_cast<Function>(find_function("omp_target_memset"));
    return function != nullptr && elsewhere(device, [&] {
                                      function(block, 0, size, device);
                                      return 0;
                                  }) == 0;
}

constexpr Drivers functions{allocate, free, copy, zero};

} // namespace

void offer_driver_memory() { core::set_drivers(functions); }

} // namespace loomp::target
