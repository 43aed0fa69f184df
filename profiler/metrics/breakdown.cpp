#include "profiler/metrics/breakdown.h"

#include <algorithm>

#include "profiler/metrics/tasks.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

using Set = std::vector<Interval>;

void add(Outside &sum, const Outside &other) {
    sum.in_mpi += other.in_mpi;
    sum.waiting += other.waiting;
    sum.creating += other.creating;
}

/// Splits `window` outside `busy` into the parts inside `ready` and the rest.
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
/// Splits only the recorded part of `window` outside `busy`.
Parts outside(const Set &busy, const Set &ready, const Set &recorded, Interval window) {
    if (recorded.size() == 1 && recorded.front().begin <= window.begin &&
        recorded.front().end >= window.end)
        return outside(busy, ready, window);
    if (window.end <= window.begin)
        return {0, 0};
    const Set known = common(ready, recorded);
    const Time overhead = length_within(known, window) - common_length(busy, known, window);
    return {overhead,
            length_within(recorded, window) - common_length(busy, recorded, window) - overhead};
}

/// When the thread does work.
Set work_on(const Trace &trace, Index thread) {
    Set work;
    for (const Index i : trace.segments_on(thread))
        if (const Segment &segment = trace.segments[i]; trace.is_work(segment.task, thread))
            add_to(work, {segment.begin, segment.end});
    return unite(std::move(work));
}

/// Each thread's MPI calls in implicit tasks.
std::vector<Set> calls_outside_tasks(const Trace &trace) {
    std::vector<Set> calls(trace.threads.size());
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (!trace.tasks[task].works())
            visit_calls(trace, task, [&](const Call &, const Segment &segment, Interval part) {
                calls[segment.thread].push_back(part);
            });
    return calls;
}

/// When each thread's tasks wait for a mutex.
std::vector<Set> waits_for_mutexes(const Trace &trace) {
    std::vector<Set> waits(trace.threads.size());
    for (const Wait &wait : trace.waits)
        if (wait.what == WaitFor::mutex)
            waits[wait.thread].push_back({wait.begin, wait.end});
    return waits;
}

/// When each thread's implicit tasks wait; this includes tasks that run meanwhile.
std::vector<Set> waits_outside_tasks(const Trace &trace) {
    std::vector<Set> waits(trace.threads.size());
    for (const Wait &wait : trace.waits)
        if (trace.tasks[wait.task].implicit)
            waits[wait.thread].push_back({wait.begin, wait.end});
    return waits;
}

/// The time from each thread's first creation to its last one.
std::vector<Set> creations(const Trace &trace) {
    std::vector<Set> creating(trace.threads.size());
    for (const Discovery &row : discovery(trace))
        creating[row.thread].push_back(row.time);
    return creating;
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
        if (task.works())
            add_to(waiting[task.rank], {segment.ready, segment.begin});
    }
    for (std::vector<Interval> &of_rank : waiting)
        of_rank = unite(std::move(of_rank));
    return waiting;
}

std::vector<std::vector<Interval>> idle_times(const Trace &trace, Interval window) {
    const std::vector<Set> ready = waiting_of_ranks(trace);
    std::vector<Set> idle;
    idle.reserve(trace.threads.size());
    for (Index thread = 0; thread < trace.threads.size(); ++thread) {
        const Set not_idle = unite(ready[trace.threads[thread].rank], work_on(trace, thread));
        idle.push_back(common(rest_of(not_idle, window), trace.recorded(thread, window)));
    }
    return idle;
}

TimeBreakdown break_down(const Trace &trace, std::optional<Interval> window) {
    TimeBreakdown result{window.value_or(trace.makespan()), {}};
    result.threads.resize(trace.threads.size());

    const std::vector<Set> ready = waiting_of_ranks(trace);
    // Each of these in turn is added to the busy time; the remainder that disappears belongs to it.
    struct Reason {
        Time Outside::*of;
        std::vector<Set> when;
    };
    Reason reasons[] = {{&Outside::in_mpi, calls_outside_tasks(trace)},
                        {&Outside::waiting, waits_outside_tasks(trace)},
                        {&Outside::creating, creations(trace)}};
    std::vector<Set> blocked = waits_for_mutexes(trace);
    for (Index i = 0; i < trace.threads.size(); ++i) {
        const Set recorded = trace.recorded(i, result.window);
        Set busy = work_on(trace, i);
        Parts left = outside(busy, ready[trace.threads[i].rank], recorded, result.window);
        Breakdown &breakdown = result.threads[i];
        breakdown.work = length_within(busy, result.window);
        // A thread whose task waits for a mutex can run no other task.
        const Parts all = left;
        busy = unite(busy, std::move(blocked[i]));
        left = outside(busy, ready[trace.threads[i].rank], recorded, result.window);
        breakdown.of_idle.waiting = all.overhead + all.idle - left.overhead - left.idle;
        breakdown.overhead = left.overhead;
        breakdown.idle = left.idle;
        breakdown.idle += breakdown.of_idle.waiting;
        for (Reason &reason : reasons) {
            busy = unite(busy, std::move(reason.when[i]));
            const Parts parts =
                outside(busy, ready[trace.threads[i].rank], recorded, result.window);
            breakdown.of_overhead.*reason.of += left.overhead - parts.overhead;
            breakdown.of_idle.*reason.of += left.idle - parts.idle;
            left = parts;
        }
    }
    return result;
}

} // namespace loomp::analysis
