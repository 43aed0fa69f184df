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
    for (const Record &record : rest) {
        if (static_cast<Time>(record.time) >= end)
            return 0;
        if (record.event == Event::implicit_begin)
            return implicit;
        const bool of_another = record.detail == ompt_task_early_fulfill ||
                                record.detail == ompt_task_late_fulfill ||
                                record.detail == ompt_taskwait_complete;
        if (record.event == Event::implicit_end ||
            (record.event == Event::schedule && !of_another) ||
            (is_wait(record.event) && record.task != 0))
            return record.task;
    }
    return 0;
}

/// True if a call records this before it returns. It records a start there if it did not know
/// before what it would start: a matched probe, or a call on a communicator without a number.
bool is_result_of_call(Event event) {
    switch (event) {
    case Event::completions:
    case Event::envelope:
    case Event::initialize:
    case Event::start:
    case Event::start_of:
    case Event::passed_on:
    case Event::finish:
    case Event::cancel:
    case Event::freed:
        return true;
    default:
        return false;
    }
}

/// The task's next action is to leave the call.
const Record *call_left_in(std::span<const Record> rest) {
    const auto next = std::find_if(rest.begin(), rest.end(), [](const Record &record) {
        return !is_result_of_call(record.event) && record.event != Event::counters &&
               record.event != Event::deleted;
    });
    return next != rest.end() && next->event == Event::leave_call ? &*next : nullptr;
}

const Record *wait_ended_in(std::span<const Record> rest) {
    const auto next = std::find_if(rest.begin(), rest.end(), [](const Record &record) {
        return record.event != Event::counters;
    });
    return next != rest.end() && next->event == Event::wait_end ? &*next : nullptr;
}

} // namespace loomp::analysis::archive
