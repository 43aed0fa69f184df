// Tables of tasks: the time of each kind, and the rate of their creation.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The explicit tasks of one kind that ran on any rank.
struct KindRow {
    Index kind = kNone; ///< kNone: the trace lacks their kind
    std::size_t count = 0;
    Time work = 0; ///< inside them, including MPI calls
    Time shortest = 0;
    Time median = 0; ///< the lower of the two in the middle
    Time longest = 0;
    std::vector<std::uint64_t> counts; ///< their sums, in the order of Trace::counters

    /// The grain: nanoseconds a task.
    double mean() const { return static_cast<double>(work) / static_cast<double>(count); }
};

/// The kinds with tasks, most work first. A window selects the tasks that began in it.
std::vector<KindRow> kind_table(const Trace &trace, std::optional<Interval> window = {});

/// Instructions per cycle of a row's tasks, if the trace has both counters; nothing without cycles.
std::optional<double> instructions_per_cycle(const Trace &trace, const KindRow &row);
/// True if the trace has both counters.
bool counts_instructions_per_cycle(const Trace &trace);

/// The tasks that one thread created.
struct Discovery {
    Index thread;
    std::size_t tasks = 0;
    Interval time; ///< from the first creation to the last: the thesis calls it discovery
    Time ran = 0;  ///< the part of it in which the thread was away (below)

    /// Average time between two creations in nanoseconds, without the time in which the thread was
    /// away; 0 for one task.
    double per_task() const;
};

/// When each thread that created explicit tasks was away from that: inside explicit tasks that
/// created none, in waits, or unrecorded. The form is that of trace/intervals.h; empty for others.
std::vector<std::vector<Interval>> away_from_creation(const Trace &trace);

/// One per thread that created explicit tasks.
std::vector<Discovery> discovery(const Trace &trace);

} // namespace loomp::analysis
