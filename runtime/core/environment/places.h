// Places: sets of processors to which threads are bound (OpenMP 5.2, 10.1.3 and 21.1.6), and the
// place of each thread of a team. The functions are pure: they depend neither on this machine nor
// on its settings.
#pragma once

#include <string>
#include <vector>

namespace loomp::core {

/// Values of omp_proc_bind_t.
enum class ProcBind : int { false_ = 0, true_ = 1, primary = 2, close = 3, spread = 4 };

/// A place: OS numbers of processors, ascending.
using Place = std::vector<int>;

/// The objects that processors share; also the distance of two processors. All but `machine` are
/// abstract names of OMP_PLACES.
enum class MachineLevel : int { thread, core, ll_cache, numa_domain, socket, machine };

/// A parsed value of OMP_PLACES, independent of a machine.
struct PlacesSpec {
    bool is_abstract = false;
    MachineLevel kind = MachineLevel::thread;
    int count = 0;           ///< for an abstract name; 0: all of them
    std::vector<Place> list; ///< for an explicit list
};

/// Parses a value of OMP_PLACES. Returns false with the error in `why`.
bool parse_places(const std::string &text, PlacesSpec &spec, std::string &why);
/// Parses a value of GOMP_CPU_AFFINITY, such as "0 3 1-2 4-15:2": one place for each processor.
bool parse_cpu_affinity(const std::string &text, PlacesSpec &spec, std::string &why);

/// Removes processors that are not in `usable` (ascending), and places that are then empty. Returns
/// the removed processors, ascending.
Place restrict_places(std::vector<Place> &list, const std::vector<int> &usable);

/// Formats places in the syntax of OMP_PLACES: "{0:4},{4,6}".
std::string format_places(const std::vector<Place> &list);
/// Formats numbers as "0-3,5".
std::string format_ranges(const std::vector<int> &numbers);

/// place-partition-var: `count` places from `first` of a place list; it never wraps around the
/// list's end.
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

/// Returns the place of thread `number` of `threads` under `policy`. `parent_place` is the place of
/// the thread that met the construct (-1: not bound), `parent` its partition. Constant time.
PlaceAssignment assign_place(ProcBind policy, int number, int threads, int parent_place,
                             const PlacePartition &parent);

} // namespace loomp::core
