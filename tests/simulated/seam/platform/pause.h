// The pause in a loop that waits: on the simulated machine the other threads run first.
#pragma once

#include "tests/simulated/machine.h"

namespace loomp::core {

inline void cpu_relax() { simulated::pause(); }

} // namespace loomp::core
