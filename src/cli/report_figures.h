// What `loomp report` says of a trace, before it is written as text (report.cpp), JSON or CSV
// (report_formats.h): all three have the same figures.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/graph/critical_path.h"
#include "analysis/metrics/breakdown.h"
#include "analysis/metrics/communication.h"
#include "analysis/metrics/constructs.h"
#include "analysis/metrics/degrees.h"
#include "analysis/metrics/deletions.h"
#include "analysis/metrics/devices.h"
#include "analysis/metrics/efficiency.h"
#include "analysis/metrics/run_times.h"
#include "analysis/metrics/tasks.h"
#include "analysis/metrics/user_regions.h"

namespace loomp::cli {

struct ReportOptions {
    std::string folder;               ///< of `loomp trace`, or an archive's .otf2 file
    bool threads = false;             ///< a line for each thread
    bool json = false;                ///< in place of text, as report_formats.h has it
    bool csv = false;                 ///< the same
    std::optional<std::size_t> kinds; ///< how many, at most; default: kKindsInText, or all
    std::optional<double> from;       ///< seconds from the start of the makespan
    std::optional<double> to;
};

/// What the figures are not of.
struct NotRecorded {
    analysis::Time time = 0;  ///< of all threads in the window
    analysis::Time whole = 0; ///< what all threads would have there
    std::size_t uncreated =
        0; ///< explicit tasks whose creation is not in the trace, anywhere in it
};

struct Figures {
    std::size_t tasks = 0; ///< explicit ones
    analysis::Interval run;
    analysis::Interval whole; ///< the makespan; without tasks the run
    std::optional<analysis::Interval> window;
    std::optional<NotRecorded> not_recorded; ///< nothing: all was

    std::vector<analysis::RunTimes> run_times; ///< of each thread; empty with a window
    std::optional<analysis::TimeBreakdown> times;
    analysis::Efficiencies efficiencies;
    std::vector<analysis::Discovery> discovery; ///< empty with a window
    bool path_wanted = false;                   ///< it is of the whole graph only
    /// By dependences and messages, as the thesis has it. Nothing, where it was wanted: there is a
    /// cycle.
    std::optional<analysis::CriticalPath> path;
    analysis::Degrees degrees;                             ///< of the same graph
    std::optional<analysis::CriticalPath> path_with_waits; ///< with creations and waits
    std::vector<analysis::Deletions> deletions; ///< of each rank; empty with a window, or of none
    std::vector<analysis::FunctionRow> functions;
    std::vector<analysis::RankOverlap> sent; ///< of each rank; empty without MPI calls
    std::vector<analysis::Ratios> ratios;
    std::vector<analysis::DeviceRow> devices;
    std::vector<analysis::DeviceKindRow> device_kinds;
    std::vector<analysis::ConstructRow> constructs;
    std::vector<analysis::UserRegionRow> user_regions;
    std::vector<analysis::KindRow> kinds;

    analysis::Interval shown() const { return window.value_or(whole); }
};

/// The sums of a rank's threads.
analysis::RunTimes run_times_of_rank(const analysis::Trace &trace, const Figures &figures,
                                     analysis::Index rank);

/// Throws std::runtime_error if the options leave no time.
Figures figures_of(const analysis::Trace &trace, const ReportOptions &options);

} // namespace loomp::cli
