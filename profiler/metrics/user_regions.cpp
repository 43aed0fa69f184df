#include "profiler/metrics/user_regions.h"

#include <algorithm>
#include <map>

#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

/// When each thread runs explicit tasks.
std::vector<std::vector<Interval>> tasks_of_threads(const Trace &trace) {
    std::vector<std::vector<Interval>> tasks(trace.threads.size());
    for (const Segment &segment : trace.segments)
        if (!trace.tasks[segment.task].implicit)
            tasks[segment.thread].push_back({segment.begin, segment.end});
    for (std::vector<Interval> &list : tasks)
        list = unite(std::move(list));
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
    for (const UserRegion &region : trace.user_regions) {
        if (window && !window->contains(region.begin))
            continue;
        const bool in_task = region.task != kNone && !trace.tasks[region.task].implicit;
        UserRegionRow &row = rows[region.kind];
        const Time time = recorded(region.thread, {region.begin, region.end});
        row.kind = region.kind;
        ++row.count;
        row.time += time;
        row.shortest = std::min(row.shortest, time);
        row.longest = std::max(row.longest, time);
        visit_parts(trace, region, [&](Index thread, Interval part) {
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
