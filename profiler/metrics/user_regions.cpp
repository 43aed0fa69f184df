#include "profiler/metrics/user_regions.h"

#include <algorithm>
#include <map>

#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

/// When each thread runs explicit tasks.
std::vector<std::vector<Interval>> tasks_of_threads(const Trace &trace) {
    std::vector<std::vector<Interval>> tasks(trace.threads.size());
    for (const Segment &of : trace.segments)
        if (!trace.tasks[of.task].implicit)
            tasks[of.thread].push_back({of.begin, of.end});
    for (std::vector<Interval> &of : tasks)
        of = unite(std::move(of));
    return tasks;
}

} // namespace

std::vector<UserRegionRow> user_region_table(const Trace &trace, std::optional<Interval> window) {
    std::map<Index, UserRegionRow> rows;
    if (trace.user_regions.empty())
        return {};
    const auto tasks = tasks_of_threads(trace);
    const auto recorded = [&](Index thread, Interval time) {
        Time length = 0;
        for (const Interval &part : trace.recorded(thread, time))
            length += part.length();
        return length;
    };
    for (const UserRegion &of : trace.user_regions) {
        if (window && !window->contains(of.begin))
            continue;
        const bool in_task = of.task != kNone && !trace.tasks[of.task].implicit;
        UserRegionRow &row = rows[of.kind];
        const Time time = recorded(of.thread, {of.begin, of.end});
        row.kind = of.kind;
        ++row.count;
        row.time += time;
        row.shortest = std::min(row.shortest, time);
        row.longest = std::max(row.longest, time);
        visit_parts(trace, of, [&](Index thread, Interval part) {
            row.on_thread += recorded(thread, part);
            if (!in_task)
                row.on_thread -= length_within(tasks[thread], part);
        });
    }
    std::vector<UserRegionRow> sorted;
    sorted.reserve(rows.size());
    for (const auto &[kind, row] : rows)
        sorted.push_back(row);
    std::stable_sort(
        sorted.begin(), sorted.end(),
        [](const UserRegionRow &a, const UserRegionRow &b) { return a.time > b.time; });
    return sorted;
}

} // namespace loomp::analysis
