// Computes dependences from depend clauses by OpenMP's rules: between siblings in order of
// creation, per location, even if the predecessor had completed by then.
//
// The accesses of siblings to a location fall into groups: readers (in), those of an inoutset,
// those of a mutexinoutset, or one writer (out, inout). Each member of a group comes after all of
// the group before; members of one group are not ordered.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Sorts by creating task, then by creation, then by location.
void sort_accesses(const Trace &trace, std::vector<Access> &accesses);
/// Merges a task's neighbouring accesses to one location into the strongest; two different ones
/// make a writer.
void merge_accesses(std::vector<Access> &accesses);
/// The dependences that `accesses` imply, sorted by successor and predecessor, without duplicates.
/// Tasks must have their parents and times of creation.
std::vector<Dependence> find_dependences(const Trace &trace, std::vector<Access> accesses);
/// Adds these dependences to those of the trace, and finds its exclusions.
void add_dependences(Trace &trace, std::vector<Access> accesses);

} // namespace loomp::analysis
