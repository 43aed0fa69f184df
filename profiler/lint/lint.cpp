#include "profiler/lint/lint.h"

#include <algorithm>

#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/tasks.h"
#include "profiler/simulation/program.h"
#include "profiler/trace/calls.h"

namespace loomp::analysis {

namespace {

using linting::Costs;

/// Fits the time from one creation to the next against the first clause's items: the constant and
/// the slope. Both are medians, so that waits in between do not matter.
Costs measure(const Trace &trace, const Program &program) {
    std::vector<Index> items(trace.tasks.size(), 0);
    for (const Access &access : trace.accesses)
        ++items[access.task];
    struct Sample {
        Index items;
        Time time;
    };
    std::vector<Sample> samples;
    std::vector<Time> times;
    for (auto thread = program.tasks; thread < program.rank.size(); ++thread) {
        const auto steps = program.steps_of(thread);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].kind != Step::create)
                continue;
            const bool code = i + 1 < steps.size() && steps[i + 1].kind == Step::code;
            const std::size_t next = i + (code ? 2 : 1);
            if (next < steps.size() && steps[next].kind == Step::create) {
                samples.push_back({items[steps[i].what], code ? steps[i + 1].duration : 0});
                times.push_back(samples.back().time);
            }
        }
    }
    Costs costs{.start = program.delays.mean};
    if (samples.empty())
        return costs;
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    costs.creation = times[times.size() / 2];
    // Least squares over the creations that are no waits.
    constexpr Time kOutlier = 10; // medians
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Sample &sample : samples) {
        if (sample.time > kOutlier * costs.creation)
            continue;
        const auto count = static_cast<double>(sample.items);
        const auto time = static_cast<double>(sample.time);
        n += 1;
        x += count;
        y += time;
        xx += count * count;
        xy += count * time;
    }
    const double spread = n * xx - x * x;
    if (spread > 0)
        costs.item = std::max(0.0, (n * xy - x * y) / spread);
    return costs;
}

void find_fine_tasks(const Trace &trace, const Costs &costs, const LintOptions &options,
                     std::vector<Finding> &findings) {
    const auto cost = static_cast<double>(costs.creation + costs.start);
    const double enough = options.coarse * cost;
    const double threads = static_cast<double>(trace.count_threads());
    for (const KindRow &row : kind_table(trace)) {
        const double grain = row.mean();
        if (row.count < 2 || grain >= enough)
            continue;
        // Merges until tasks are coarse enough, at best into one.
        const auto count = static_cast<double>(row.count);
        const double left = std::max(1.0, count * grain / enough);
        findings.push_back({.advice = Advice::fine_tasks,
                            .kind = row.kind,
                            .count = row.count,
                            .cause = static_cast<Time>(cost),
                            .gain = (count - left) * cost / threads});
    }
}

/// The kind of most of the tasks that a rank's threads created.
Index most_created(const Trace &trace, Index rank) {
    std::vector<std::size_t> counts(trace.kinds.size() + 1, 0); // the last: none
    for (const Task &task : trace.tasks)
        if (!task.implicit && task.rank == rank)
            ++counts[std::min<std::size_t>(task.kind, trace.kinds.size())];
    const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
    return static_cast<std::size_t>(most) == trace.kinds.size() ? kNone : static_cast<Index>(most);
}

/// Finds threads of a rank that create nothing and are idle while another one creates.
void find_discovery(const Trace &trace, std::vector<Finding> &findings) {
    std::vector<Interval> times(trace.ranks, {kNever, 0});
    std::vector<std::size_t> tasks(trace.ranks, 0);
    std::vector<bool> creates(trace.threads.size(), false);
    for (const Discovery &row : discovery(trace)) {
        const Index rank = trace.threads[row.thread].rank;
        times[rank] = {std::min(times[rank].begin, row.time.begin),
                       std::max(times[rank].end, row.time.end)};
        tasks[rank] += row.tasks;
        creates[row.thread] = true;
    }
    const Interval makespan = trace.makespan();
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        const Interval window = tasks[rank] == 0 ? Interval{} : common(times[rank], makespan);
        if (window.end <= window.begin)
            continue;
        const TimeBreakdown parts = break_down(trace, window);
        Time idle = 0;
        std::size_t threads = 0;
        for (Index thread = 0; thread < trace.threads.size(); ++thread) {
            if (trace.threads[thread].rank != rank || trace.threads[thread].stands_in)
                continue;
            ++threads;
            idle += creates[thread] ? 0 : parts.threads[thread].idle;
        }
        if (idle > 0)
            findings.push_back({.advice = Advice::discovery,
                                .kind = most_created(trace, rank),
                                .rank = rank,
                                .count = tasks[rank],
                                .cause = window.length(),
                                .gain = static_cast<double>(idle) / static_cast<double>(threads)});
    }
}

} // namespace

double linting::threads_per_rank(const Trace &trace) {
    return trace.ranks == 0
               ? 1
               : static_cast<double>(trace.count_threads()) / static_cast<double>(trace.ranks);
}

std::vector<Finding> lint(const Trace &trace, const LintOptions &options) {
    const Costs costs = measure(trace, make_program(trace));
    std::vector<Finding> findings;
    linting::find_redundant_edges(trace, costs, options, findings);
    linting::find_duplicate_items(trace, costs, findings);
    linting::find_inoutsets(trace, options, findings);
    find_discovery(trace, findings);
    linting::find_late_messages(trace, findings);
    find_fine_tasks(trace, costs, options, findings);
    linting::find_device_faults(trace, findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding &a, const Finding &b) { return a.gain > b.gain; });
    return findings;
}

} // namespace loomp::analysis
