// Which send met which receive, and which ranks' collectives are one: MPI's matching, done again
// from what each rank knows of its own requests.
//
// MPI's messages between two processes do not overtake each other: of all sends with one envelope
// (source, destination, communicator, tag), the n-th started meets the n-th started receive that
// turned out to have this envelope. The n-th collective of a communicator is the same one on all
// its ranks.
//
// Where ranks were not recorded all the time (Trace::unrecorded), what is between two gaps of one
// rank belongs to what is between the same gaps of the other. There the n-th is the n-th only if
// nothing can be missing before: from the run's beginning on; or counted from its end, if both
// ranks came to MPI_Finalize; or else if both sides have equally many, and none is received before
// it is sent. All others stay alone.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Fills `messages` and `collectives` from `requests`, and reports sends and receives left alone.
void match(Trace &trace);

} // namespace loomp::analysis
