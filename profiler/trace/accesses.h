// Computes dependences from depend clauses by OpenMP's rules: between siblings in order of
// creation, per location, even if the predecessor had completed by then.
//
// The accesses of siblings to a location fall into groups: readers (in), those of an inoutset,
// those of a mutexinoutset, or one writer (out, inout). Each member of a group comes after all of
// the group before; members of one group are not ordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Sorts by creating task, then by creation, then by location.
void sort_accesses(const Trace &trace, std::vector<Access> &accesses);
/// Calls `visit(first, access)` for each task's accesses to one location, merged into the
/// strongest; two different ones make a writer. `accesses` are sorted; `first` is the position of
/// the first one.
template <class Visit> void visit_merged(std::span<const Access> accesses, Visit visit) {
    for (std::size_t i = 0; i < accesses.size();) {
        const std::size_t first = i;
        Access merged = accesses[i++];
        for (; i < accesses.size() && accesses[i].task == merged.task &&
               accesses[i].location == merged.location &&
               accesses[first].kind != AccessKind::all_memory &&
               accesses[i].kind != AccessKind::all_memory;
             ++i)
            if (accesses[i].kind != merged.kind)
                merged.kind = AccessKind::inout;
        visit(first, merged);
    }
}
/// The dependences that the trace's accesses imply, sorted by successor and predecessor, without
/// duplicates. `inoutsets` are positions of accesses, ascending, that count as an inoutset each.
std::vector<Dependence> find_dependences(const Trace &trace, std::span<const Index> inoutsets = {});
/// Sorts the trace's accesses, adds their dependences to those of the trace, and finds its
/// exclusions. Tasks must have their parents and times of creation.
void add_dependences(Trace &trace);

} // namespace loomp::analysis
