#include "analysis/code.h"

#include <algorithm>

namespace loomp::analysis {

namespace {

void add_code_of(const Trace &trace, Index task, std::vector<Stretch> &code) {
    const auto calls = trace.calls_of(task);
    std::size_t next = 0; // call that has not ended
    Index section = 0;
    for (const Segment &segment : trace.segments_of(task)) {
        Time from = segment.begin;
        while (from < segment.end) {
            const bool any = next < calls.size();
            const Time until = any ? std::min(calls[next].begin, segment.end) : segment.end;
            if (from < until)
                code.push_back({from, until, task, segment.thread, section});
            if (!any || calls[next].begin > segment.end || calls[next].end > segment.end)
                break; // the segment ends before the call does
            from = std::max(from, calls[next].end);
            section += cuts(calls[next]) ? 1 : 0;
            ++next;
        }
    }
}

} // namespace

std::vector<Stretch> code_of(const Trace &trace) {
    std::vector<Stretch> code;
    code.reserve(trace.segments.size() + trace.calls.size());
    for (Index task = 0; task < trace.tasks.size(); ++task)
        add_code_of(trace, task, code);
    return code;
}

} // namespace loomp::analysis
