// The waits of creators for their undeferred tasks, such as those with if(0).
#pragma once

#include <vector>

#include "profiler/build/draft.h"

namespace loomp::analysis {

/// Adds a wait for each undeferred task, from its creation to the end of its code, and the
/// creator's resumption then. The waits must have been paired. Returns the order among undeferred
/// tasks of one creator that the clauses of the later ones imply, for Trace::dependences.
std::vector<Dependence> add_waits_for_undeferred(Draft &draft);

} // namespace loomp::analysis
