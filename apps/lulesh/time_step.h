// How long the next time step may be.
#pragma once

#include "lulesh/domain.h"

namespace lulesh {

// No constraint.
constexpr double kUnconstrained = 1e20;

// The least over places in the lists of regions: a time that sound needs through an element, and
// one in which an element's volume changes by a tenth.
double courant_time(const Domain &domain, Range places);
double expansion_time(const Domain &domain, Range places);

// The next step, from the least times of all elements of all ranks: one of the constrained length,
// but near to the step before, and so that the last one ends at kEndTime.
TimeStep next_step(const TimeStep &step, double constraint);
// Returns what the two times of a rank allow, to be the least of all ranks'.
double constraint(double courant, double expansion);

inline bool ended(const TimeStep &step) { return !(step.time < kEndTime); }
// Whether step number `cycle` comes, whatever the mesh does after `step`; false if that cannot be
// said yet.
bool certain_to_come(const TimeStep &step, int cycle);

} // namespace lulesh
