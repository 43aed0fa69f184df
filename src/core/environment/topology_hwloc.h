// The only part of the core that knows hwloc. The library is opened when it is first needed: it and
// what it needs would cost every program a fifth of its start, and most never ask.
#pragma once

#include <vector>

#include "core/environment/topology.h"

namespace loomp::core {

/// Where each of the processors `ids` is, one each. What the machine, or the absence of hwloc,
/// leaves unknown stays -1; a processor of unknown core is a core of its own.
std::vector<Location> read_locations(const std::vector<int> &ids);

} // namespace loomp::core
