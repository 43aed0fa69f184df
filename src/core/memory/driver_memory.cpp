#include "core/memory/driver_memory.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

namespace loomp::core {

namespace {

std::atomic<const Drivers *> known{nullptr};

std::mutex mutex; ///< of `blocks`
std::unordered_map<const void *, DeviceBlock> &blocks() {
    static auto *const table = new std::unordered_map<const void *, DeviceBlock>;
    return *table;
}
/// As many. Relaxed: who has a block's address has been told of it after the block was noted.
std::atomic<std::size_t> count{0};

} // namespace

void set_drivers(const Drivers &drivers) {
    known.store(&drivers, std::memory_order_release); // the functions' own state
}

const Drivers *drivers() { return known.load(std::memory_order_acquire); }

void note_device_block(const void *block, const DeviceBlock &of) {
    const std::lock_guard<std::mutex> lock(mutex);
    blocks().insert_or_assign(block, of);
    count.store(blocks().size(), std::memory_order_relaxed);
}

std::optional<DeviceBlock> device_block(const void *block) {
    if (count.load(std::memory_order_relaxed) == 0)
        return std::nullopt;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = blocks().find(block);
    return found == blocks().end() ? std::nullopt : std::optional(found->second);
}

std::optional<DeviceBlock> forget_device_block(const void *block) {
    const std::optional<DeviceBlock> found = device_block(block);
    if (found) {
        const std::lock_guard<std::mutex> lock(mutex);
        blocks().erase(block);
        count.store(blocks().size(), std::memory_order_relaxed);
    }
    return found;
}

} // namespace loomp::core
