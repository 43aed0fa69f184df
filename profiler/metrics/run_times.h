// What threads did in the whole run, also where no explicit task is: each moment of a thread, from
// when its rank's process began to when it ended, is the first that holds of
//   tasks    in an explicit task, MPI calls in it included;
//   mpi      in an MPI call;
//   waiting  in a barrier, a taskwait or the end of a taskgroup;
//   shared   in a worksharing construct: a loop, sections, a single;
//   regions  in a parallel region otherwise;
//   serial   in code outside regions, or, of the rank's first thread, in nothing that is known;
//   outside  in none.
// What was not recorded of a thread is none of them.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class Doing : std::uint8_t { tasks, mpi, waiting, shared, regions, serial, outside };
inline constexpr std::size_t kDoings = 7;

/// What a thread does for a time: `construct` is where, of Trace::kinds, as far as that is known.
struct Doings {
    Interval time;
    Doing what;
    Index construct = kNone;
};

struct RunTimes {
    Time of[kDoings] = {};

    Time operator[](Doing what) const { return of[static_cast<std::size_t>(what)]; }
    Time total() const;
    /// Computing, as far as it is known: neither in MPI, nor waiting, nor outside.
    Time useful() const;
    RunTimes &operator+=(const RunTimes &other);
};

enum class TasksToo : bool { no, yes };

/// Of each thread, in order of time; nothing of what is `outside`. Without tasks: what there would
/// be if explicit ones were not looked at.
std::vector<std::vector<Doings>> doings_of_threads(const Trace &trace,
                                                   TasksToo tasks = TasksToo::yes);
/// Of each thread, the sums of these and what is outside.
std::vector<RunTimes> run_times(const Trace &trace);

} // namespace loomp::analysis
