// All measurements of a trace, before tables.h names them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "profiler/graph/critical_path.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/constructs.h"
#include "profiler/metrics/degrees.h"
#include "profiler/metrics/deletions.h"
#include "profiler/metrics/devices.h"
#include "profiler/metrics/efficiency.h"
#include "profiler/metrics/run_times.h"
#include "profiler/metrics/tasks.h"
#include "profiler/metrics/unfinished.h"
#include "profiler/metrics/user_regions.h"

namespace loomp::analysis {

/// The parts of the trace that the figures do not cover.
struct NotRecorded {
    Time time = 0;  ///< the time of all threads in the window
    Time whole = 0; ///< the time of all threads in the window, recorded or not
    std::size_t uncreated =
        0; ///< explicit tasks whose creation is not in the trace, anywhere in it
};

struct Figures {
    std::size_t tasks = 0; ///< explicit ones
    Interval run;
    Interval whole; ///< the makespan; without tasks the run
    std::optional<Interval> window;
    std::optional<NotRecorded> not_recorded; ///< nothing: everything was
    std::optional<Unfinished> unfinished;    ///< anywhere in the trace; nothing: the run ended

    std::vector<RunTimes> run_times; ///< one per thread; empty with a window
    std::optional<TimeBreakdown> times;
    Efficiencies efficiencies;
    std::vector<Discovery> discovery; ///< empty with a window
    bool path_wanted = false;         ///< it covers the whole graph only
    /// The path along dependences and messages, which the thesis defines. If it was wanted, nothing
    /// means that the graph has a cycle.
    std::optional<CriticalPath> path;
    Degrees degrees;                             ///< the degrees of that graph
    std::optional<CriticalPath> path_with_waits; ///< with creations and waits
    std::vector<Deletions> deletions;            ///< one per rank; empty with a window or without
                                                 ///< any
    std::vector<FunctionRow> functions;
    std::vector<RankOverlap> sent; ///< one per rank; empty without MPI calls
    std::vector<Ratios> ratios;
    std::vector<DeviceRow> devices;
    std::vector<DeviceKindRow> device_kinds;
    std::vector<ConstructRow> constructs;
    std::vector<UserRegionRow> user_regions;
    std::vector<KindRow> kinds;

    Interval shown() const { return window.value_or(whole); }
};

/// Sums over a rank's threads.
RunTimes run_times_of_rank(const Trace &trace, const Figures &figures, Index rank);

/// The makespan, or the run of a program without tasks.
Interval whole_of(const Trace &trace);

enum class Paths : bool { no, yes };

/// Covers the whole run or `window`. Without critical paths, the longest computations are skipped.
Figures figures_of(const Trace &trace, std::optional<Interval> window = {},
                   Paths paths = Paths::yes);

} // namespace loomp::analysis
