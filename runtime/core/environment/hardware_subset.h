// A part of the machine by counts, in KMP_HW_SUBSET's syntax. "2s,4c@1,1t" means two sockets, four
// cores of each after the first core, and one thread of each core. The functions are pure: they
// depend neither on this machine nor on its settings.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/environment/topology.h"

namespace loomp::core {

/// Selects `count` objects of a kind, after the first `offset` ones, in each object around them.
struct SubsetLayer {
    MachineLevel kind = MachineLevel::thread;
    int count = 0; ///< 0: all
    int offset = 0;
};

/// From the outermost layer to the innermost, each kind at most once.
using HardwareSubset = std::vector<SubsetLayer>;

/// Parses [:]<count or *><kind>[@<offset>], ... Without the colon, unnamed sockets, cores and
/// threads count in full: "2c" is two cores of each socket; ":2c" is two of the machine. Returns
/// false with the error in `why`.
bool parse_hardware_subset(const std::string &text, HardwareSubset &subset, std::string &why);

/// Returns the processors of `usable` that are in the subset, ascending. `locations` has one entry
/// for each of them. Returns none, and the reason in `why`, if there are fewer objects of a kind
/// than requested.
std::vector<int> choose_processors(const HardwareSubset &subset, const std::vector<int> &usable,
                                   const std::vector<Location> &locations, std::string &why);

/// The subset that limits the process (topology.h: keep_processors()), as the user wrote it; empty:
/// the whole machine. Written while settings are read.
std::string &hardware_subset_in_force();

} // namespace loomp::core
