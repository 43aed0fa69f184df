// The table of addresses with which graph_builder.cpp plans a graph: a DependenceMap that names
// nodes by number, in a third of the memory. Owner: the planner, one thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "platform/common.h"
#include "platform/diagnostics.h"
#include "runtime/core/dependences/dependence.h"
#include "runtime/core/memory/address_hash.h"
#include "runtime/core/memory/growing_array.h"

namespace loomp::core {

/// A node of a planned graph, and the pass in which it was met.
struct NodeRef {
    std::uint32_t node : 31;
    std::uint32_t second : 1;
};

/// A set of nodes, as TaskSet is one of tasks. Up to three nodes need no memory of their own.
/// Copied as bytes.
class NodeSet {
  public:
    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const NodeRef *begin() const { return many_ ? list() : few_; }
    const NodeRef *end() const { return begin() + size_; }
    bool is_one_inline() const { return size_ == 1 && many_ == 0; }
    const NodeRef &one() const { return few_[0]; }

    LOOMP_INLINE void add(NodeRef ref) {
        if (LOOMP_LIKELY(many_ == 0 && size_ < kFew))
            few_[size_] = ref;
        else
            room_for_one()[size_] = ref;
        ++size_;
    }
    LOOMP_INLINE void set(NodeRef ref) {
        clear();
        few_[0] = ref;
        size_ = 1;
    }
    LOOMP_INLINE void clear() {
        if (LOOMP_UNLIKELY(many_ != 0))
            std::free(list());
        size_ = 0;
        many_ = 0;
    }
    void swap(NodeSet &other) { std::swap(*this, other); }

  private:
    static constexpr std::uint32_t kFew = 3;

    NodeRef *list() const {
        NodeRef *list = nullptr;
        std::memcpy(&list, few_, sizeof(NodeRef *)); // NOLINT(bugprone-sizeof-expression)
        return list;
    }
    /// The list has room for a power of two, so its size shows when it is full.
    LOOMP_NOINLINE NodeRef *room_for_one() {
        NodeRef *old = many_ ? list() : nullptr;
        if (old != nullptr && !std::has_single_bit(static_cast<std::uint32_t>(size_)))
            return old;
        const std::size_t room = old == nullptr ? kFew + 1 : std::size_t{2} * size_;
        auto *list = static_cast<NodeRef *>(std::realloc(old, room * sizeof(NodeRef)));
        if (list == nullptr)
            fatal("out of memory for a persistent graph");
        if (old == nullptr)
            std::memcpy(list, few_, size_ * sizeof(NodeRef));
        std::memcpy(few_, &list, sizeof(NodeRef *)); // NOLINT(bugprone-sizeof-expression)
        many_ = 1;
        return list;
    }

    NodeRef few_[kFew]; ///< many_: the list's address
    std::uint32_t size_ : 31 = 0;
    std::uint32_t many_ : 1 = 0;
};
static_assert(sizeof(NodeSet) == 16);

/// The entries are in the order in which addresses were first named, so neighbours are near each
/// other; an index finds them by open addressing with linear probing, at most half full.
class PlanTable {
  public:
    struct Entry {
        const void *address;
        std::uint32_t seen_by; ///< link number of the last node that named the address
        Access kind;
        Access seen;
        NodeSet current;
        NodeSet previous;
    };

    PlanTable() { index_.make(kFirst); }
    ~PlanTable() { forget(); }
    PlanTable(const PlanTable &) = delete;
    PlanTable &operator=(const PlanTable &) = delete;

    LOOMP_INLINE void prefetch(const void *address) const {
        prefetch_for_write(&index_[home_of(address)]);
    }
    /// The entry is valid until the next call.
    LOOMP_INLINE Entry &find(const void *address) {
        for (std::size_t i = home_of(address);; i = next(i)) {
            const std::uint32_t number = index_[i];
            if (LOOMP_UNLIKELY(number == 0))
                return add(i, address);
            if (LOOMP_LIKELY(entries_[number - 1].address == address))
                return entries_[number - 1];
        }
    }
    template <class F> void for_each(F f) {
        for (Entry &entry : entries_)
            f(entry);
    }
    /// Costs as much as the entries since the last clear(), because a large index becomes small.
    void clear() {
        forget();
        entries_ = {};
        index_ = {};
        index_.make(kFirst);
    }
    std::uint32_t next_link_number() { return ++link_number_; }

    NodeSet all_memory;

  private:
    static constexpr std::size_t kFirst = 64;

    std::size_t home_of(const void *address) const {
        return (hash_address(address) >> 32) & (index_.size() - 1);
    }
    std::size_t next(std::size_t i) const { return (i + 1) & (index_.size() - 1); }
    void forget() {
        for_each([](Entry &entry) {
            entry.current.clear();
            entry.previous.clear();
        });
        all_memory.clear();
    }
    LOOMP_NOINLINE Entry &add(std::size_t at, const void *address) {
        if (LOOMP_UNLIKELY(2 * entries_.size() >= index_.size())) {
            enlarge_index();
            return find(address);
        }
        Entry entry = {};
        entry.address = address;
        if (LOOMP_UNLIKELY(!all_memory.empty())) {
            entry.current.set(*all_memory.begin());
            entry.kind = Access::inout;
        }
        entries_.push_back(entry);
        index_[at] = static_cast<std::uint32_t>(entries_.size());
        return entries_[entries_.size() - 1];
    }
    LOOMP_COLD void enlarge_index() {
        const std::size_t size = 4 * index_.size();
        index_ = {};
        index_.make(size);
        for (std::uint32_t number = 1; number <= entries_.size(); ++number) {
            std::size_t i = home_of(entries_[number - 1].address);
            while (index_[i] != 0)
                i = next(i);
            index_[i] = number;
        }
    }

    GrowingArray<std::uint32_t> index_; ///< the number of an entry, plus 1; 0: free
    GrowingArray<Entry> entries_;
    std::uint32_t link_number_ = 0;
};
static_assert(sizeof(PlanTable::Entry) == 48);

} // namespace loomp::core
