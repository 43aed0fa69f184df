// A part of the machine by counts, as KMP_HW_SUBSET names it: "2s,4c@1,1t" is two sockets, of each
// four cores after the first one, of each core one thread. Pure functions: they know neither this
// machine nor its settings.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/environment/topology.h"

namespace loomp::core {

/// So many objects of a kind, after the first `offset` ones, of each object around them.
struct SubsetLayer {
    MachineLevel kind = MachineLevel::thread;
    int count = 0; ///< 0: all
    int offset = 0;
};

/// From the outermost layer to the innermost, each kind at most once.
using HardwareSubset = std::vector<SubsetLayer>;

/// Parses [:]<count or *><kind>[@<offset>], ... Without the colon, sockets, cores and threads that
/// are not named count in full: "2c" is two cores of each socket; ":2c", of the machine. False:
/// `why` says what is wrong.
bool parse_hardware_subset(const std::string &text, HardwareSubset &subset, std::string &why);

/// The processors of `usable` that are in the subset, ascending; `locations` belong to them, one
/// each. None, and `why`, where there are fewer objects of a kind than are asked for.
std::vector<int> choose_processors(const HardwareSubset &subset, const std::vector<int> &usable,
                                   const std::vector<Location> &locations, std::string &why);

/// What the process is kept to (topology.h: keep_processors()), as given; empty: the whole machine.
/// Written while settings are read.
std::string &hardware_subset_in_force();

} // namespace loomp::core
