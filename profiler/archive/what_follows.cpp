#include "profiler/archive/what_follows.h"

#include <algorithm>

#include "loomp/omp-tools.h"

namespace loomp::analysis::archive {

using record::Event;
using record::Record;

namespace {

bool is_wait(Event event) { return event == Event::wait_begin || event == Event::wait_end; }

} // namespace

std::uint64_t task_before(std::span<const Record> rest, Time end, std::uint64_t implicit) {
    for (const Record &of : rest) {
        if (static_cast<Time>(of.time) >= end)
            return 0;
        if (of.event == Event::implicit_begin)
            return implicit;
        const bool of_another = of.detail == ompt_task_early_fulfill ||
                                of.detail == ompt_task_late_fulfill ||
                                of.detail == ompt_taskwait_complete;
        if (of.event == Event::implicit_end || (of.event == Event::schedule && !of_another) ||
            (is_wait(of.event) && of.task != 0))
            return of.task;
    }
    return 0;
}

/// The task's next action is to leave the call.
const Record *call_left_in(std::span<const Record> rest) {
    const auto next = std::find_if(rest.begin(), rest.end(), [](const Record &of) {
        return of.event != Event::completions && of.event != Event::finish &&
               of.event != Event::counters && of.event != Event::deleted;
    });
    return next != rest.end() && next->event == Event::leave_call ? &*next : nullptr;
}

const Record *wait_ended_in(std::span<const Record> rest) {
    const auto next = std::find_if(rest.begin(), rest.end(),
                                   [](const Record &of) { return of.event != Event::counters; });
    return next != rest.end() && next->event == Event::wait_end ? &*next : nullptr;
}

} // namespace loomp::analysis::archive
