// The code of tasks outside MPI calls, cut where a call starts or completes a request (thesis of R.
// Pereira, 4.1.3, step b).
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
    Index section; ///< in the task: count of earlier calls that cut it
};

/// A call that starts or completes a request ends a section. Other calls, such as a test that finds
/// nothing, are still time in MPI.
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

/// Code of all tasks, grouped by task and in order of time. No piece is empty.
std::vector<Stretch> code_of(const Trace &trace);

} // namespace loomp::analysis
