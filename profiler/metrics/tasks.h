// Tables of tasks: what each kind took, and how fast they were created.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The explicit tasks of one kind that ran, of all ranks.
struct KindRow {
    Index kind = kNone; ///< kNone: those whose kind is not in the trace
    std::size_t count = 0;
    Time work = 0; ///< inside them, MPI calls included
    Time shortest = 0;
    Time median = 0; ///< the lower of the two in the middle
    Time longest = 0;
    std::vector<std::uint64_t> counts; ///< their sums, as Trace::counters

    /// The grain: nanoseconds a task.
    double mean() const { return static_cast<double>(work) / static_cast<double>(count); }
};

/// The kinds with tasks, most work first. With a window, of the tasks that began in it.
std::vector<KindRow> kind_table(const Trace &trace, std::optional<Interval> window = {});

/// Instructions a cycle of a row's tasks together, where the trace has counters of both; nothing
/// also without cycles.
std::optional<double> instructions_per_cycle(const Trace &trace, const KindRow &row);
/// Whether the trace has counters of both.
bool counts_instructions_per_cycle(const Trace &trace);

/// The tasks that one thread created.
struct Discovery {
    Index thread;
    std::size_t tasks = 0;
    Interval time; ///< from the first creation to the last one: what the thesis calls discovery
    Time ran = 0;  ///< of it, inside explicit tasks that created none, or not recorded

    /// Nanoseconds from one creation to the next, what else the thread ran left out; 0 for one
    /// task.
    double per_task() const;
};

/// Of each thread that created explicit tasks.
std::vector<Discovery> discovery(const Trace &trace);

} // namespace loomp::analysis
