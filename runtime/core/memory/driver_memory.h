// Memory that the drivers of devices give to allocators: of the host, which devices copy from and
// to without help; shared, which both sides read and write; and devices' own. Nothing of the host's
// can stand in front of a block that is a device's own, so a table has what is known of these.
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace loomp::core {

enum class DriverMemory : std::uint8_t { host, shared, device };

/// What the core asks of who knows devices.
struct Drivers {
    static constexpr int kNoDevice = -1;
    static constexpr int kLastDevice = (1 << 12) - 1;
    /// Null: there is none. `device`, up to kLastDevice: whose driver it is of; kNoDevice: the
    /// program has no device, or is to use none.
    void *(*allocate)(DriverMemory kind, std::size_t size, int &device);
    void (*free)(DriverMemory kind, void *block, int device);
    /// Between blocks of devices, or of the host (kNoDevice).
    bool (*copy)(void *to, int to_device, const void *from, int from_device, std::size_t size);
    /// Of a device's own block.
    bool (*zero)(void *block, std::size_t size, int device);
};
/// From then on allocators can ask.
void set_drivers(const Drivers &drivers);
/// Null: nobody knows devices.
const Drivers *drivers();

/// What is known of a device's own block.
struct DeviceBlock {
    void *base; ///< what the driver gave
    std::size_t size;
    std::uintptr_t handle; ///< of the allocator
    int device;
    bool is_charged; ///< to the handle's pool
};
void note_device_block(const void *block, const DeviceBlock &device_block);
/// Nothing: it is not a device's own.
std::optional<DeviceBlock> device_block(const void *block);
/// Likewise; nothing is known of it afterwards.
std::optional<DeviceBlock> forget_device_block(const void *block);

} // namespace loomp::core
