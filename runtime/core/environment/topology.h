// The machine: the processors this process may use, how they share cores, caches, memory and
// sockets, and the places made of them.
//
// The processors are read from the kernel at start. hwloc is asked once, when something needs to
// know how they are related (abstract places, binding, distances, `loomp info`): loading it takes
// several times longer than starting a program.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/environment/places.h"

namespace loomp::core {

/// Number of processors the process could use when the runtime started, or its share of them
/// (take_share()); at least 1.
unsigned available_processors();
/// How many of them its control groups' quotas let it use at a time; at least 1. More threads would
/// be stopped all at once when the quota of a period is used up.
unsigned usable_processors();
/// Their OS numbers, ascending.
const std::vector<int> &available_processor_ids();
/// Makes the part-th of `parts` shares of them all that are available from now on; returns them. To
/// be called before anybody has asked for places, and by one thread.
const std::vector<int> &take_share(int part, int parts);
/// Narrows them to `chosen`, and the calling thread with them, which those it makes inherit. To be
/// called before anybody has asked for places, and by one thread.
void keep_processors(const std::vector<int> &chosen);
/// Those that the process could use when the runtime started, whatever has been kept since.
const std::vector<int> &first_processor_ids();
/// The processors that the calling thread is bound to now.
std::vector<int> current_processor_ids();

/// The resources that processors share: equal numbers mean the same core, cache...
struct Location {
    int core = -1;
    int ll_cache = -1;
    int numa_domain = -1;
    int socket = -1;
};

/// Asks hwloc where each of the processors `ids` is, one each. What the machine, or the absence of
/// hwloc, leaves unknown stays -1; a processor of unknown core is a core of its own.
std::vector<Location> read_locations(const std::vector<int> &ids);
/// The nearest level that two processors share, `core` or further.
MachineLevel distance(const Location &a, const Location &b);
/// Of an OS number; all unknown if the process cannot use that processor.
Location location_of(int processor);
/// The number of what the processor shares at a level between thread and machine.
int object_at(const Location &location, MachineLevel level);

/// Processors of `usable` that share an object of that level, in the order of their first.
/// `locations` belong to the processors of `usable`, one each.
std::vector<Place> group_processors(MachineLevel level, const std::vector<int> &usable,
                                    const std::vector<Location> &locations);

/// The part-th of `parts` shares of `usable`, no more than there are: near ones together, cores
/// undivided where there are enough of them, shares of the same size but for one. Ascending.
std::vector<int> share_of(int part, int parts, const std::vector<int> &usable,
                          const std::vector<Location> &locations);

/// The places a valid specification stands for on this machine; none if it names no processor that
/// the process may use. `why` then says so, or which were left out.
std::vector<Place> resolve_places(const PlacesSpec &spec, std::string &why);

/// The place list: OMP_PLACES, or one place a core when binding was asked for without places;
/// empty when neither was.
const std::vector<Place> &places();

/// Binds the calling thread to the processors of a place. False if the kernel refuses.
bool bind_current_thread(const Place &place);

/// Text of `loomp info`: the machine in one line.
std::string describe_machine();

} // namespace loomp::core
