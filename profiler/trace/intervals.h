// Sets of moments, as sorted lists of intervals that do not touch.
#pragma once

#include <algorithm>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Adds an interval to a list that unite() takes. Intervals that touch the latest one need no
/// memory.
inline void add_to(std::vector<Interval> &intervals, Interval interval) {
    if (interval.end <= interval.begin)
        return;
    if (!intervals.empty() && interval.begin <= intervals.back().end &&
        intervals.back().begin <= interval.end)
        intervals.back() = {std::min(intervals.back().begin, interval.begin),
                            std::max(intervals.back().end, interval.end)};
    else
        intervals.push_back(interval);
}

/// The union of `intervals`, which may overlap in any order.
std::vector<Interval> unite(std::vector<Interval> intervals);
/// The union of a set and more intervals, which may overlap.
std::vector<Interval> unite(const std::vector<Interval> &set, std::vector<Interval> more);
/// The moments that are in both sets.
std::vector<Interval> common(const std::vector<Interval> &a, const std::vector<Interval> &b);
/// The moments of `window` that are not in the set.
std::vector<Interval> rest_of(const std::vector<Interval> &set, Interval window);
/// How much of `window` the set covers.
Time length_within(const std::vector<Interval> &set, Interval window);
/// How much of `window` both sets cover.
Time common_length(const std::vector<Interval> &a, const std::vector<Interval> &b, Interval window);

} // namespace loomp::analysis
