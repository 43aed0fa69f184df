// How far a run is, and what it knows of its past: with the patches' values, all that it takes to
// continue. It is the same on all ranks.
#pragma once

#include "enclave/measure.h"

#include <vector>

namespace enclave {

struct State {
    double time = 0;
    int steps = 0;
    double speed = 0;   // the speed of the fastest signal now; infinite: a value is not a number
    double fastest = 0; // at any time
    double shortest_step = 0; // the last one, which ends with the run, apart
    double range_before = 0;  // the range of the observed unknown, at the start
    std::vector<Total> before;
};

} // namespace enclave
