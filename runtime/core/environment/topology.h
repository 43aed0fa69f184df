// The machine: the processors that this process may use, how they share cores, caches, memory and
// sockets, and the places made of them.
//
// The start reads the processors from the kernel. hwloc is asked once, when relations of processors
// are needed (abstract places, binding, distances, `loomp info`). Loading hwloc takes several times
// longer than starting a program.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/environment/places.h"

namespace loomp::core {

/// Returns the number of processors that the process could use when the runtime started, or its
/// share of them (take_share()); at least 1.
unsigned available_processors();
/// Returns how many of them the calling thread may use now, unless loomp binds threads: then all.
/// It may be called at any time, also in a signal handler.
unsigned processors_now();
/// Returns how many of them the quotas of the control groups allow at a time; at least 1. The
/// kernel would stop additional threads together when a period's quota is used up.
unsigned usable_processors();
/// Returns their OS numbers, ascending.
const std::vector<int> &available_processor_ids();
/// Limits the available processors to the part-th of `parts` shares; returns them. One thread calls
/// it before any use of places.
const std::vector<int> &take_share(int part, int parts);
/// Limits the available processors, and those of the calling thread, to `chosen`; new threads
/// inherit this. One thread calls it before any use of places.
void keep_processors(const std::vector<int> &chosen);
/// Returns the processors that the process could use when the runtime started, even after later
/// limits.
const std::vector<int> &first_processor_ids();
/// The processors that the calling thread is bound to now.
std::vector<int> current_processor_ids();

/// The objects that processors share: equal numbers mean the same core, cache...
struct Location {
    int core = -1;
    int ll_cache = -1;
    int numa_domain = -1;
    int socket = -1;
};

/// Returns hwloc's location of each of the processors `ids`. Unknown objects stay -1, and so does
/// everything without hwloc. A processor of an unknown core gets its own core.
std::vector<Location> read_locations(const std::vector<int> &ids);
/// Returns the nearest level that two processors share, `core` or further.
MachineLevel distance(const Location &a, const Location &b);
/// Returns the location of an OS number; all unknown if the process cannot use that processor.
Location location_of(int processor);
/// Returns the number of the processor's object at a level between thread and machine.
int object_at(const Location &location, MachineLevel level);

/// Groups the processors of `usable` that share an object of that level, in the order of their
/// first. `locations` has one entry for each processor of `usable`.
std::vector<Place> group_processors(MachineLevel level, const std::vector<int> &usable,
                                    const std::vector<Location> &locations);

/// Returns the part-th of `parts` shares of `usable`, ascending; `parts` is at most their number.
/// Near processors stay together, cores are undivided if there are enough of them, and sizes differ
/// by at most one.
std::vector<int> share_of(int part, int parts, const std::vector<int> &usable,
                          const std::vector<Location> &locations);

/// Returns the places of a valid specification on this machine; none if it names no usable
/// processor. `why` then reports that, or which processors were left out.
std::vector<Place> resolve_places(const PlacesSpec &spec, std::string &why);

/// Returns the place list: OMP_PLACES, or one place per core if binding was requested without
/// places; empty if neither was requested.
const std::vector<Place> &places();

/// Binds the calling thread to the processors of a place. Returns false if the kernel refuses.
bool bind_current_thread(const Place &place);

/// Returns one line about the machine, for `loomp info`.
std::string describe_machine();

} // namespace loomp::core
