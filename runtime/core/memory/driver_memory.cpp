#include "runtime/core/memory/driver_memory.h"

#include <unordered_map>

#include "platform/atomic.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"

namespace loomp::core {

namespace {

Atomic<const Drivers *> known{nullptr};

SpinLock lock; ///< guards the blocks
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lock); });
/// Never destroyed, because variables are freed at exit, too.
std::unordered_map<const void *, DeviceBlock> &blocks() {
    static auto &map = *new std::unordered_map<const void *, DeviceBlock>;
    return map;
}
/// Relaxed: a thread that has a block's address got it after the block was recorded.
Atomic<std::size_t> count{0};

} // namespace

void set_drivers(const Drivers &drivers) {
    known.store(&drivers, std::memory_order_release); // publishes the functions' own state
}

const Drivers *drivers() { return known.load(std::memory_order_acquire); }

void note_device_block(const void *block, const DeviceBlock &device_block) {
    const SpinGuard guard(lock);
    blocks().insert_or_assign(block, device_block);
    count.store(blocks().size(), std::memory_order_relaxed);
}

std::optional<DeviceBlock> device_block(const void *block) {
    if (count.load(std::memory_order_relaxed) == 0)
        return std::nullopt;
    const SpinGuard guard(lock);
    const auto found = blocks().find(block);
    return found != blocks().end() ? std::optional(found->second) : std::nullopt;
}

std::optional<DeviceBlock> forget_device_block(const void *block) {
    const std::optional<DeviceBlock> known = device_block(block);
    if (known) {
        const SpinGuard guard(lock);
        blocks().erase(block);
        count.store(blocks().size(), std::memory_order_relaxed);
    }
    return known;
}

} // namespace loomp::core
