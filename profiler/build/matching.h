// Repeats MPI's matching of sends with receives and of the ranks' collectives, from each rank's own
// requests.
//
// MPI's messages between two processes do not overtake each other: of all sends with one envelope
// (source, destination, communicator, tag), the n-th started meets the n-th started receive that
// turned out to have this envelope. A receive whose completion is not recorded, such as a freed
// one, counts if its envelope is certain. If it is not, messages that it may have received stay
// unmatched. The n-th collective of a communicator matches the n-th on each
// of its ranks.
//
// If ranks were not recorded all the time (Trace::unrecorded), requests between two gaps of one
// rank match requests between the same gaps of the other. Counting is valid only if nothing can be
// missing: from the run's beginning, or from its end if both ranks reached MPI_Finalize. Otherwise
// both sides must have equally many, and none may be received before it is sent. All others stay
// unmatched.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Fills `messages` and `collectives` from `requests`, and reports unmatched sends and receives.
void match(Trace &trace);

} // namespace loomp::analysis
