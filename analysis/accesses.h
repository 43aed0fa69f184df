// From depend clauses to dependences, as OpenMP defines them: between siblings, in the order of
// their creation, location by location, whether or not the predecessor had completed by then.
//
// The accesses of siblings to a location fall into groups: readers (in), those of an inoutset,
// those of a mutexinoutset, or one writer (out, inout). Each member of a group comes after all of
// the group before; members of one group are not ordered.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/trace.h"

namespace loomp::analysis {

enum class AccessKind : std::uint8_t { in, inoutset, mutexinoutset, inout, all_memory };

struct Access {
    Index task;
    AccessKind kind;
    std::uint64_t location; ///< of all_memory: of no meaning
};

/// Adds what `accesses` imply to the dependences. Tasks must have their parents and times of
/// creation.
void add_dependences(Trace &trace, std::vector<Access> accesses);

} // namespace loomp::analysis
