// The table of regions that the program names (include/loomp/record.h), by their names.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct UserRegionRow {
    Index kind = kNone;
    std::size_t count = 0;
    Time time = 0; ///< from beginnings to ends, as far as recorded
    /// Of it, without the time in which its task was suspended, or other tasks ran on its thread.
    Time on_thread = 0;
    Time shortest = kNever; ///< from beginning to end
    Time longest = 0;

    double mean() const { return static_cast<double>(time) / static_cast<double>(count); }
};

/// Most time first. With a window, of the regions that began in it.
std::vector<UserRegionRow> user_region_table(const Trace &trace,
                                             std::optional<Interval> window = {});

/// When a region has a thread, and which: those parts of it that are in its task's segments;
/// outside of explicit tasks, all of it. Calls `visit(thread, interval)`.
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
