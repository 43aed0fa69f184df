// The one rule of what an access orders (OpenMP 5.2, 15.9.5). Tasks get edges, accesses are entered
// without edges, and persistent graphs are planned by it. The sink decides what becomes of an
// order:
//
//   int after(const TaskSet &tasks)          the access comes after these; how many edges are made
//   int after(const TaskRef &task)           after this one
//   bool collapses(const TaskSet &tasks)     whether so many are to be collapsed into one node,
//   void collapse(TaskSet &tasks)            which this does
//   void named_again()                       the task has named the address before
//   Access begin(const Dependence &, std::size_t left)
//                                            how an item orders; `left`: items from it on
//   void entered(DependenceMap::Entry &, Access, bool fresh)
//                                            the access is in the entry; `fresh`: the first of its
//                                            kind after another
//
// The table is a DependenceMap, of tasks, or a PlanTable, of nodes. Thread safety: as the table's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/common.h"
#include "runtime/core/dependences/dependence_map.h"

namespace loomp::core {

/// A set of at least this many predecessors is collapsed into a redirect node when it becomes the
/// common predecessor of a set of successors: m + n edges instead of m * n.
inline constexpr std::uint32_t kRedirectThreshold = 4;

/// Enters `self` with one access. Accesses of one kind are unordered among each other, but for
/// `inout`; each comes after the last of another kind. Returns how many edges the sink made, as the
/// others do.
template <class Entry, class Ref, class Sink>
LOOMP_INLINE int enter_by_rule(Entry &entry, Access access, Ref self, Sink &sink) {
    if (access == Access::inout && LOOMP_LIKELY(entry.current.is_one_inline())) {
        // A writer after one task, most often another writer.
        const int made = sink.after(entry.current.one());
        entry.current.set(self);
        entry.kind = Access::inout;
        return made;
    }
    const bool is_set = access != Access::inout;
    if (is_set && entry.kind == access) {
        const int made = LOOMP_LIKELY(entry.previous.is_one_inline())
                             ? sink.after(entry.previous.one())
                             : sink.after(entry.previous);
        entry.current.add(self);
        return made;
    }
    if (is_set && LOOMP_UNLIKELY(entry.current.size() >= kRedirectThreshold) &&
        sink.collapses(entry.current))
        sink.collapse(entry.current);
    const int made = sink.after(entry.current);
    if (is_set)
        entry.previous.swap(entry.current);
    entry.current.set(self);
    entry.kind = access;
    return made;
}

/// Enters an access to omp_all_memory by the rule.
template <class Map, class Ref, class Sink>
LOOMP_NOINLINE int enter_all_by_rule(Map &map, Ref self, Sink &sink) {
    int made = sink.after(map.all_memory);
    map.for_each([&](const auto &entry) { made += sink.after(entry.current); });
    map.clear();
    map.all_memory.set(self);
    return made;
}

/// Enters all that a task's clauses name, an array of Dependence or like one. An address that they
/// name twice counts once, with the strongest access.
template <class Map, class Items, class Ref, class Sink>
LOOMP_INLINE int enter_all_named(Map &map, Items dependences, std::size_t count, Ref self,
                                 Sink &sink) {
    const std::uint32_t number = map.next_link_number();
    int made = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Dependence &dependence = dependences[i];
        if (LOOMP_UNLIKELY(dependence.all_memory)) {
            made += enter_all_by_rule(map, self, sink);
            continue;
        }
        const Access access = sink.begin(dependence, count - i);
        auto &entry = map.find(dependence.address);
        if (LOOMP_UNLIKELY(entry.seen_by == number)) {
            sink.named_again();
            if (access <= entry.seen)
                continue;
        }
        entry.seen_by = number;
        entry.seen = access;
        const bool fresh = entry.kind != access;
        made += enter_by_rule(entry, access, self, sink);
        sink.entered(entry, access, fresh);
    }
    return made;
}

} // namespace loomp::core
