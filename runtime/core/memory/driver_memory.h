// Memory of device drivers for allocators. There are three kinds: host memory that devices access
// directly, shared memory that both sides read and write, and a device's own memory. A device's own
// block cannot have a header that the host writes, so a table holds its data.
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace loomp::core {

enum class DriverMemory : std::uint8_t { host, shared, device };

/// Functions that the folder of devices provides to the core.
struct Drivers {
    static constexpr int kNoDevice = -1;
    static constexpr int kLastDevice = (1 << 12) - 1;
    /// Returns null if there is no memory. `device` becomes the driver's device, up to kLastDevice.
    /// It becomes kNoDevice if the program has no device, or disables devices.
    void *(*allocate)(DriverMemory kind, std::size_t size, int &device);
    void (*free)(DriverMemory kind, void *block, int device);
    /// Copies between blocks of devices, or of the host (kNoDevice).
    bool (*copy)(void *to, int to_device, const void *from, int from_device, std::size_t size);
    /// Zeroes a device's own block.
    bool (*zero)(void *block, std::size_t size, int device);
};
/// Makes the functions available to allocators.
void set_drivers(const Drivers &drivers);
/// Returns null if no code for devices is loaded.
const Drivers *drivers();

/// The record of a device's own block.
struct DeviceBlock {
    void *base; ///< the driver's address
    std::size_t size;
    std::uintptr_t handle; ///< the allocator's
    int device;
    bool is_charged; ///< the handle's pool counts it
};
void note_device_block(const void *block, const DeviceBlock &device_block);
/// Nothing: it is not a device's own.
std::optional<DeviceBlock> device_block(const void *block);
/// Returns the record and removes it; nullopt if the block is not a device's own.
std::optional<DeviceBlock> forget_device_block(const void *block);

} // namespace loomp::core
