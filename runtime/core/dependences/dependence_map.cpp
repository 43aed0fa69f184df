#include "runtime/core/dependences/dependence_map.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "platform/diagnostics.h"
#include "platform/pages.h"
#include "runtime/core/dependences/exclusion.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/persistent/persistent.h"

extern "C" {
// LeakSanitizer, if the program has it: what mapped pages point to is in use.
__attribute__((weak)) void __lsan_register_root_region(const void *begin, size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *begin, size_t size);
}

namespace loomp::core {

// --- Memory of tables --------------------------------------------------------------------------

namespace {

constexpr std::size_t kFirstEntries = 64;
/// Tables of so many bytes forget, if memory is not short before. Smaller ones keep their
/// addresses: most programs name the same ones again.
constexpr std::size_t kForgetting = std::size_t{1} << 20;

/// Tables of so many bytes are pages of their own, which grow without being copied, and count as
/// tasks' memory.
constexpr std::size_t kMapped = std::size_t{64} << 10;

/// Registers a new table and returns it; the program ends if it is null: there is no memory for it.
void *checked_mapping(void *table, std::size_t size) {
    checked_for_dependences(table);
    if (__lsan_register_root_region != nullptr)
        __lsan_register_root_region(table, size);
    return table;
}

/// Called before a table's pages are freed or moved.
void end_mapping(void *table, std::size_t size) {
    if (__lsan_unregister_root_region != nullptr)
        __lsan_unregister_root_region(table, size);
}

void *make_table(std::size_t size) {
    if (size < kMapped)
        return std::memset(checked_for_dependences(std::aligned_alloc(kCacheLine, size)), 0, size);
    return checked_mapping(map_pages(size), size);
}

void free_table(void *table, std::size_t size) {
    if (size < kMapped) {
        std::free(table);
        return;
    }
    end_mapping(table, size);
    unmap_pages(table, size);
    take_from_tasks(size);
}

/// Twice as large, what is added being zero.
void *double_table(void *table, std::size_t size) {
    if (size >= kMapped) {
        end_mapping(table, size);
        return checked_mapping(grow_pages(table, size, 2 * size), 2 * size);
    }
    void *larger = make_table(2 * size);
    std::memcpy(larger, table, size);
    std::free(table);
    return larger;
}

/// The bytes that count as tasks' memory when a table of `size` bytes doubles.
std::size_t added_by_doubling(std::size_t size) {
    return size >= kMapped ? size : 2 * size >= kMapped ? 2 * size : 0;
}

} // namespace

// --- DependenceMap ---------------------------------------------------------------------------

DependenceMap::DependenceMap()
    : entries_(static_cast<Entry *>(make_table(kFirstEntries * sizeof(Entry)))),
      mask_(kFirstEntries - 1), shift_(64 - std::bit_width(kFirstEntries - 1)) {}

DependenceMap::~DependenceMap() {
    if (persistent != nullptr)
        delete_graphs(persistent);
    const std::size_t size = mask_ + 1;
    for (std::size_t i = 0; i < size; ++i) {
        entries_[i].current.free_storage();
        entries_[i].previous.free_storage();
        if (exclusions_ != nullptr && exclusions_[i] != nullptr)
            exclusions_[i]->drop();
    }
    all_memory.free_storage();
    free_table(entries_, size * sizeof(Entry));
    if (exclusions_ != nullptr)
        free_table(exclusions_, size * sizeof(Exclusion *));
}

void DependenceMap::clear() {
    used_ = 0;
    all_memory.clear();
    next_generation();
}

/// All entries are free afterwards.
void DependenceMap::next_generation() {
    if (LOOMP_LIKELY(++generation_ != 0))
        return;
    // Entries of early generations would look alive. Those of the last one are those of the first
    // from now on.
    for (std::size_t i = 0; i <= mask_; ++i)
        entries_[i].generation = entries_[i].generation == 0xffff ? 1 : 0;
    generation_ = 2;
}

void DependenceMap::restart_link_numbers() {
    for_each([](Entry &entry) { entry.seen_by = 0; });
    link_number_ = 1;
}

DependenceMap::Entry &DependenceMap::find_slow(const void *address) {
    for (std::size_t i = home_of(address);; i = (i + 1) & mask_) {
        Entry &entry = entries_[i];
        if (entry.generation != generation_) {
            if (LOOMP_UNLIKELY(used_ * 2 >= mask_)) {
                make_room();
                return find_slow(address);
            }
            ++used_;
            entry.address = address;
            entry.generation = generation_;
            entry.kind = Access::none;
            entry.seen_by = 0;
            entry.current.clear();
            entry.previous.clear();
            if (LOOMP_UNLIKELY(!all_memory.empty())) {
                entry.current.set(*all_memory.begin());
                entry.kind = Access::inout;
            }
            return entry;
        }
        if (LOOMP_LIKELY(entry.address == address))
            return entry;
    }
}

bool DependenceMap::names_completed_only(Entry &entry) const {
    // The task that is being linked may have noted here what it will do
    // (runtime/core/scheduling/transparent.cpp).
    if (entry.seen_by == link_number_)
        return false;
    return entry.current.forget_completed_last() && entry.previous.forget_completed_last();
}

/// Returns how many entries were given up.
std::size_t DependenceMap::forget_completed() {
    const std::size_t before = used_;
    all_memory.forget_completed_last();
    for_each([this](Entry &entry) {
        if (!names_completed_only(entry))
            return;
        entry.current.free_storage();
        entry.previous.free_storage();
        entry.generation = 0;
        --used_;
    });
    return before - used_;
}

void DependenceMap::make_room() {
    const std::size_t size = (mask_ + 1) * sizeof(Entry);
    const bool affordable = fits_task_budget(added_by_doubling(size));
    if (affordable && size < kForgetting) {
        grow();
    } else {
        const std::size_t before = used_;
        const std::size_t forgotten = forget_completed();
        // With too little memory for tasks their creator is throttled soon, and many complete: less
        // will do until then.
        if (forgotten < before / 2 && !affordable)
            Worker::current()->task_blocks.note_over_budget();
        if (forgotten < before / (affordable ? 2 : 16))
            grow();
    }
    rehash();
}

void DependenceMap::grow() {
    const std::size_t size = mask_ + 1;
    const auto doubled = [size](void *table, std::size_t each) {
        if (const std::size_t added = added_by_doubling(size * each); added != 0)
            (void)reserve_for_tasks(added);
        return double_table(table, size * each);
    };
    entries_ = static_cast<Entry *>(doubled(entries_, sizeof(Entry)));
    if (exclusions_ != nullptr)
        exclusions_ = static_cast<Exclusion **>(doubled(exclusions_, sizeof(Exclusion *)));
    mask_ = 2 * size - 1;
    shift_ -= 1;
}

/// Puts each entry in its place, in the table as it is. Those of the generation before have none
/// yet; one that is in the way of another takes its turn.
void DependenceMap::rehash() {
    next_generation();
    const std::uint16_t before = static_cast<std::uint16_t>(generation_ - 1);
    for (std::size_t i = 0; i <= mask_; ++i) {
        while (entries_[i].generation == before) {
            std::size_t slot = home_of(entries_[i].address);
            while (entries_[slot].generation == generation_)
                slot = (slot + 1) & mask_;
            swap_slots(i, slot);
            entries_[slot].generation = generation_;
        }
    }
}

void DependenceMap::swap_slots(std::size_t a, std::size_t b) {
    alignas(Entry) char entry[sizeof(Entry)];
    std::memcpy(entry, static_cast<void *>(&entries_[a]), sizeof entry);
    std::memcpy(static_cast<void *>(&entries_[a]), static_cast<void *>(&entries_[b]), sizeof entry);
    std::memcpy(static_cast<void *>(&entries_[b]), entry, sizeof entry);
    if (exclusions_ != nullptr)
        std::swap(exclusions_[a], exclusions_[b]);
}

Exclusion &DependenceMap::exclusion_at(const Entry &entry, bool fresh) {
    if (LOOMP_UNLIKELY(exclusions_ == nullptr)) {
        const std::size_t size = (mask_ + 1) * sizeof(Exclusion *);
        if (size >= kMapped)
            (void)reserve_for_tasks(size);
        exclusions_ = static_cast<Exclusion **>(make_table(size));
    }
    Exclusion *&exclusion = exclusions_[&entry - entries_];
    if (exclusion == nullptr) {
        exclusion = new Exclusion;
    } else if (fresh && !exclusion->is_unshared()) {
        exclusion->drop();
        exclusion = new Exclusion;
    }
    return *exclusion;
}

} // namespace loomp::core
