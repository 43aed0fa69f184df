// The table of the program's named regions (include/loomp/record.h), by name.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct UserRegionRow {
    Index kind = kNone;
    std::size_t count = 0;
    Time time = 0; ///< from beginnings to ends, as far as recorded
    /// The part of it in which its task was not suspended and no other tasks ran on its thread.
    Time on_thread = 0;
    Time shortest = kNever; ///< from beginning to end
    Time longest = 0;

    double mean() const { return static_cast<double>(time) / static_cast<double>(count); }
};

/// Sorted by time, longest first. A window selects the regions that began in it.
std::vector<UserRegionRow> user_region_table(const Trace &trace,
                                             std::optional<Interval> window = {});

/// Calls `visit(thread, interval)` for the times when a region has a thread. Inside explicit tasks
/// these are its parts in the task's segments; outside, all of it.
template <class Visit> void visit_parts(const Trace &trace, const UserRegion &region, Visit visit) {
    if (region.task == kNone || trace.tasks[region.task].implicit) {
        visit(region.thread, Interval{region.begin, region.end});
        return;
    }
    for (const Segment &segment : trace.segments_of(region.task))
        if (segment.begin < region.end && segment.end > region.begin)
            visit(segment.thread, Interval{std::max(segment.begin, region.begin),
                                           std::min(segment.end, region.end)});
}

} // namespace loomp::analysis
