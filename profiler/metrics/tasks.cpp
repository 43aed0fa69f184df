#include "profiler/metrics/tasks.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

KindRow row_of(Index kind, std::vector<Time> &grains) {
    KindRow row;
    row.kind = kind;
    row.count = grains.size();
    const auto middle = grains.begin() + static_cast<std::ptrdiff_t>((grains.size() - 1) / 2);
    std::nth_element(grains.begin(), middle, grains.end());
    for (const Time grain : grains)
        row.work += grain;
    row.shortest = *std::min_element(grains.begin(), middle + 1);
    row.median = *middle;
    row.longest = *std::max_element(middle, grains.end());
    return row;
}

/// The index of the first name that is a counter; the count of counters if none is.
std::size_t find_counter(const Trace &trace, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const auto found = std::find(trace.counters.begin(), trace.counters.end(), name);
        if (found != trace.counters.end())
            return static_cast<std::size_t>(found - trace.counters.begin());
    }
    return trace.counters.size();
}

std::size_t instructions_of(const Trace &trace) {
    return find_counter(trace,
                        {"PAPI_TOT_INS", "perf::INSTRUCTIONS", "perf::PERF_COUNT_HW_INSTRUCTIONS"});
}
std::size_t cycles_of(const Trace &trace) {
    return find_counter(trace, {"PAPI_TOT_CYC", "perf::CYCLES", "perf::CPU-CYCLES",
                                "perf::PERF_COUNT_HW_CPU_CYCLES"});
}

} // namespace

std::vector<KindRow> kind_table(const Trace &trace, std::optional<Interval> window) {
    std::vector<std::vector<Time>> grains(trace.kinds.size() + 1); // the last: no kind
    std::vector<std::vector<std::uint64_t>> counts(
        grains.size(), std::vector<std::uint64_t>(trace.counters.size()));
    std::unordered_map<Index, Time> in_regions; // that the task has met
    for (const Segment &segment : trace.segments)
        if (const Task &task = trace.tasks[segment.task]; task.implicit && task.works())
            in_regions[task.owner] += segment.end - segment.begin;
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        if (task.implicit || trace.segments_of(i).empty() ||
            (window && !window->contains(trace.segments_of(i).front().begin)))
            continue;
        const auto in_region = in_regions.find(i);
        Time grain = in_region == in_regions.end() ? 0 : in_region->second;
        for (const Segment &segment : trace.segments_of(i))
            grain += segment.end - segment.begin;
        const std::size_t kind = task.kind == kNone ? trace.kinds.size() : task.kind;
        grains[kind].push_back(grain);
        std::transform(counts[kind].begin(), counts[kind].end(), trace.counts_of(i).begin(),
                       counts[kind].begin(), std::plus());
    }
    std::vector<KindRow> rows;
    for (Index kind = 0; kind < grains.size(); ++kind)
        if (!grains[kind].empty()) {
            rows.push_back(row_of(kind == trace.kinds.size() ? kNone : kind, grains[kind]));
            rows.back().counts = std::move(counts[kind]);
        }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const KindRow &a, const KindRow &b) { return a.work > b.work; });
    return rows;
}

bool counts_instructions_per_cycle(const Trace &trace) {
    return std::max(instructions_of(trace), cycles_of(trace)) < trace.counters.size();
}

std::optional<double> instructions_per_cycle(const Trace &trace, const KindRow &row) {
    if (!counts_instructions_per_cycle(trace) || row.counts[cycles_of(trace)] == 0)
        return {};
    return static_cast<double>(row.counts[instructions_of(trace)]) /
           static_cast<double>(row.counts[cycles_of(trace)]);
}

double Discovery::per_task() const {
    return tasks < 2 ? 0
                     : static_cast<double>(time.length() - ran) / static_cast<double>(tasks - 1);
}

std::vector<std::vector<Interval>> away_from_creation(const Trace &trace) {
    std::vector<bool> creates(trace.tasks.size(), false);
    std::vector<bool> creating(trace.threads.size(), false);
    for (const Task &task : trace.tasks) {
        if (task.implicit || task.creator == kNone)
            continue;
        creating[task.creator] = true;
        if (task.parent != kNone)
            creates[task.parent] = true;
    }
    std::vector<std::vector<Interval>> away(trace.threads.size());
    for (const Wait &wait : trace.waits)
        if (creating[wait.thread])
            add_to(away[wait.thread], {wait.begin, wait.end});
    for (const Unrecorded &gap : trace.unrecorded)
        if (creating[gap.thread])
            away[gap.thread].push_back(gap.time);
    for (Index thread = 0; thread < away.size(); ++thread) {
        if (!creating[thread])
            continue;
        std::vector<Interval> tasks;
        for (const Index i : trace.segments_on(thread))
            if (const Segment &segment = trace.segments[i];
                trace.tasks[segment.task].works() && !creates[segment.task])
                add_to(tasks, {segment.begin, segment.end});
        away[thread] = unite(tasks, std::move(away[thread]));
    }
    return away;
}

std::vector<Discovery> discovery(const Trace &trace) {
    std::vector<Discovery> threads(trace.threads.size());
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        if (task.implicit || task.creator == kNone || trace.is_taskwait(i))
            continue;
        Discovery &discovery = threads[task.creator];
        if (discovery.tasks++ == 0)
            discovery.time = {task.created, task.created};
        discovery.time.begin = std::min(discovery.time.begin, task.created);
        discovery.time.end = std::max(discovery.time.end, task.created);
    }
    const std::vector<std::vector<Interval>> away = away_from_creation(trace);
    for (Index i = 0; i < threads.size(); ++i) {
        threads[i].thread = i;
        threads[i].ran = length_within(away[i], threads[i].time);
    }
    std::erase_if(threads, [](const Discovery &discovery) { return discovery.tasks == 0; });
    return threads;
}

} // namespace loomp::analysis
