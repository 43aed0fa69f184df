// From depend clauses to dependences, as OpenMP defines them: between siblings, in the order of
// their creation, location by location, whether or not the predecessor had completed by then.
//
// The accesses of siblings to a location fall into groups: readers (in), those of an inoutset,
// those of a mutexinoutset, or one writer (out, inout). Each member of a group comes after all of
// the group before; members of one group are not ordered.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// By who created the tasks, then as they were created, then by location.
void sort_accesses(const Trace &trace, std::vector<Access> &accesses);
/// A task's accesses to one location, which are neighbours, become the strongest of them: any two
/// that differ make it a writer.
void merge_accesses(std::vector<Access> &accesses);
/// What `accesses` imply, sorted by successor and predecessor, each once. Tasks must have their
/// parents and times of creation.
std::vector<Dependence> find_dependences(const Trace &trace, std::vector<Access> accesses);
/// Adds them to those that the trace has.
void add_dependences(Trace &trace, std::vector<Access> accesses);

} // namespace loomp::analysis
