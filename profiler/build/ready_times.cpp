#include "profiler/build/ready_times.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "profiler/trace/turns.h"

namespace loomp::analysis {

namespace {

/// The time when the requests that the task waited for in its call had been found completed, or
/// kNever.
Time completion_before(const Trace &trace, Time suspended, const Segment &resumed) {
    const auto calls = trace.calls_of(resumed.task);
    const auto after =
        std::upper_bound(calls.begin(), calls.end(), suspended,
                         [](Time time, const Call &call) { return time < call.begin; });
    if (after == calls.begin() || std::prev(after)->end < resumed.begin)
        return kNever;
    Time latest = suspended;
    bool any = false;
    for (const Change &change : trace.changes_of(*std::prev(after)))
        if (change.completes) {
            latest = std::max(latest, trace.requests[change.request].completed);
            any = true;
        }
    return any ? latest : kNever;
}

} // namespace

void set_ready_times(Draft &draft) {
    Trace &trace = draft.trace;
    // The first segment of a task is ready when the task was created and its predecessors were
    // done.
    std::vector<Time> ready(trace.tasks.size());
    for (Index i = 0; i < ready.size(); ++i)
        ready[i] = trace.tasks[i].created;
    for (const Dependence &dependence : trace.dependences) {
        Time &time = ready[dependence.to];
        time = std::max(time, trace.tasks[dependence.from].ended);
    }
    // A mutex lets a task run when the one that had it before has completed.
    for (const Dependence &turn : turns_of(trace))
        if (ready[turn.to] != kNever)
            ready[turn.to] = std::max(ready[turn.to], trace.tasks[turn.from].ended);
    // A later segment is ready at the last event since the segment before that lets the task
    // continue.
    std::sort(draft.resumptions.begin(), draft.resumptions.end(),
              [](const Resumption &a, const Resumption &b) {
                  return a.task != b.task ? a.task < b.task : a.time < b.time;
              });
    auto next = draft.resumptions.begin();
    for (std::size_t i = 0; i < trace.segments.size(); ++i) {
        Segment &segment = trace.segments[i];
        const bool first = i == 0 || trace.segments[i - 1].task != segment.task;
        if (first)
            segment.ready = ready[segment.task];
        while (next != draft.resumptions.end() && next->task < segment.task)
            ++next;
        for (; next != draft.resumptions.end() && next->task == segment.task &&
               next->time <= segment.begin;
             ++next)
            if (!first)
                segment.ready = std::max(next->time, trace.segments[i - 1].end);
        if (!first && segment.ready == kNever)
            segment.ready = completion_before(trace, trace.segments[i - 1].end, segment);
        segment.ready = std::min(segment.ready, segment.begin);
    }
}

} // namespace loomp::analysis
