// Divides the threads' time in the whole run, also outside explicit tasks. Each moment of a thread
// between the begin and end of its process is the first that holds of
//   tasks    in an explicit task, MPI calls in it included;
//   mpi      in an MPI call;
//   waiting  in a barrier, a taskwait, the end of a taskgroup, for an undeferred task or a mutex;
//   shared   in a worksharing construct: a loop, sections, a single;
//   regions  in a parallel region otherwise;
//   serial   in code outside regions, or, of the rank's first thread, in nothing that is known;
//   outside  in none.
// Unrecorded time is none of them.
#pragma once

#include <functional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class Doing : std::uint8_t { tasks, mpi, waiting, shared, regions, serial, outside };
inline constexpr std::size_t kDoings = 7;

/// A thread's activity during an interval. `construct` is the place in Trace::kinds, if known.
struct Doings {
    Interval time;
    Doing what;
    Index construct = kNone;
};

struct RunTimes {
    Time by_doing[kDoings] = {};

    Time operator[](Doing what) const { return by_doing[static_cast<std::size_t>(what)]; }
    Time total() const;
    /// Computing, as far as known: neither in MPI, nor waiting, nor outside.
    Time useful() const;
    RunTimes &operator+=(const RunTimes &other);
};

enum class TasksToo : bool { no, yes };

/// Calls `visit(thread, doings)` for each thread in turn, in order of time, without `outside`.
/// TasksToo::no ignores explicit tasks.
void visit_doings(const Trace &trace, TasksToo tasks,
                  const std::function<void(Index, const Doings &)> &visit);
/// The sums of these for each thread, and the time outside.
std::vector<RunTimes> run_times(const Trace &trace);

} // namespace loomp::analysis
