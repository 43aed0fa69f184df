#include "profiler/trace/trace.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace loomp::analysis {

void Trace::order_segments() {
    thread_segments.assign(threads.size() + 1, 0);
    for (const Segment &segment : segments)
        ++thread_segments[segment.thread + 1];
    std::partial_sum(thread_segments.begin(), thread_segments.end(), thread_segments.begin());
    ordered_segments.resize(segments.size());
    std::vector<Index> next(thread_segments.begin(), thread_segments.end() - 1);
    for (Index i = 0; i < segments.size(); ++i)
        ordered_segments[next[segments[i].thread]++] = i;
    std::vector<std::pair<Time, Index>> order; // of one thread; faster than by its segments
    for (Index thread = 0; thread < threads.size(); ++thread) {
        const auto first = ordered_segments.begin() + thread_segments[thread];
        const auto last = ordered_segments.begin() + thread_segments[thread + 1];
        order.clear();
        for (auto i = first; i != last; ++i)
            order.emplace_back(segments[*i].begin, *i);
        // An empty segment comes before one that begins then.
        std::stable_sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
            return a.first != b.first ? a.first < b.first
                                      : segments[a.second].end < segments[b.second].end;
        });
        std::transform(order.begin(), order.end(), first, [](const auto &at) { return at.second; });
    }
}

std::size_t Trace::count_tasks() const {
    std::size_t count = 0;
    for (Index i = 0; i < tasks.size(); ++i)
        count += !tasks[i].implicit && !is_taskwait(i);
    return count;
}

std::size_t Trace::count_threads() const {
    return static_cast<std::size_t>(std::count_if(
        threads.begin(), threads.end(), [](const Thread &thread) { return !thread.stands_in; }));
}

std::vector<std::size_t> Trace::count_threads_of_ranks() const {
    std::vector<std::size_t> counts(ranks, 0);
    for (const Thread &thread : threads)
        counts[thread.rank] += thread.stands_in ? 0 : 1;
    return counts;
}

std::vector<Interval> Trace::recorded(Index thread, Interval window) const {
    std::vector<Interval> parts;
    if (threads[thread].stands_in)
        return parts;
    for (const Unrecorded &gap : unrecorded) {
        if (gap.thread != thread)
            continue;
        if (window.begin < std::min(gap.time.begin, window.end))
            parts.push_back({window.begin, std::min(gap.time.begin, window.end)});
        window.begin = std::max(window.begin, gap.time.end);
    }
    if (window.begin < window.end)
        parts.push_back(window);
    return parts;
}

Interval Trace::run() const {
    Interval span{kNever, std::numeric_limits<Time>::min()};
    for (const Interval &of_rank : runs)
        span = {std::min(span.begin, of_rank.begin), std::max(span.end, of_rank.end)};
    return span.begin == kNever ? Interval{} : span;
}

bool Trace::has_tasks() const {
    return std::any_of(segments.begin(), segments.end(),
                       [&](const Segment &segment) { return !tasks[segment.task].implicit; });
}

Interval Trace::makespan() const {
    Interval span{kNever, std::numeric_limits<Time>::min()};
    for (const Segment &segment : segments) {
        if (!tasks[segment.task].works())
            continue;
        span.begin = std::min(span.begin, segment.begin);
        span.end = std::max(span.end, segment.end);
    }
    return span.begin == kNever ? Interval{} : span;
}

} // namespace loomp::analysis
