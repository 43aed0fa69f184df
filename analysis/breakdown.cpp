#include "analysis/breakdown.h"

#include <algorithm>

#include "analysis/intervals.h"

namespace loomp::analysis {

Breakdown &Breakdown::operator+=(const Breakdown &other) {
    work += other.work;
    overhead += other.overhead;
    idle += other.idle;
    return *this;
}

Breakdown TimeBreakdown::of_rank(const Trace &trace, Index rank) const {
    Breakdown sum;
    for (Index i = 0; i < threads.size(); ++i)
        if (trace.threads[i].rank == rank)
            sum += threads[i];
    return sum;
}

Breakdown TimeBreakdown::total() const {
    Breakdown sum;
    for (const Breakdown &thread : threads)
        sum += thread;
    return sum;
}

TimeBreakdown break_down(const Trace &trace, std::optional<Interval> window) {
    TimeBreakdown result{window.value_or(trace.makespan()), {}};
    result.threads.resize(trace.threads.size());

    std::vector<std::vector<Interval>> ready(trace.ranks);
    std::vector<std::vector<Interval>> work(trace.threads.size());
    for (const Segment &segment : trace.segments) {
        const Task &task = trace.tasks[segment.task];
        if (task.implicit)
            continue;
        work[segment.thread].push_back({segment.begin, segment.end});
        if (segment.ready < segment.begin)
            ready[task.rank].push_back({segment.ready, segment.begin});
    }
    for (std::vector<Interval> &of_rank : ready)
        of_rank = unite(std::move(of_rank));
    for (Index i = 0; i < work.size(); ++i) {
        const std::vector<Interval> busy = unite(std::move(work[i]));
        const std::vector<Interval> &waiting = ready[trace.threads[i].rank];
        Breakdown &of = result.threads[i];
        of.work = length_within(busy, result.window);
        of.overhead =
            length_within(waiting, result.window) - common_length(busy, waiting, result.window);
        of.idle = result.window.length() - of.work - of.overhead;
    }
    return result;
}

} // namespace loomp::analysis
