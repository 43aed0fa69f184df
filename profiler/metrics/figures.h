// Everything that is measured of a trace, before tables.h names it.
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
#include "profiler/metrics/user_regions.h"

namespace loomp::analysis {

/// What the figures are not of.
struct NotRecorded {
    Time time = 0;  ///< of all threads in the window
    Time whole = 0; ///< what all threads would have there
    std::size_t uncreated =
        0; ///< explicit tasks whose creation is not in the trace, anywhere in it
};

struct Figures {
    std::size_t tasks = 0; ///< explicit ones
    Interval run;
    Interval whole; ///< the makespan; without tasks the run
    std::optional<Interval> window;
    std::optional<NotRecorded> not_recorded; ///< nothing: all was

    std::vector<RunTimes> run_times; ///< of each thread; empty with a window
    std::optional<TimeBreakdown> times;
    Efficiencies efficiencies;
    std::vector<Discovery> discovery; ///< empty with a window
    bool path_wanted = false;         ///< it is of the whole graph only
    /// By dependences and messages, as the thesis has it. Nothing, where it was wanted: there is a
    /// cycle.
    std::optional<CriticalPath> path;
    Degrees degrees;                             ///< of the same graph
    std::optional<CriticalPath> path_with_waits; ///< with creations and waits
    std::vector<Deletions> deletions;            ///< of each rank; empty with a window, or of none
    std::vector<FunctionRow> functions;
    std::vector<RankOverlap> sent; ///< of each rank; empty without MPI calls
    std::vector<Ratios> ratios;
    std::vector<DeviceRow> devices;
    std::vector<DeviceKindRow> device_kinds;
    std::vector<ConstructRow> constructs;
    std::vector<UserRegionRow> user_regions;
    std::vector<KindRow> kinds;

    Interval shown() const { return window.value_or(whole); }
};

/// The sums of a rank's threads.
RunTimes run_times_of_rank(const Trace &trace, const Figures &figures, Index rank);

/// The makespan; without tasks the run.
Interval whole_of(const Trace &trace);

enum class Paths : bool { no, yes };

/// Those of the whole run, or of `window`; without critical paths, what takes longest is left out.
Figures figures_of(const Trace &trace, std::optional<Interval> window = {},
                   Paths paths = Paths::yes);

} // namespace loomp::analysis
