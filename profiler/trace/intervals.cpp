#include "profiler/trace/intervals.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace loomp::analysis {

std::vector<Interval> unite(std::vector<Interval> intervals) {
    const auto earlier = [](const Interval &a, const Interval &b) { return a.begin < b.begin; };
    if (!std::is_sorted(intervals.begin(), intervals.end(), earlier))
        std::sort(intervals.begin(), intervals.end(), earlier);
    std::size_t count = 0;
    for (const Interval &interval : intervals) {
        if (interval.end <= interval.begin)
            continue;
        if (count > 0 && interval.begin <= intervals[count - 1].end)
            intervals[count - 1].end = std::max(intervals[count - 1].end, interval.end);
        else
            intervals[count++] = interval;
    }
    intervals.resize(count);
    return intervals;
}

std::vector<Interval> unite(const std::vector<Interval> &set, std::vector<Interval> more) {
    more = unite(std::move(more));
    if (more.empty())
        return set;
    std::vector<Interval> all;
    all.reserve(set.size() + more.size());
    std::merge(set.begin(), set.end(), more.begin(), more.end(), std::back_inserter(all),
               [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
    return unite(std::move(all));
}

std::vector<Interval> common(const std::vector<Interval> &a, const std::vector<Interval> &b) {
    std::vector<Interval> both;
    auto first = a.begin();
    auto second = b.begin();
    while (first != a.end() && second != b.end()) {
        const Interval part{std::max(first->begin, second->begin),
                            std::min(first->end, second->end)};
        if (part.begin < part.end)
            both.push_back(part);
        if (first->end < second->end)
            ++first;
        else
            ++second;
    }
    return both;
}

std::vector<Interval> rest_of(const std::vector<Interval> &set, Interval window) {
    std::vector<Interval> rest;
    Time from = window.begin;
    for (const Interval &interval : set) {
        if (interval.begin >= window.end)
            break;
        if (interval.begin > from)
            rest.push_back({from, interval.begin});
        from = std::max(from, interval.end);
    }
    if (from < window.end)
        rest.push_back({from, window.end});
    return rest;
}

Time length_within(const std::vector<Interval> &set, Interval window) {
    Time sum = 0;
    auto interval = std::partition_point(set.begin(), set.end(), [&](const Interval &interval) {
        return interval.end <= window.begin;
    });
    for (; interval != set.end() && interval->begin < window.end; ++interval)
        sum += std::max<Time>(0, std::min(interval->end, window.end) -
                                     std::max(interval->begin, window.begin));
    return sum;
}

Time common_length(const std::vector<Interval> &a, const std::vector<Interval> &b,
                   Interval window) {
    Time sum = 0;
    auto first = a.begin();
    auto second = b.begin();
    while (first != a.end() && second != b.end()) {
        const Time begin = std::max({first->begin, second->begin, window.begin});
        const Time end = std::min({first->end, second->end, window.end});
        sum += std::max<Time>(0, end - begin);
        if (first->end < second->end)
            ++first;
        else
            ++second;
    }
    return sum;
}

} // namespace loomp::analysis
