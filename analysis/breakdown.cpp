#include "analysis/breakdown.h"

#include <algorithm>

#include "analysis/calls.h"
#include "analysis/intervals.h"
#include "analysis/tasks.h"

namespace loomp::analysis {

namespace {

using Set = std::vector<Interval>;

void add(Outside &sum, const Outside &other) {
    sum.creating += other.creating;
    sum.in_mpi += other.in_mpi;
}

/// The parts of `window` that are outside `busy`, and those of them that are in `ready`.
struct Parts {
    Time overhead;
    Time idle;
};
Parts outside(const Set &busy, const Set &ready, Interval window) {
    if (window.end <= window.begin)
        return {0, 0};
    const Time overhead = length_within(ready, window) - common_length(busy, ready, window);
    return {overhead, window.length() - length_within(busy, window) - overhead};
}

/// For each thread, its calls of MPI in implicit tasks.
std::vector<Set> calls_outside_tasks(const Trace &trace) {
    std::vector<Set> calls(trace.threads.size());
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (trace.tasks[task].implicit)
            visit_calls(trace, task, [&](const Call &, const Segment &segment, Interval part) {
                calls[segment.thread].push_back(part);
            });
    for (Set &of_thread : calls)
        of_thread = unite(std::move(of_thread));
    return calls;
}

} // namespace

Breakdown &Breakdown::operator+=(const Breakdown &other) {
    work += other.work;
    overhead += other.overhead;
    idle += other.idle;
    add(of_overhead, other.of_overhead);
    add(of_idle, other.of_idle);
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

std::vector<std::vector<Interval>> waiting_of_ranks(const Trace &trace) {
    std::vector<std::vector<Interval>> waiting(trace.ranks);
    for (const Segment &segment : trace.segments) {
        const Task &task = trace.tasks[segment.task];
        if (!task.implicit && segment.ready < segment.begin)
            waiting[task.rank].push_back({segment.ready, segment.begin});
    }
    for (std::vector<Interval> &of_rank : waiting)
        of_rank = unite(std::move(of_rank));
    return waiting;
}

TimeBreakdown break_down(const Trace &trace, std::optional<Interval> window) {
    TimeBreakdown result{window.value_or(trace.makespan()), {}};
    result.threads.resize(trace.threads.size());

    const std::vector<Set> ready = waiting_of_ranks(trace);
    std::vector<Set> work(trace.threads.size());
    for (const Segment &segment : trace.segments)
        if (!trace.tasks[segment.task].implicit)
            work[segment.thread].push_back({segment.begin, segment.end});
    for (Index i = 0; i < work.size(); ++i) {
        const Set busy = unite(work[i]);
        const Parts parts = outside(busy, ready[trace.threads[i].rank], result.window);
        Breakdown &of = result.threads[i];
        of.work = length_within(busy, result.window);
        of.overhead = parts.overhead;
        of.idle = parts.idle;
    }
    // Once more with MPI calls counted as busy: what is missing then is in them.
    const std::vector<Set> calls = calls_outside_tasks(trace);
    for (Index i = 0; i < work.size(); ++i) {
        work[i].insert(work[i].end(), calls[i].begin(), calls[i].end());
        work[i] = unite(std::move(work[i]));
        const Parts parts = outside(work[i], ready[trace.threads[i].rank], result.window);
        Breakdown &of = result.threads[i];
        of.of_overhead.in_mpi = of.overhead - parts.overhead;
        of.of_idle.in_mpi = of.idle - parts.idle;
    }
    for (const Discovery &creating : discovery(trace)) {
        const Parts parts =
            outside(work[creating.thread], ready[trace.threads[creating.thread].rank],
                    common(creating.time, result.window));
        result.threads[creating.thread].of_overhead.creating = parts.overhead;
        result.threads[creating.thread].of_idle.creating = parts.idle;
    }
    return result;
}

} // namespace loomp::analysis
