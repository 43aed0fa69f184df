#include "profiler/build/undeferred.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "profiler/build/gaps.h"

namespace loomp::analysis {

namespace {

/// When the creator may continue. A task without code is a taskwait with a depend clause.
Time end_of(const Trace &trace, Index task) {
    const auto segments = trace.segments_of(task);
    return segments.empty() ? trace.tasks[task].ended : segments.back().end;
}

Time begin_of(const Trace &trace, Index task) {
    const auto segments = trace.segments_of(task);
    return segments.empty() ? trace.tasks[task].ended : segments.front().begin;
}

} // namespace

std::vector<Dependence> add_waits_for_undeferred(Draft &draft) {
    Trace &trace = draft.trace;
    std::vector<Wait> waits;
    for (Index i = 0; i < trace.tasks.size(); ++i) {
        const Task &task = trace.tasks[i];
        if (!task.undeferred || task.parent == kNone || task.parent == i ||
            end_of(trace, i) == kNever)
            continue;
        const Time end = std::min(end_of(trace, i), next_gap(trace, task.creator, task.created));
        waits.push_back({.begin = task.created,
                         .end = std::max(task.created, end),
                         .task = task.parent,
                         .thread = task.creator,
                         .what = WaitFor::undeferred,
                         .undeferred = i});
    }
    std::vector<Dependence> order;
    if (waits.empty())
        return order;
    std::sort(waits.begin(), waits.end(), [](const Wait &a, const Wait &b) {
        return std::tie(a.task, a.begin, a.undeferred) < std::tie(b.task, b.begin, b.undeferred);
    });
    // libomp waits for a clause's predecessors in a taskwait with the clause, between the task's
    // creation and its begin.
    for (std::size_t i = 0; i + 1 < waits.size(); ++i) {
        const Time begin = begin_of(trace, waits[i].undeferred);
        for (std::size_t next = i + 1;
             next < waits.size() && waits[next].task == waits[i].task && waits[next].end <= begin &&
             trace.segments_of(waits[next].undeferred).empty();
             ++next) {
            waits[i].begin = std::max(waits[i].begin, waits[next].end);
            order.push_back({waits[next].undeferred, waits[i].undeferred});
        }
    }
    trace.waits.insert(trace.waits.end(), waits.begin(), waits.end());
    std::stable_sort(trace.waits.begin(), trace.waits.end(), [](const Wait &a, const Wait &b) {
        return std::tie(a.task, a.begin) < std::tie(b.task, b.begin);
    });
    // A creator that waits again at once does not continue between.
    for (std::size_t i = 0; i < trace.waits.size(); ++i) {
        const Wait &wait = trace.waits[i];
        const bool again = i + 1 < trace.waits.size() && trace.waits[i + 1].task == wait.task &&
                           trace.waits[i + 1].begin <= wait.end;
        if (wait.what == WaitFor::undeferred && !again)
            draft.resumptions.push_back({wait.task, wait.end});
    }
    return order;
}

} // namespace loomp::analysis
