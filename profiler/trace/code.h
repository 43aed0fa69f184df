// The code of tasks: what they ran outside MPI calls, cut where a call starts or completes a
// request (thesis of R. Pereira, 4.1.3, step b).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// A piece of a task's code, on one thread without a break.
struct Stretch {
    Time begin;
    Time end;
    Index task;
    Index thread;
    Index section; ///< of the task: how many calls that cut it came before
};

/// A call that starts or completes a request, and so ends a section; others, such as a test that
/// finds nothing, are time in MPI all the same.
inline bool cuts(const Call &call) { return call.changes_count > 0; }

/// Calls `visit(stretch)` for each piece of the task's code, in order of time.
template <class Visit> void visit_code(const Trace &trace, Index task, Visit visit) {
    const auto calls = trace.calls_of(task);
    std::size_t next = 0; // call that has not ended
    Index section = 0;
    for (const Segment &segment : trace.segments_of(task)) {
        Time from = segment.begin;
        while (from < segment.end) {
            const bool any = next < calls.size();
            const Time until = any ? std::min(calls[next].begin, segment.end) : segment.end;
            if (from < until)
                visit(Stretch{from, until, task, segment.thread, section});
            if (!any || calls[next].begin > segment.end || calls[next].end > segment.end)
                break; // the segment ends before the call does
            from = std::max(from, calls[next].end);
            section += cuts(calls[next]) ? 1 : 0;
            ++next;
        }
    }
}

/// Of all tasks, task by task, in order of time. None is empty.
std::vector<Stretch> code_of(const Trace &trace);

} // namespace loomp::analysis
