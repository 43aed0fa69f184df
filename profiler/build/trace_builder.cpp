#include "profiler/build/trace_builder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "profiler/build/finishing.h"
#include "profiler/format/format.h"
#include "profiler/trace/clean_text.h"

namespace loomp::analysis {

Index TraceBuilder::add_thread(Index rank, Index number, bool stands_in) {
    draft_.trace.threads.push_back({rank, number, stands_in});
    threads_.emplace_back();
    return static_cast<Index>(draft_.trace.threads.size() - 1);
}

Index TraceBuilder::add_kind(const std::string &label, const std::string &source) {
    draft_.trace.kinds.push_back({clean_name(label), clean_text(source)});
    return static_cast<Index>(draft_.trace.kinds.size() - 1);
}

Index &TraceBuilder::named(Names &names, Index rank, std::uint64_t id) {
    while (names.size() <= rank)
        names.emplace_back(kNone);
    return names[rank][id];
}

Index TraceBuilder::task(Index rank, std::uint64_t id) {
    Index &index = named(task_names_, rank, id);
    if (index == kNone) {
        index = static_cast<Index>(draft_.trace.tasks.size());
        draft_.trace.tasks.push_back({.id = id, .rank = rank});
    }
    return index;
}

Index TraceBuilder::request(Index rank, std::uint64_t id) {
    Index &index = named(request_names_, rank, id);
    if (index == kNone) {
        index = static_cast<Index>(draft_.trace.requests.size());
        draft_.trace.requests.push_back({.rank = rank});
    }
    return index;
}

void TraceBuilder::expect(std::size_t events) {
    constexpr std::size_t kMost = std::size_t{1} << 26; // larger traces grow
    events = std::min(events, kMost);
    // A task has about eight events, plus one for each item in its depend clause.
    draft_.trace.tasks.reserve(events / 4);
    draft_.trace.segments.reserve(events / 4);
    draft_.accesses.reserve(events / 2);
}

// Tasks

void TraceBuilder::create(Index thread, Time time, std::uint64_t id, Index kind, bool undeferred) {
    const Index created = task(rank_of(thread), id);
    Task &task = draft_.trace.tasks[created];
    if (task.created != kNever)
        draft_.problem("task " + std::to_string(id) + " is created twice");
    task.created = time;
    task.kind = kind;
    task.undeferred = undeferred;
    task.creator = thread;
    task.parent = threads_[thread].task;
    threads_[thread].latest = time;
}

void TraceBuilder::set_implicit(Index thread, std::uint64_t id) {
    draft_.trace.tasks[task(rank_of(thread), id)].implicit = true;
}

void TraceBuilder::close_segment(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    draft_.trace.segments[state.segment].end = time;
    if (state.call != kNone)
        draft_.trace.calls[state.call].end = time;
    state.task = state.segment = state.call = kNone;
    state.inner = 0;
}

void TraceBuilder::run(Index thread, Time time, std::uint64_t id) {
    const Index runs = task(rank_of(thread), id);
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == runs)
        return;
    if (Task &task = draft_.trace.tasks[runs]; task.implicit && task.created == kNever) {
        task.created = time;
        task.creator = thread;
        task.parent = state.task;
    }
    if (state.task != kNone)
        close_segment(thread, time);
    state.task = runs;
    state.segment = static_cast<Index>(draft_.trace.segments.size());
    draft_.trace.segments.push_back({.begin = time, .end = time, .task = runs, .thread = thread});
}

void TraceBuilder::leave(Index thread, Time time, Leaving why) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        draft_.problem("a thread leaves a task that it is not in");
        return;
    }
    const Index left = state.task;
    close_segment(thread, time);
    if (why == Leaving::ended && !draft_.trace.tasks[left].completes_later)
        draft_.trace.tasks[left].ended = time;
    if (why == Leaving::yielded)
        draft_.resumptions.push_back({left, time});
}

void TraceBuilder::completes_later(Index thread, std::uint64_t id) {
    draft_.trace.tasks[task(rank_of(thread), id)].completes_later = true;
}

void TraceBuilder::complete(Index thread, Time time, std::uint64_t id) {
    const Index completed = task(rank_of(thread), id);
    draft_.trace.tasks[completed].ended = time;
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task != kNone && state.task != completed)
        draft_.trace.fulfilments.push_back({time, completed, state.task, thread});
}

void TraceBuilder::deleted(Index thread, Time time, std::uint64_t id) {
    draft_.trace.tasks[task(rank_of(thread), id)].deleted = time;
    threads_[thread].latest = time;
}

void TraceBuilder::resumable(Index thread, Time time, std::uint64_t id) {
    draft_.resumptions.push_back({task(rank_of(thread), id), time});
    threads_[thread].latest = time;
}

void TraceBuilder::depend(Index rank, std::uint64_t from, std::uint64_t to) {
    const Index predecessor = task(rank, from);
    draft_.trace.dependences.push_back({predecessor, task(rank, to)});
}

void TraceBuilder::access(Index rank, std::uint64_t id, AccessKind kind, std::uint64_t location) {
    draft_.accesses.push_back({task(rank, id), kind, location});
}

void TraceBuilder::begin_wait(Index thread, Time time, WaitFor what, Index kind) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        draft_.problem("a thread waits outside any task");
        return;
    }
    draft_.wait_points.push_back({time, state.task, thread, what, true, kind});
}

void TraceBuilder::end_wait(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task != kNone)
        draft_.wait_points.push_back({time, state.task, thread, WaitFor::tasks, false});
}

void TraceBuilder::add_mutex_point(Index thread, Time time, std::uint64_t mutex,
                                   MutexPoint::Kind kind) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone && kind != MutexPoint::renew)
        return;
    Index &name = named(mutex_names_, rank_of(thread), mutex);
    if (name == kNone)
        name = mutexes_++;
    draft_.mutex_points.push_back({time, state.task, thread, name, kind});
}

void TraceBuilder::acquire(Index thread, Time time, std::uint64_t mutex) {
    add_mutex_point(thread, time, mutex, MutexPoint::acquire);
}

void TraceBuilder::release(Index thread, Time time, std::uint64_t mutex) {
    add_mutex_point(thread, time, mutex, MutexPoint::release);
}

void TraceBuilder::renew(Index thread, Time time, std::uint64_t mutex) {
    add_mutex_point(thread, time, mutex, MutexPoint::renew);
}

void TraceBuilder::enter_construct(Index thread, Time time, Index kind, ConstructKind what,
                                   std::uint64_t region) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone || !draft_.trace.tasks[state.task].implicit) {
        state.constructs.push_back(kNone); // from another tool's trace
        return;
    }
    if (region == 0 && !state.constructs.empty() && state.constructs.back() != kNone &&
        what != ConstructKind::parallel)
        region = draft_.trace.constructs[state.constructs.back()].region;
    state.constructs.push_back(static_cast<Index>(draft_.trace.constructs.size()));
    draft_.trace.constructs.push_back({time, kNever, state.task, thread, kind, region, what});
}

void TraceBuilder::leave_construct(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.constructs.empty())
        return;
    if (state.constructs.back() != kNone)
        draft_.trace.constructs[state.constructs.back()].end = time;
    state.constructs.pop_back();
}

void TraceBuilder::enter_user(Index thread, Time time, Index kind, bool again) {
    threads_[thread].latest = time;
    draft_.user_points.push_back({time, threads_[thread].task, thread, kind, true, again});
}

void TraceBuilder::leave_user(Index thread, Time time, Index kind, bool for_now) {
    threads_[thread].latest = time;
    draft_.user_points.push_back({time, threads_[thread].task, thread, kind, false, for_now});
}

void TraceBuilder::close_constructs(Index thread, Time time) {
    while (!threads_[thread].constructs.empty())
        leave_construct(thread, time);
}

// MPI calls

Index TraceBuilder::open_call(Index thread, Index index, Time time, Index function) {
    draft_.trace.calls.push_back(
        {.begin = time, .end = time, .task = index, .thread = thread, .function = function});
    return static_cast<Index>(draft_.trace.calls.size() - 1);
}

void TraceBuilder::enter_call(Index thread, Time time, Index function) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        draft_.problem("an MPI call outside any task");
        return;
    }
    if (state.call != kNone) { // time of a call inside another belongs to the outer one
        ++state.inner;
        return;
    }
    state.call = open_call(thread, state.task, time, function);
    draft_.trace.calls[state.call].open = true;
}

void TraceBuilder::resume_call(Index thread, Time time, Index function) {
    if (threads_[thread].call != kNone)
        return;
    enter_call(thread, time, function);
    if (threads_[thread].call != kNone)
        draft_.resumed_calls.push_back(threads_[thread].call);
}

void TraceBuilder::leave_call(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.inner > 0) {
        --state.inner;
        return;
    }
    if (state.call != kNone) {
        draft_.trace.calls[state.call].end = time;
        draft_.trace.calls[state.call].open = false;
    }
    state.call = kNone;
}

void TraceBuilder::start(Index thread, Time time, std::uint64_t id, const Request &told) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        draft_.problem("an MPI request is started outside any task");
        return;
    }
    const Index started = request(rank_of(thread), id);
    Request &request = draft_.trace.requests[started];
    if (request.started != kNever) {
        draft_.problem("MPI request " + std::to_string(id) + " is started twice");
        return;
    }
    // The completion on another thread knows the actual envelope.
    if (request.peer == kNone) {
        request.communicator = told.communicator;
        request.peer = told.peer;
        request.tag = told.tag;
    }
    request.kind = told.kind;
    request.wildcard = told.wildcard;
    request.bytes = std::max(request.bytes, told.bytes);
    request.started = time;
    request.start_call = state.call != kNone ? state.call : open_call(thread, state.task, time);
    draft_.changes.push_back({request.start_call, {started, false}});
}

void TraceBuilder::enter_completion(Index call, Time time, Index completed) {
    Request &request = draft_.trace.requests[completed];
    if (request.completed != kNever) {
        draft_.problem("an MPI request is completed twice");
        return;
    }
    request.completed = time;
    request.completion_call = call;
    draft_.changes.push_back({call, {completed, true}});
}

void TraceBuilder::finish(Index thread, Time time, std::uint64_t id) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        draft_.problem("an MPI request is completed outside any task");
        return;
    }
    enter_completion(state.call != kNone ? state.call : open_call(thread, state.task, time), time,
                     request(rank_of(thread), id));
}

void TraceBuilder::finish_for(Index thread, Time time, std::uint64_t id, std::uint64_t waiting) {
    threads_[thread].latest = time;
    const Index index = task(rank_of(thread), waiting);
    enter_completion(open_call(thread, index, time), time, request(rank_of(thread), id));
}

void TraceBuilder::cancel(Index thread, Time time, std::uint64_t id) {
    threads_[thread].latest = time;
    draft_.trace.requests[request(rank_of(thread), id)].cancelled = true;
}

void TraceBuilder::set_envelope(Index thread, std::uint64_t id, Index communicator, Index peer,
                                std::int32_t tag) {
    Request &received = draft_.trace.requests[request(rank_of(thread), id)];
    received.communicator = communicator;
    received.peer = peer;
    received.tag = tag;
}

void TraceBuilder::set_bytes(Index thread, std::uint64_t id, std::uint64_t bytes) {
    draft_.trace.requests[request(rank_of(thread), id)].bytes = bytes;
}

// Devices

void TraceBuilder::device_work(const DeviceWork &work, std::uint64_t id) {
    draft_.trace.device_work.push_back(work);
    // A task that only device work names does not exist.
    draft_.trace.device_work.back().task = id == 0 ? kNone : named(task_names_, work.rank, id);
}

// Counters, times of which nothing is known, and the end

void TraceBuilder::set_counters(std::vector<std::string> names) {
    const auto cpu_time = std::find(names.begin(), names.end(), record::kCpuTimeCounter);
    if (cpu_time != names.end())
        cpu_time_ = static_cast<std::size_t>(cpu_time - names.begin());
    for (std::string &name : names)
        name = clean_text(name);
    draft_.trace.counters = std::move(names);
}

void TraceBuilder::count(Index thread, Time time, const std::vector<std::uint64_t> &values) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    const std::size_t size = draft_.trace.counters.size();
    if (cpu_time_ < values.size()) {
        std::vector<std::vector<CpuReading>> &clocks = draft_.trace.cpu_clocks;
        if (clocks.size() < draft_.trace.threads.size())
            clocks.resize(draft_.trace.threads.size());
        clocks[thread].push_back({time, static_cast<Time>(values[cpu_time_])});
    }
    if (state.task != kNone && !state.counters.empty() && values.size() == size) {
        const std::size_t first = state.task * size;
        if (draft_.trace.counts.size() < first + size)
            draft_.trace.counts.resize(std::max(first + size, draft_.trace.counts.size() * 3 / 2));
        for (std::size_t i = 0; i < size; ++i)
            draft_.trace.counts[first + i] += values[i] - std::min(values[i], state.counters[i]);
    }
    state.counters = values;
}

void TraceBuilder::unknown(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.unknown_since != kNever)
        return;
    state.unknown_since = time;
    state.counters.clear();
    state.inner = 0;
    leave_call(thread, time);
    close_constructs(thread, time);
    if (state.task != kNone)
        close_segment(thread, time);
}

void TraceBuilder::known(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.unknown_since != kNever)
        draft_.trace.unrecorded.push_back({thread, {state.unknown_since, time}});
    state.unknown_since = kNever;
}

void TraceBuilder::end_of_thread(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    close_constructs(thread, std::max(time, state.latest));
    if (state.task != kNone)
        close_segment(thread, std::max(time, state.latest));
    if (state.unknown_since != kNever)
        draft_.trace.unrecorded.push_back({thread, {state.unknown_since, kNever}});
    state.unknown_since = kNever;
}

Trace TraceBuilder::take() {
    if (!draft_.trace.cpu_clocks.empty())
        draft_.trace.cpu_clocks.resize(draft_.trace.threads.size());
    for (Index thread = 0; thread < threads_.size(); ++thread) {
        end_of_thread(thread, threads_[thread].latest);
        draft_.latest.push_back(threads_[thread].latest);
    }
    task_names_.clear();
    request_names_.clear();
    mutex_names_.clear();
    return make_trace(std::move(draft_));
}

} // namespace loomp::analysis
