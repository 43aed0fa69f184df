#include "runtime/core/dependences/dependence_set.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <new>
#include <utility>

#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/memory/address_hash.h"

namespace loomp::core {

namespace {

/// A set of at most this capacity is searched item by item.
constexpr std::size_t kSearched = 8;
/// Positions have 32 bits, with room for the table's.
constexpr std::size_t kMost = std::size_t{1} << 31;

SpinLock free_lock; ///< guards the list
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(free_lock); });
DependenceSet *first_free = nullptr;

[[noreturn]] void out_of_memory(std::size_t count) {
    fatal("out of memory: a set of %zu dependences", count);
}

/// Tells of most indices of a list that their tile was added before.
class RecentTiles {
  public:
    RecentTiles(std::int64_t first, std::uint64_t tile) : tile_(tile) {
        std::fill(std::begin(first_), std::end(first_), static_cast<std::uint64_t>(first));
    }
    bool have(std::int64_t index) const {
        bool found = false;
        for (const std::uint64_t first : first_)
            found |= static_cast<std::uint64_t>(index) - first < tile_;
        return found;
    }
    void note(std::int64_t first) {
        first_[next_++ % std::size(first_)] = static_cast<std::uint64_t>(first);
    }

  private:
    std::uint64_t tile_;
    std::uint64_t first_[4]; ///< their first indices
    unsigned next_ = 0;
};

/// First indices of tiles, for one size of them.
class Tiling {
  public:
    explicit Tiling(std::size_t tile)
        : tile_(static_cast<std::int64_t>(tile)),
          shift_(std::has_single_bit(tile) ? std::countr_zero(tile) : -1) {}
    std::int64_t first_of(std::int64_t index) const {
        if (shift_ >= 0)
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(index) >> shift_ << shift_);
        const std::int64_t rest = index % tile_;
        // Unsigned: of the least indices it may lie below all numbers.
        return static_cast<std::int64_t>(
            static_cast<std::uint64_t>(index) -
            static_cast<std::uint64_t>(rest < 0 ? rest + tile_ : rest));
    }

  private:
    std::int64_t tile_;
    int shift_; ///< the exponent of a power of two, otherwise -1
};

} // namespace

DependenceSet &DependenceSet::make() {
    DependenceSet *set = nullptr;
    {
        const SpinGuard guard(free_lock);
        set = first_free;
        if (set != nullptr)
            first_free = std::exchange(set->next_free_, nullptr);
    }
    if (set == nullptr) {
        void *memory = std::malloc(sizeof(DependenceSet));
        if (memory == nullptr)
            out_of_memory(0);
        set = new (memory) DependenceSet;
    }
    set->word_.fetch_add(static_cast<std::uint32_t>(State::filled), std::memory_order_release);
    return *set;
}

bool DependenceSet::try_change() {
    std::uint32_t word = word_.load(std::memory_order_relaxed);
    // acquire: the changes before.
    return is_usable(word) &&
           word_.compare_exchange_strong(word, word + 1, std::memory_order_acquire,
                                         std::memory_order_relaxed);
}

void DependenceSet::end_change() { word_.fetch_add(kChange - 1, std::memory_order_release); }

void DependenceSet::release() {
    std::free(items_);
    std::free(slots_);
    items_ = nullptr;
    slots_ = nullptr;
    size_ = capacity_ = 0;
    last_ = 0;
    word_.fetch_add(kChange - static_cast<std::uint32_t>(State::changing),
                    std::memory_order_release);
    const SpinGuard guard(free_lock);
    next_free_ = first_free;
    first_free = this;
}

void DependenceSet::reserve(std::size_t count) {
    if (count <= capacity_)
        return;
    if (count > kMost)
        out_of_memory(count);
    const std::size_t capacity = std::bit_ceil(std::max(count, kSearched));
    void *items = std::realloc(items_, capacity * sizeof(Dependence));
    if (items == nullptr)
        out_of_memory(count);
    items_ = static_cast<Dependence *>(items);
    capacity_ = capacity;
    if (capacity > kSearched)
        make_index();
}

void DependenceSet::make_index() {
    const std::size_t slots = 2 * capacity_;
    std::free(slots_);
    slots_ = static_cast<std::uint32_t *>(std::calloc(slots, sizeof *slots_));
    if (slots_ == nullptr)
        out_of_memory(capacity_);
    shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
    for (std::size_t i = 0; i < size_; ++i)
        slot_of(items_[i].address) = static_cast<std::uint32_t>(i + 1);
}

/// Returns the slot that has the address, or the free one where it is to be stored.
std::uint32_t &DependenceSet::slot_of(const void *address) {
    const std::size_t mask = 2 * capacity_ - 1;
    std::size_t at = hash_address(address) >> shift_;
    while (slots_[at] != 0 && items_[slots_[at] - 1].address != address)
        at = (at + 1) & mask;
    return slots_[at];
}

void DependenceSet::append(const void *address, Access access) {
    last_ = static_cast<std::uint32_t>(size_);
    items_[size_++] = {address, access, false};
}

void DependenceSet::add_other(const void *address, Access access) {
    if (slots_ == nullptr) {
        Dependence *const end = items_ + size_;
        Dependence *found = std::find_if(
            items_, end, [&](const Dependence &item) { return item.address == address; });
        if (found != end) {
            last_ = static_cast<std::uint32_t>(found - items_);
            return merge(found->access, access);
        }
        reserve(size_ + 1);
        if (slots_ == nullptr)
            return append(address, access);
    } else if (LOOMP_UNLIKELY(size_ == capacity_)) {
        if (const std::uint32_t slot = slot_of(address); slot == 0)
            reserve(size_ + 1);
    }
    std::uint32_t &slot = slot_of(address);
    if (slot != 0) {
        last_ = slot - 1;
        return merge(items_[last_].access, access);
    }
    slot = static_cast<std::uint32_t>(size_ + 1);
    append(address, access);
}

void DependenceSet::add_array(const void *base, std::size_t count, std::size_t stride,
                              Access access) {
    if (count == 0)
        return;
    if (stride == 0)
        return add(base, access);
    if (size_ == 0) // all of them are different
        reserve(count);
    auto address = reinterpret_cast<std::uintptr_t>(base);
    for (std::size_t i = 0; i < count; ++i, address += stride)
        add(reinterpret_cast<const void *>(address), access);
}

template <class Index>
void DependenceSet::add_tiles(const void *base, std::size_t element_size, std::size_t tile,
                              const Index *indices, std::size_t count, Access access) {
    if (count == 0)
        return;
    const Tiling tiling(tile);
    const auto add_tile = [&](std::int64_t first) {
        add(reinterpret_cast<const void *>(reinterpret_cast<std::uintptr_t>(base) +
                                           static_cast<std::uint64_t>(first) * element_size),
            access);
    };
    std::int64_t first = tiling.first_of(indices[0]);
    add_tile(first);
    RecentTiles recent(first, tile);
    for (std::size_t i = 1; i < count; ++i) {
        const std::int64_t index = indices[i];
        if (recent.have(index))
            continue;
        first = tiling.first_of(index);
        recent.note(first);
        add_tile(first);
    }
}
template void DependenceSet::add_tiles(const void *, std::size_t, std::size_t, const std::int32_t *,
                                       std::size_t, Access);
template void DependenceSet::add_tiles(const void *, std::size_t, std::size_t, const std::int64_t *,
                                       std::size_t, Access);

} // namespace loomp::core
