// A set of dependences that a program fills once and names in many task constructs
// (include/loomp/dependences.h).
//
// Each address is in it once, in the order in which they were first added. Small sets are searched
// one by one, larger ones by a hash table of positions; what was added last is looked at first,
// since lists of indices name the same few tiles again and again.
//
// Memory of the objects is type-stable: a pointer to one that was freed may be read, and its word
// tells what it is.
//
// Thread safety: one thread fills it and nobody uses it meanwhile; then any number use it.
// Violations are mostly noticed (try_change(), begin_use(), end_use()), not prevented.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/dependences/dependence.h"

namespace loomp::core {

class DependenceSet {
  public:
    /// An empty one; until release().
    static DependenceSet &make();

    // -- Its state
    enum class State : std::uint32_t { freed, filled, changing };
    State state() const { return state_of(word_.load(std::memory_order_acquire)); }
    /// The caller may change it until end_change(); false: it is freed, or another changes it.
    bool try_change();
    void end_change();
    /// Gives its memory up, for another set; between try_change() and nothing.
    void release();
    /// Returns the word that end_use() needs; the set may be used if is_usable() of it.
    std::uint32_t begin_use() const { return word_.load(std::memory_order_acquire); }
    static bool is_usable(std::uint32_t word) { return state_of(word) == State::filled; }
    /// Whether nobody has changed it since.
    bool end_use(std::uint32_t word) const { return word_.load(std::memory_order_acquire) == word; }

    // -- Its content
    const Dependence *data() const { return items_; }
    std::size_t size() const { return size_; }
    void add(const void *address, Access access) {
        if (size_ != 0 && items_[last_].address == address)
            merge(items_[last_].access, access);
        else
            add_other(address, access);
    }
    void add_array(const void *base, std::size_t count, std::size_t stride, Access access);
    /// `tile` at least 1, and at most kLargestTile.
    template <class Index>
    void add_tiles(const void *base, std::size_t element_size, std::size_t tile,
                   const Index *indices, std::size_t count, Access access);
    static constexpr std::size_t kLargestTile = SIZE_MAX / 2;

    /// Returns the access that orders as both do. Two different kinds order each other, and only
    /// `inout` does that with both.
    static Access both(Access a, Access b) { return a == b ? a : Access::inout; }

  private:
    static State state_of(std::uint32_t word) { return static_cast<State>(word & kStateMask); }
    static void merge(Access &access, Access other) { access = both(access, other); }
    void add_other(const void *address, Access access);
    void append(const void *address, Access access);
    void reserve(std::size_t count);
    void make_index();
    std::uint32_t &slot_of(const void *address);

    static constexpr std::uint32_t kStateMask = 3;
    static constexpr std::uint32_t kChange = 4; ///< each change adds one

    /// State, and above it the number of changes, by which uses notice them.
    Atomic<std::uint32_t> word_{0};
    std::uint32_t last_ = 0; ///< position of what was added last
    Dependence *items_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::uint32_t *slots_ = nullptr; ///< positions and one, 0: none; null while the set is small
    unsigned shift_ = 0;             ///< a hash's high bits are its slot
    DependenceSet *next_free_ = nullptr;
};

} // namespace loomp::core
