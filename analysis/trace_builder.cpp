#include "analysis/trace_builder.h"

#include <algorithm>
#include <cstddef>
#include <future>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/grouping.h"
#include "analysis/matching.h"

namespace loomp::analysis {

namespace {

// More say nothing more.
constexpr std::size_t kMostProblems = 100;

/// Where the elements of each task begin in a vector sorted by task.
template <typename Element>
std::vector<Index> begins_of_tasks(const std::vector<Element> &sorted, std::size_t tasks) {
    std::vector<Index> begins(tasks + 1, 0);
    for (const Element &element : sorted)
        ++begins[element.task + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    return begins;
}

} // namespace

Index TraceBuilder::add_thread(Index rank, Index number) {
    trace_.threads.push_back({rank, number});
    threads_.emplace_back();
    return static_cast<Index>(trace_.threads.size() - 1);
}

Index TraceBuilder::add_kind(std::string label, std::string source) {
    trace_.kinds.push_back({std::move(label), std::move(source)});
    return static_cast<Index>(trace_.kinds.size() - 1);
}

Index &TraceBuilder::named(Names &names, Index rank, std::uint64_t id) {
    while (names.size() <= rank)
        names.emplace_back(kNone);
    return names[rank][id];
}

Index TraceBuilder::task(Index rank, std::uint64_t id) {
    Index &index = named(task_names_, rank, id);
    if (index == kNone) {
        index = static_cast<Index>(trace_.tasks.size());
        trace_.tasks.push_back({.id = id, .rank = rank});
        completes_later_.push_back(false);
    }
    return index;
}

Index TraceBuilder::request(Index rank, std::uint64_t id) {
    Index &index = named(request_names_, rank, id);
    if (index == kNone) {
        index = static_cast<Index>(trace_.requests.size());
        trace_.requests.push_back({.rank = rank});
    }
    return index;
}

void TraceBuilder::expect(std::size_t events) {
    constexpr std::size_t kMost = std::size_t{1} << 26; // larger ones grow
    events = std::min(events, kMost);
    // A task has about eight, and as many more as items in its depend clause.
    trace_.tasks.reserve(events / 4);
    trace_.segments.reserve(events / 4);
    accesses_.reserve(events / 2);
}

void TraceBuilder::problem(std::string text) {
    if (trace_.problems.size() < kMostProblems)
        trace_.problems.push_back(std::move(text));
}

// Tasks

void TraceBuilder::create(Index thread, Time time, std::uint64_t id, Index kind) {
    const Index created = task(rank_of(thread), id);
    Task &of = trace_.tasks[created];
    if (of.created != kNever)
        problem("task " + std::to_string(id) + " is created twice");
    of.created = time;
    of.kind = kind;
    of.creator = thread;
    of.parent = threads_[thread].task;
    threads_[thread].latest = time;
}

void TraceBuilder::set_implicit(Index thread, std::uint64_t id) {
    trace_.tasks[task(rank_of(thread), id)].implicit = true;
}

void TraceBuilder::close_segment(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    trace_.segments[state.segment].end = time;
    if (state.call != kNone)
        trace_.calls[state.call].end = time;
    state.task = state.segment = state.call = kNone;
    state.inner = 0;
}

void TraceBuilder::run(Index thread, Time time, std::uint64_t id) {
    const Index runs = task(rank_of(thread), id);
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == runs)
        return;
    if (state.task != kNone)
        close_segment(thread, time);
    state.task = runs;
    state.segment = static_cast<Index>(trace_.segments.size());
    trace_.segments.push_back({.begin = time, .end = time, .task = runs, .thread = thread});
}

void TraceBuilder::leave(Index thread, Time time, Leaving why) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        problem("a thread leaves a task that it is not in");
        return;
    }
    const Index left = state.task;
    close_segment(thread, time);
    if (why == Leaving::ended && !completes_later_[left])
        trace_.tasks[left].ended = time;
    if (why == Leaving::yielded)
        resumptions_.push_back({left, time});
}

void TraceBuilder::completes_later(Index thread, std::uint64_t id) {
    completes_later_[task(rank_of(thread), id)] = true;
}

void TraceBuilder::complete(Index thread, Time time, std::uint64_t id) {
    trace_.tasks[task(rank_of(thread), id)].ended = time;
    threads_[thread].latest = time;
}

void TraceBuilder::resumable(Index thread, Time time, std::uint64_t id) {
    resumptions_.push_back({task(rank_of(thread), id), time});
    threads_[thread].latest = time;
}

void TraceBuilder::depend(Index rank, std::uint64_t from, std::uint64_t to) {
    const Index predecessor = task(rank, from);
    trace_.dependences.push_back({predecessor, task(rank, to)});
}

void TraceBuilder::access(Index rank, std::uint64_t id, AccessKind kind, std::uint64_t location) {
    accesses_.push_back({task(rank, id), kind, location});
}

void TraceBuilder::begin_wait(Index thread, Time time, WaitFor what, Index kind) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        problem("a thread waits outside any task");
        return;
    }
    wait_points_.push_back({time, state.task, thread, what, true, kind});
}

void TraceBuilder::end_wait(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task != kNone)
        wait_points_.push_back({time, state.task, thread, WaitFor::tasks, false});
}

void TraceBuilder::enter_construct(Index thread, Time time, Index kind, ConstructKind what,
                                   std::uint64_t region) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone || !trace_.tasks[state.task].implicit) {
        state.constructs.push_back(kNone); // of another tool's trace
        return;
    }
    if (region == 0 && !state.constructs.empty() && state.constructs.back() != kNone &&
        what != ConstructKind::parallel)
        region = trace_.constructs[state.constructs.back()].region;
    state.constructs.push_back(static_cast<Index>(trace_.constructs.size()));
    trace_.constructs.push_back({time, kNever, state.task, thread, kind, region, what});
}

void TraceBuilder::leave_construct(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.constructs.empty())
        return;
    if (state.constructs.back() != kNone)
        trace_.constructs[state.constructs.back()].end = time;
    state.constructs.pop_back();
}

void TraceBuilder::close_constructs(Index thread, Time time) {
    while (!threads_[thread].constructs.empty())
        leave_construct(thread, time);
}

void TraceBuilder::begin_run(Index rank, Time time) {
    trace_.runs.resize(trace_.ranks, {kNever, std::numeric_limits<Time>::min()});
    trace_.runs[rank].begin = std::min(trace_.runs[rank].begin, time);
}

void TraceBuilder::end_run(Index rank, Time time) {
    trace_.runs.resize(trace_.ranks, {kNever, std::numeric_limits<Time>::min()});
    trace_.runs[rank].end = std::max(trace_.runs[rank].end, time);
}

// MPI calls

Index TraceBuilder::open_call(Index thread, Index of, Time time, Index function) {
    trace_.calls.push_back(
        {.begin = time, .end = time, .task = of, .thread = thread, .function = function});
    return static_cast<Index>(trace_.calls.size() - 1);
}

void TraceBuilder::enter_call(Index thread, Time time, Index function) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        problem("an MPI call outside any task");
        return;
    }
    if (state.call == kNone)
        state.call = open_call(thread, state.task, time, function);
    else // one call in another: time of the outer one
        ++state.inner;
}

void TraceBuilder::resume_call(Index thread, Time time, Index function) {
    if (threads_[thread].call != kNone)
        return;
    enter_call(thread, time, function);
    if (threads_[thread].call != kNone)
        resumed_calls_.push_back(threads_[thread].call);
}

void TraceBuilder::leave_call(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.inner > 0) {
        --state.inner;
        return;
    }
    if (state.call != kNone)
        trace_.calls[state.call].end = time;
    state.call = kNone;
}

void TraceBuilder::start(Index thread, Time time, std::uint64_t id, const Request &told) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        problem("an MPI request is started outside any task");
        return;
    }
    const Index started = request(rank_of(thread), id);
    Request &of = trace_.requests[started];
    if (of.started != kNever) {
        problem("MPI request " + std::to_string(id) + " is started twice");
        return;
    }
    // An envelope that its completion told, on another thread, is the actual one.
    if (of.peer == kNone) {
        of.communicator = told.communicator;
        of.peer = told.peer;
        of.tag = told.tag;
    }
    of.kind = told.kind;
    of.bytes = told.bytes;
    of.started = time;
    of.start_call = state.call != kNone ? state.call : open_call(thread, state.task, time);
    changes_.push_back({of.start_call, {started, false}});
}

void TraceBuilder::enter_completion(Index call, Time time, Index completed) {
    Request &of = trace_.requests[completed];
    if (of.completed != kNever) {
        problem("an MPI request is completed twice");
        return;
    }
    of.completed = time;
    of.completion_call = call;
    changes_.push_back({call, {completed, true}});
}

void TraceBuilder::finish(Index thread, Time time, std::uint64_t id) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    if (state.task == kNone) {
        problem("an MPI request is completed outside any task");
        return;
    }
    enter_completion(state.call != kNone ? state.call : open_call(thread, state.task, time), time,
                     request(rank_of(thread), id));
}

void TraceBuilder::finish_for(Index thread, Time time, std::uint64_t id, std::uint64_t waiting) {
    threads_[thread].latest = time;
    const Index of = task(rank_of(thread), waiting);
    enter_completion(open_call(thread, of, time), time, request(rank_of(thread), id));
}

void TraceBuilder::set_envelope(Index thread, std::uint64_t id, Index communicator, Index peer,
                                std::int32_t tag) {
    Request &of = trace_.requests[request(rank_of(thread), id)];
    of.communicator = communicator;
    of.peer = peer;
    of.tag = tag;
}

// The end

void TraceBuilder::count(Index thread, Time time, const std::vector<std::uint64_t> &values) {
    ThreadState &state = threads_[thread];
    state.latest = time;
    const std::size_t size = trace_.counters.size();
    if (state.task != kNone && !state.counters.empty() && values.size() == size) {
        const std::size_t first = state.task * size;
        if (trace_.counts.size() < first + size)
            trace_.counts.resize(std::max(first + size, trace_.counts.size() * 3 / 2));
        for (std::size_t i = 0; i < size; ++i)
            trace_.counts[first + i] += values[i] - std::min(values[i], state.counters[i]);
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
        trace_.unrecorded.push_back({thread, {state.unknown_since, time}});
    state.unknown_since = kNever;
}

void TraceBuilder::end_of_thread(Index thread, Time time) {
    ThreadState &state = threads_[thread];
    close_constructs(thread, std::max(time, state.latest));
    if (state.task != kNone)
        close_segment(thread, std::max(time, state.latest));
    if (state.unknown_since != kNever)
        trace_.unrecorded.push_back({thread, {state.unknown_since, kNever}});
    state.unknown_since = kNever;
}

/// When recording of the thread ends next, from `time` on. All gaps are known, and in order.
Time TraceBuilder::next_gap(Index thread, Time time) const {
    const std::pair from(thread, time);
    const auto gap = std::lower_bound(trace_.unrecorded.begin(), trace_.unrecorded.end(), from,
                                      [](const Unrecorded &a, const std::pair<Index, Time> &b) {
                                          return std::pair(a.thread, a.time.begin) < b;
                                      });
    return gap != trace_.unrecorded.end() && gap->thread == thread ? gap->time.begin : kNever;
}

void TraceBuilder::report_missing() {
    std::vector<bool> partly(trace_.ranks, false);
    for (const Unrecorded &gap : trace_.unrecorded)
        partly[rank_of(gap.thread)] = true;
    for (const Task &of : trace_.tasks)
        if (!of.implicit && of.created == kNever && !partly[of.rank])
            problem("task " + std::to_string(of.id) + " of rank " + std::to_string(of.rank) +
                    " has no creation");
}

void TraceBuilder::sort_segments() {
    std::vector<Segment> &segments = trace_.segments;
    trace_.task_segments = group(
        segments, trace_.tasks.size(), [](const Segment &of) { return of.task; },
        [](const Segment &a, const Segment &b) { return a.begin < b.begin; });
}

void TraceBuilder::sort_calls() {
    std::vector<Index> order(trace_.calls.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const Call &first = trace_.calls[a];
        const Call &second = trace_.calls[b];
        return first.task != second.task ? first.task < second.task : first.begin < second.begin;
    });
    std::vector<Call> sorted;
    sorted.reserve(order.size());
    std::vector<Index> place(order.size());
    for (const Index i : order) {
        const Call &call = trace_.calls[i];
        const bool goes_on = !sorted.empty() && sorted.back().task == call.task &&
                             std::binary_search(resumed_calls_.begin(), resumed_calls_.end(), i) &&
                             next_gap(call.thread, sorted.back().end) >= call.begin;
        if (goes_on)
            sorted.back().end = call.end;
        else
            sorted.push_back(call);
        place[i] = static_cast<Index>(sorted.size() - 1);
    }
    trace_.calls = std::move(sorted);
    trace_.task_calls = begins_of_tasks(trace_.calls, trace_.tasks.size());

    const auto move = [&](Index &call) { call = call == kNone ? kNone : place[call]; };
    for (Request &request : trace_.requests) {
        move(request.start_call);
        move(request.completion_call);
    }
    for (ChangeAt &at : changes_)
        move(at.call);
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const ChangeAt &a, const ChangeAt &b) { return a.call < b.call; });
    for (const ChangeAt &at : changes_) {
        Call &call = trace_.calls[at.call];
        if (call.changes_count++ == 0)
            call.first_change = static_cast<Index>(trace_.changes.size());
        trace_.changes.push_back(at.change);
    }
}

void TraceBuilder::pair_waits() {
    std::stable_sort(wait_points_.begin(), wait_points_.end(),
                     [](const WaitPoint &a, const WaitPoint &b) {
                         return a.task != b.task ? a.task < b.task : a.time < b.time;
                     });
    for (auto at = wait_points_.begin(); at != wait_points_.end(); ++at) {
        if (!at->begins)
            continue;
        const auto next = at + 1;
        const bool ends = next != wait_points_.end() && next->task == at->task && !next->begins;
        // One that lasts to the end of the trace ends with its task.
        const Time last = ends ? next->time : trace_.segments_of(at->task).back().end;
        const Time end = std::min(last, next_gap(at->thread, at->time));
        trace_.waits.push_back(
            {at->time, std::max(at->time, end), at->task, at->thread, at->what, at->kind});
    }
}

/// Members of a team other than the first may leave a region when they are in the next one only:
/// it ends for all when the first one leaves it.
void TraceBuilder::end_regions() {
    std::map<std::pair<Index, std::uint64_t>, Time> ends;
    for (const Construct &of : trace_.constructs)
        if (of.region != 0 && of.what == ConstructKind::parallel) {
            Time &end = ends.try_emplace({rank_of(of.thread), of.region}, kNever).first->second;
            end = std::min(end, of.end);
        }
    std::map<Index, Time> tasks; // that are in a region
    for (Construct &of : trace_.constructs)
        if (const auto end = ends.find({rank_of(of.thread), of.region}); end != ends.end()) {
            of.end = std::max(of.begin, std::min(of.end, end->second));
            tasks[of.task] = end->second;
        }
    for (Wait &of : trace_.waits)
        if (const auto end = tasks.find(of.task); end != tasks.end())
            of.end = std::max(of.begin, std::min(of.end, end->second));
    for (Segment &of : trace_.segments)
        if (const auto end = tasks.find(of.task); end != tasks.end()) {
            of.end = std::min(of.end, end->second);
            of.begin = std::min(of.begin, of.end);
        }
    std::stable_sort(trace_.constructs.begin(), trace_.constructs.end(),
                     [](const Construct &a, const Construct &b) {
                         return std::pair(a.thread, a.begin) < std::pair(b.thread, b.begin);
                     });
}

/// What a process did is in its run, whether or not the trace says when that was.
void TraceBuilder::bound_runs() {
    for (Index rank = 0; rank < trace_.ranks; ++rank)
        begin_run(rank, kNever);
    const auto include = [&](Index rank, Time begin, Time end) {
        begin_run(rank, begin);
        end_run(rank, end);
    };
    for (const Segment &of : trace_.segments)
        include(rank_of(of.thread), of.begin, of.end);
    for (const Task &of : trace_.tasks)
        if (of.created != kNever && of.rank != kNone)
            include(of.rank, of.created, of.created);
    for (const Call &of : trace_.calls)
        include(rank_of(of.thread), of.begin, of.end);
    for (Interval &of : trace_.runs)
        if (of.begin > of.end)
            of = {};
}

/// An explicit task that waits is on no thread, whether or not others run there meanwhile.
void TraceBuilder::cut_waits() {
    if (trace_.waits.empty())
        return;
    std::vector<Segment> pieces;
    pieces.reserve(trace_.segments.size() + trace_.waits.size());
    auto wait = trace_.waits.begin();
    for (const Segment &segment : trace_.segments) {
        while (wait != trace_.waits.end() &&
               (wait->task < segment.task ||
                (wait->task == segment.task && wait->end <= segment.begin)))
            ++wait;
        Segment rest = segment;
        for (; wait != trace_.waits.end() && wait->task == segment.task &&
               wait->begin <= segment.end && !trace_.tasks[segment.task].implicit;
             ++wait) {
            const bool first = pieces.empty() || pieces.back().task != segment.task;
            rest.end = std::max(rest.begin, wait->begin);
            if (first || rest.begin < rest.end)
                pieces.push_back(rest);
            rest.begin = std::min(segment.end, wait->end);
            rest.end = segment.end;
            if (wait->end > segment.end)
                break;
        }
        if (rest.begin < rest.end || rest.begin == segment.begin ||
            segment.end == trace_.tasks[segment.task].ended)
            pieces.push_back(rest);
    }
    trace_.segments = std::move(pieces);
    trace_.task_segments = begins_of_tasks(trace_.segments, trace_.tasks.size());
}

/// When what the task waited for in its call had been found completed, or kNever.
Time TraceBuilder::completion_before(Time suspended, const Segment &resumed) const {
    const auto calls = trace_.calls_of(resumed.task);
    const auto after =
        std::upper_bound(calls.begin(), calls.end(), suspended,
                         [](Time time, const Call &call) { return time < call.begin; });
    if (after == calls.begin() || std::prev(after)->end < resumed.begin)
        return kNever;
    Time latest = suspended;
    bool any = false;
    for (const Change &change : trace_.changes_of(*std::prev(after)))
        if (change.completes) {
            latest = std::max(latest, trace_.requests[change.request].completed);
            any = true;
        }
    return any ? latest : kNever;
}

void TraceBuilder::set_ready_times() {
    // The first one of a task: when it was created and its predecessors were done.
    std::vector<Time> ready(trace_.tasks.size());
    for (Index i = 0; i < ready.size(); ++i)
        ready[i] = trace_.tasks[i].created;
    for (const Dependence &dependence : trace_.dependences) {
        Time &of = ready[dependence.to];
        of = std::max(of, trace_.tasks[dependence.from].ended);
    }
    // Later ones: the last event, since the segment before, that lets it go on.
    std::sort(resumptions_.begin(), resumptions_.end(),
              [](const Resumption &a, const Resumption &b) {
                  return a.task != b.task ? a.task < b.task : a.time < b.time;
              });
    auto next = resumptions_.begin();
    for (std::size_t i = 0; i < trace_.segments.size(); ++i) {
        Segment &segment = trace_.segments[i];
        const bool first = i == 0 || trace_.segments[i - 1].task != segment.task;
        if (first)
            segment.ready = ready[segment.task];
        while (next != resumptions_.end() && next->task < segment.task)
            ++next;
        for (; next != resumptions_.end() && next->task == segment.task &&
               next->time <= segment.begin;
             ++next)
            if (!first)
                segment.ready = std::max(next->time, trace_.segments[i - 1].end);
        if (!first && segment.ready == kNever)
            segment.ready = completion_before(trace_.segments[i - 1].end, segment);
        segment.ready = std::min(segment.ready, segment.begin);
    }
}

Trace TraceBuilder::take() {
    for (Index thread = 0; thread < threads_.size(); ++thread)
        end_of_thread(thread, threads_[thread].latest);
    std::stable_sort(trace_.unrecorded.begin(), trace_.unrecorded.end(),
                     [](const Unrecorded &a, const Unrecorded &b) { return a.thread < b.thread; });
    report_missing();
    trace_.counts.resize(trace_.tasks.size() * trace_.counters.size());
    if (keeps_accesses_)
        trace_.accesses = accesses_;
    // These are of creations only, and what is sorted meanwhile has nothing to do with them.
    auto dependences =
        std::async(std::launch::async, [&] { add_dependences(trace_, std::move(accesses_)); });
    sort_segments();
    sort_calls();
    pair_waits();
    end_regions();
    cut_waits();
    bound_runs();
    dependences.get();
    set_ready_times();
    match(trace_);
    return std::move(trace_);
}

} // namespace loomp::analysis
