#include "target/host_memory.h"

#include <cstddef>

#include "core/environment/settings.h"
#include "core/memory/allocator.h"
#include "target/gate.h"
#include "target/operation.h"

namespace loomp::target {

namespace {

/// The default device, or the first if that is none. -1: there is no device.
int device_to_ask() {
    if (core::settings().target_offload == core::TargetOffload::disabled || is_forked() ||
        is_closed_here())
        return -1;
    const int count = library()->get_num_devices();
    if (count == 0)
        return -1;
    const std::int64_t number = number_of(kDefaultDevice);
    return number >= 0 && number < count && number <= core::DeviceHostMemory::kLastDevice
               ? static_cast<int>(number)
               : 0;
}

void *allocate(std::size_t size, int &device) {
    using Function = void *(*)(std::size_t, int);
    const auto function = reinterpret_cast<Function>(find_function("llvm_omp_target_alloc_host"));
    device = device_to_ask();
    if (function == nullptr || device < 0)
        return nullptr;
    void *block = nullptr;
    elsewhere(device, [&] {
        block = function(size, device);
        return 0;
    });
    return block;
}

void free(void *block, int device) {
    // Without its devices the process ends soon, and a child has no part in its parent's.
    if (is_forked() || is_closed_here())
        return;
    using Function = void (*)(void *, int);
    const auto function = reinterpret_cast<Function>(find_function("llvm_omp_target_free_host"));
    elsewhere(device, [&] {
        function(block, device);
        return 0;
    });
}

constexpr core::DeviceHostMemory memory{allocate, free};

} // namespace

void offer_host_memory() { core::set_device_host_memory(memory); }

} // namespace loomp::target
