#include "core/memory/driver_memory.h"

#include <atomic>

#include "core/base/address_hash.h"
#include "core/base/locks_at_fork.h"
#include "core/base/spinlock.h"

namespace loomp::core {

namespace {

std::atomic<const Drivers *> known{nullptr};

/// A block in the table, in the list of its bucket.
struct Entry {
    const void *block;
    DeviceBlock of;
    Entry *next;
};
constexpr std::size_t kBuckets = 1024;
SpinLock lock; ///< of the buckets
Entry *buckets[kBuckets];
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lock); });
/// Entries. Relaxed: who has a block's address has been told of it after the block was noted.
std::atomic<std::size_t> count{0};

/// Where the block's entry hangs, or a null link; with the lock held.
Entry **link_of(const void *block) {
    Entry **link = &buckets[hash_address(block) % kBuckets];
    while (*link != nullptr && (*link)->block != block)
        link = &(*link)->next;
    return link;
}

} // namespace

void set_drivers(const Drivers &drivers) {
    known.store(&drivers, std::memory_order_release); // the functions' own state
}

const Drivers *drivers() { return known.load(std::memory_order_acquire); }

void note_device_block(const void *block, const DeviceBlock &of) {
    auto *entry = new Entry{block, of, nullptr};
    const SpinGuard guard(lock);
    *link_of(block) = entry;
    count.fetch_add(1, std::memory_order_relaxed);
}

std::optional<DeviceBlock> device_block(const void *block) {
    if (count.load(std::memory_order_relaxed) == 0)
        return std::nullopt;
    const SpinGuard guard(lock);
    const Entry *entry = *link_of(block);
    return entry != nullptr ? std::optional(entry->of) : std::nullopt;
}

std::optional<DeviceBlock> forget_device_block(const void *block) {
    if (count.load(std::memory_order_relaxed) == 0)
        return std::nullopt;
    Entry *entry = nullptr;
    {
        const SpinGuard guard(lock);
        Entry **link = link_of(block);
        entry = *link;
        if (entry == nullptr)
            return std::nullopt;
        *link = entry->next;
        count.fetch_sub(1, std::memory_order_relaxed);
    }
    const DeviceBlock of = entry->of;
    delete entry;
    return of;
}

} // namespace loomp::core
