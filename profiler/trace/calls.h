// MPI calls while their tasks have a thread. A suspended task blocks no thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

constexpr Interval common(Interval a, Interval b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// The trace's call for a completion that no call found: it holds no thread.
inline bool completes_without_call(const Call &call) {
    return call.begin == call.end && call.function == kNone;
}

/// Calls `visit(call, segment, interval)` for each part of a task's calls in which it is on a
/// thread.
template <class Visit> void visit_calls(const Trace &trace, Index task, Visit visit) {
    const auto segments = trace.segments_of(task);
    std::size_t first = 0;
    for (const Call &call : trace.calls_of(task)) {
        if (completes_without_call(call))
            continue;
        while (first < segments.size() && segments[first].end <= call.begin)
            ++first;
        for (std::size_t i = first; i < segments.size() && segments[i].begin < call.end; ++i)
            visit(call, segments[i],
                  common({call.begin, call.end}, {segments[i].begin, segments[i].end}));
    }
}

/// The thread on which a task is in a call at some time: the one on which it entered the call,
/// before that. If another thread found the completion for the task, that thread.
inline Index thread_at(const Trace &trace, const Call &call, Time time) {
    Index thread = call.thread;
    if (completes_without_call(call))
        return thread;
    for (const Segment &segment : trace.segments_of(call.task)) {
        if (segment.begin > time)
            break;
        thread = segment.thread;
    }
    return thread;
}

} // namespace loomp::analysis
