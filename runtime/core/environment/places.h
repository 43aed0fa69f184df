// Places: sets of processors that threads are bound to (OpenMP 5.2, 10.1.3 and 21.1.6), and which
// thread of a team goes where. Pure functions: they know neither this machine nor its settings.
#pragma once

#include <string>
#include <vector>

namespace loomp::core {

/// Values of omp_proc_bind_t.
enum class ProcBind : int { false_ = 0, true_ = 1, primary = 2, close = 3, spread = 4 };

/// A place: OS numbers of processors, ascending.
using Place = std::vector<int>;

/// The parts that processors can share, and how far apart two processors are. All but `machine` are
/// abstract names of OMP_PLACES.
enum class MachineLevel : int { thread, core, ll_cache, numa_domain, socket, machine };

/// A value of OMP_PLACES as parsed, before a machine is looked at.
struct PlacesSpec {
    bool is_abstract = false;
    MachineLevel kind = MachineLevel::thread;
    int count = 0;           ///< of an abstract name; 0: as many as there are
    std::vector<Place> list; ///< of an explicit list
};

/// Parses a value of OMP_PLACES. False: `why` says what is wrong.
bool parse_places(const std::string &text, PlacesSpec &spec, std::string &why);
/// Parses a value of GOMP_CPU_AFFINITY, such as "0 3 1-2 4-15:2": a place each.
bool parse_cpu_affinity(const std::string &text, PlacesSpec &spec, std::string &why);

/// Leaves processors out that are not in `usable` (ascending), and places left empty. Returns those
/// left out, ascending.
Place restrict_places(std::vector<Place> &list, const std::vector<int> &usable);

/// In the syntax of OMP_PLACES: "{0:4},{4,6}".
std::string format_places(const std::vector<Place> &list);
/// "0-3,5".
std::string format_ranges(const std::vector<int> &numbers);

/// place-partition-var: `count` places from `first` of a place list; never wraps round its end.
struct PlacePartition {
    int first = 0;
    int count = 0;
    bool operator==(const PlacePartition &) const = default;
};

struct PlaceAssignment {
    int place = -1; ///< -1: not bound
    PlacePartition partition;
    bool operator==(const PlaceAssignment &) const = default;
};

/// Where thread `number` of `threads` goes under `policy`, given the place of the thread that met
/// the construct (-1: not bound) and its partition. Constant time.
PlaceAssignment assign_place(ProcBind policy, int number, int threads, int parent_place,
                             const PlacePartition &parent);

} // namespace loomp::core
