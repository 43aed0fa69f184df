// Lines on stderr that say why a run cannot go on, by the rank that knows.
#pragma once

#include "enclave/domain.h"
#include "enclave/state.h"

namespace enclave {

// A volume with a value that is none, and of which unknown; in the first of all patches that have
// one. All ranks call it.
void tell_of_not_a_number(const Domain &domain, double time);
void tell_of_vanishing_step(const Problem &problem, const State &state, double length);

} // namespace enclave
