#include "profiler/build/finishing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/build/gaps.h"
#include "profiler/build/matching.h"
#include "profiler/build/nested_regions.h"
#include "profiler/build/pairing.h"
#include "profiler/build/ready_times.h"
#include "profiler/build/undeferred.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/counting_sort.h"

namespace loomp::analysis {

namespace {

/// Returns where the elements of each task begin in a vector sorted by task.
template <typename Element>
std::vector<Index> begins_of_tasks(const std::vector<Element> &sorted, std::size_t tasks) {
    std::vector<Index> begins(tasks + 1, 0);
    for (const Element &element : sorted)
        ++begins[element.task + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    return begins;
}

void report_missing(Draft &draft) {
    Trace &trace = draft.trace;
    std::vector<bool> partly(trace.ranks, false);
    for (const Unrecorded &gap : trace.unrecorded)
        partly[draft.rank_of(gap.thread)] = true;
    for (const Task &task : trace.tasks)
        if (!task.implicit && task.created == kNever && !partly[task.rank])
            draft.problem("task " + std::to_string(task.id) + " of rank " +
                          std::to_string(task.rank) + " has no creation");
}

void sort_segments(Trace &trace) {
    std::vector<Segment> &segments = trace.segments;
    trace.task_segments = counting_sort(
        segments, trace.tasks.size(), [](const Segment &segment) { return segment.task; },
        [](const Segment &a, const Segment &b) {
            return std::tie(a.begin, a.thread, a.end) < std::tie(b.begin, b.thread, b.end);
        });
}

void sort_calls(Draft &draft) {
    Trace &trace = draft.trace;
    std::vector<Index> order(trace.calls.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const Call &first = trace.calls[a];
        const Call &second = trace.calls[b];
        return first.task != second.task ? first.task < second.task : first.begin < second.begin;
    });
    std::vector<Call> sorted;
    sorted.reserve(order.size());
    std::vector<Index> place(order.size());
    // A task is in one call at a time. So it has returned from each one but the latest, perhaps in
    // a time of which nothing is known.
    Index latest = kNone;
    for (const Index i : order) {
        const Call &call = trace.calls[i];
        const bool goes_on =
            !sorted.empty() && sorted.back().task == call.task &&
            std::binary_search(draft.resumed_calls.begin(), draft.resumed_calls.end(), i) &&
            next_gap(trace, call.thread, sorted.back().end) >= call.begin;
        if (latest != kNone && sorted[latest].task != call.task)
            latest = kNone;
        if (goes_on)
            sorted.back().end = call.end;
        else
            sorted.push_back(call);
        if (call.function != kNone) {
            if (latest != kNone)
                sorted[latest].open = goes_on && call.open;
            if (!goes_on)
                latest = static_cast<Index>(sorted.size() - 1);
        }
        place[i] = static_cast<Index>(sorted.size() - 1);
    }
    trace.calls = std::move(sorted);
    trace.task_calls = begins_of_tasks(trace.calls, trace.tasks.size());

    const auto move = [&](Index &call) { call = call == kNone ? kNone : place[call]; };
    for (Request &request : trace.requests) {
        move(request.start_call);
        move(request.completion_call);
    }
    for (ChangeAt &at : draft.changes)
        move(at.call);
    std::stable_sort(draft.changes.begin(), draft.changes.end(),
                     [](const ChangeAt &a, const ChangeAt &b) { return a.call < b.call; });
    for (const ChangeAt &at : draft.changes) {
        Call &call = trace.calls[at.call];
        if (call.changes_count++ == 0)
            call.first_change = static_cast<Index>(trace.changes.size());
        trace.changes.push_back(at.change);
    }
}

/// Other members of a team may leave a region only when they are in the next one. Therefore the
/// region ends for all when the first member leaves it.
void end_regions(Draft &draft) {
    Trace &trace = draft.trace;
    std::map<std::pair<Index, std::uint64_t>, Time> ends;
    for (const Construct &construct : trace.constructs)
        if (construct.region != 0 && construct.what == ConstructKind::parallel) {
            Time &end =
                ends.try_emplace({draft.rank_of(construct.thread), construct.region}, kNever)
                    .first->second;
            end = std::min(end, construct.end);
        }
    std::map<Index, Time> tasks; // that are in a region
    for (Construct &construct : trace.constructs)
        if (const auto end = ends.find({draft.rank_of(construct.thread), construct.region});
            end != ends.end()) {
            construct.end = std::max(construct.begin, std::min(construct.end, end->second));
            tasks[construct.task] = end->second;
        }
    for (Wait &wait : trace.waits)
        if (const auto end = tasks.find(wait.task); end != tasks.end())
            wait.end = std::max(wait.begin, std::min(wait.end, end->second));
    for (Segment &segment : trace.segments)
        if (const auto end = tasks.find(segment.task); end != tasks.end()) {
            segment.end = std::min(segment.end, end->second);
            segment.begin = std::min(segment.begin, segment.end);
        }
    for (const auto &[task, end] : tasks)
        trace.tasks[task].ended = std::min(trace.tasks[task].ended, end);
    std::stable_sort(trace.constructs.begin(), trace.constructs.end(),
                     [](const Construct &a, const Construct &b) {
                         return std::pair(a.thread, a.begin) < std::pair(b.thread, b.begin);
                     });
}

/// Everything that a process did belongs to its run, even if the trace lacks the run's times.
void bound_runs(Draft &draft) {
    Trace &trace = draft.trace;
    for (Index rank = 0; rank < trace.ranks; ++rank)
        draft.begin_run(rank, kNever);
    const auto include = [&](Index rank, Time begin, Time end) {
        draft.begin_run(rank, begin);
        draft.end_run(rank, end);
    };
    for (const Segment &segment : trace.segments)
        include(draft.rank_of(segment.thread), segment.begin, segment.end);
    for (const Task &task : trace.tasks)
        if (task.created != kNever && task.rank != kNone)
            include(task.rank, task.created, task.created);
    for (const Call &call : trace.calls)
        include(draft.rank_of(call.thread), call.begin, call.end);
    for (const DeviceWork &work : trace.device_work)
        include(work.rank, work.begin, work.end);
    for (Interval &interval : trace.runs)
        if (interval.begin > interval.end)
            interval = {};
}

/// A task that works is on no thread while it waits, whether or not others run there meanwhile. The
/// pieces take the places of the segments that have been cut: a copy of all would be large.
void cut_waits(Trace &trace) {
    if (std::none_of(trace.waits.begin(), trace.waits.end(),
                     [&](const Wait &wait) { return trace.tasks[wait.task].works(); }))
        return;
    std::vector<Segment> &segments = trace.segments;
    std::deque<Segment> pieces; // those without a place yet
    std::size_t placed = 0;
    Index latest = kNone; // the task of the latest piece
    const auto add = [&](const Segment &piece) {
        pieces.push_back(piece);
        latest = piece.task;
    };
    auto wait = trace.waits.begin();
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment segment = segments[i];
        while (wait != trace.waits.end() &&
               (wait->task < segment.task ||
                (wait->task == segment.task && wait->end <= segment.begin)))
            ++wait;
        Segment rest = segment;
        bool any = false; // piece of the segment
        for (; wait != trace.waits.end() && wait->task == segment.task &&
               wait->begin <= segment.end && trace.tasks[segment.task].works();
             ++wait) {
            const bool first = latest != segment.task;
            rest.end = std::max(rest.begin, wait->begin);
            if (first || rest.begin < rest.end) {
                add(rest);
                any = true;
            }
            rest.begin = std::max(rest.begin, std::min(segment.end, wait->end));
            rest.end = segment.end;
            if (wait->end > segment.end)
                break;
        }
        if (rest.begin < rest.end || (rest.begin == segment.begin && !any) ||
            segment.end == trace.tasks[segment.task].ended)
            add(rest);
        for (; !pieces.empty() && placed <= i; pieces.pop_front())
            segments[placed++] = pieces.front();
    }
    segments.resize(placed);
    segments.insert(segments.end(), pieces.begin(), pieces.end());
    trace.task_segments = begins_of_tasks(segments, trace.tasks.size());
}

/// Other tasks that complete after their code are the runtime's taskwaits with dependences, and
/// those that MPI completes.
void select_fulfilments(Trace &trace) {
    std::erase_if(trace.fulfilments, [&](const Fulfilment &fulfilment) {
        const auto calls = trace.calls_of(fulfilment.task);
        return !trace.tasks[fulfilment.task].completes_later ||
               std::any_of(calls.begin(), calls.end(), completes_without_call);
    });
}

/// Keeps the order by successor, then by predecessor.
void add_dependences_between(Trace &trace, const std::vector<Dependence> &more) {
    if (more.empty())
        return;
    trace.dependences.insert(trace.dependences.end(), more.begin(), more.end());
    std::sort(trace.dependences.begin(), trace.dependences.end(),
              [](const Dependence &a, const Dependence &b) {
                  return std::tie(a.to, a.from) < std::tie(b.to, b.from);
              });
}

} // namespace

Trace make_trace(Draft draft) {
    Trace &trace = draft.trace;
    std::stable_sort(trace.unrecorded.begin(), trace.unrecorded.end(),
                     [](const Unrecorded &a, const Unrecorded &b) { return a.thread < b.thread; });
    report_missing(draft);
    std::stable_sort(trace.device_work.begin(), trace.device_work.end(),
                     [](const DeviceWork &a, const DeviceWork &b) {
                         return std::tie(a.rank, a.device, a.row, a.begin) <
                                std::tie(b.rank, b.device, b.row, b.begin);
                     });
    trace.counts.resize(trace.tasks.size() * trace.counters.size());
    trace.accesses = std::move(draft.accesses);
    // These tables need creations only, so they are computed while others are sorted.
    auto dependences = std::async(std::launch::async, [&] {
        add_dependences(trace);
        if (!draft.keeps_accesses)
            trace.accesses = std::vector<Access>(); // {} would keep their memory
    });
    sort_segments(trace);
    sort_calls(draft);
    select_fulfilments(trace);
    pair_waits(draft);
    pair_holdings(draft);
    const std::vector<Dependence> awaited = add_waits_for_undeferred(draft);
    pair_user_regions(draft);
    find_nested_regions(trace);
    end_regions(draft);
    cut_waits(trace);
    bound_runs(draft);
    dependences.get(); // ordering needs much memory, and so do accesses
    trace.order_segments();
    add_dependences_between(trace, awaited);
    set_ready_times(draft);
    match(trace);
    return std::move(trace);
}

} // namespace loomp::analysis
