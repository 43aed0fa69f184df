#include "profiler/metrics/figures.h"

#include <algorithm>
#include <functional>
#include <future>
#include <utility>

#include "profiler/graph/graph.h"

namespace loomp::analysis {

namespace {

std::optional<NotRecorded> not_recorded_in(const Trace &trace, Interval window) {
    if (trace.unrecorded.empty())
        return {};
    Time known = 0;
    for (Index i = 0; i < trace.threads.size(); ++i)
        for (const Interval &part : trace.recorded(i, window))
            known += part.length();
    const Time whole = window.length() * static_cast<Time>(trace.count_threads());
    const auto uncreated =
        std::count_if(trace.tasks.begin(), trace.tasks.end(),
                      [](const Task &task) { return !task.implicit && task.created == kNever; });
    return NotRecorded{whole - known, whole, static_cast<std::size_t>(uncreated)};
}

struct GraphFigures {
    Degrees degrees;
    std::optional<CriticalPath> path;
};

GraphFigures figures_of_graph(const Trace &trace) {
    const Graph graph = build_graph(trace);
    return {degrees(graph), critical_path(graph)};
}

struct Communication {
    std::vector<RankOverlap> sent;
    std::vector<Ratios> ratios;
};

Communication find_communication(const Trace &trace, std::optional<Interval> window) {
    if (trace.calls.empty())
        return {};
    return {overlap_of_ranks(trace, window), ratios_of_ranks(trace, window)};
}

} // namespace

RunTimes run_times_of_rank(const Trace &trace, const Figures &figures, Index rank) {
    RunTimes sum;
    for (Index i = 0; i < figures.run_times.size(); ++i)
        if (trace.threads[i].rank == rank)
            sum += figures.run_times[i];
    return sum;
}

Interval whole_of(const Trace &trace) { return trace.has_tasks() ? trace.makespan() : trace.run(); }

Figures figures_of(const Trace &trace, std::optional<Interval> window, Paths paths) {
    Figures figures;
    figures.tasks = trace.count_tasks();
    figures.run = trace.run();
    figures.whole = whole_of(trace);
    figures.window = window;
    figures.path_wanted = trace.has_tasks() && !figures.window && paths == Paths::yes;
    // The longest computations run concurrently; they only read the trace.
    const auto later = std::launch::async;
    std::future<GraphFigures> graph;
    if (figures.path_wanted)
        graph = std::async(later, figures_of_graph, std::cref(trace));
    auto communication = std::async(later, find_communication, std::cref(trace),
                                    trace.has_tasks() ? figures.window : figures.shown());
    figures.not_recorded = not_recorded_in(trace, figures.shown());
    figures.unfinished = unfinished_of(trace);
    if (!figures.window)
        figures.run_times = run_times(trace);
    if (trace.has_tasks())
        figures.times = break_down(trace, figures.window);
    figures.efficiencies = efficiencies(trace, figures.window);
    if (figures.path_wanted) {
        figures.discovery = discovery(trace);
        figures.deletions = deletions(trace);
    }
    figures.functions = function_table(trace, figures.window);
    figures.constructs = construct_table(trace, figures.window);
    figures.user_regions = user_region_table(trace, figures.window);
    figures.devices = device_table(trace, figures.window);
    figures.device_kinds = device_kind_table(trace, figures.window);
    figures.kinds = kind_table(trace, figures.window);
    Communication found = communication.get();
    figures.sent = std::move(found.sent);
    figures.ratios = std::move(found.ratios);
    if (figures.path_wanted) {
        GraphFigures result = graph.get();
        figures.degrees = result.degrees;
        figures.path = std::move(result.path);
        // It may be as large as the trace, so it is computed alone.
        figures.path_with_waits = critical_path(build_graph(trace, {.waits = true}));
    }
    return figures;
}

} // namespace loomp::analysis
