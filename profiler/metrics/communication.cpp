#include "profiler/metrics/communication.h"

#include <algorithm>
#include <utility>

#include "profiler/trace/calls.h"
#include "profiler/trace/code.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

/// When threads begin and end to run code of explicit tasks.
struct Steps {
    std::vector<Time> begins;
    std::vector<Time> ends;

    void add(const Stretch &stretch) {
        begins.push_back(stretch.begin);
        ends.push_back(stretch.end);
    }
};

/// The work that a set of threads has done up to a given moment.
class WorkDone {
  public:
    explicit WorkDone(Steps steps) {
        auto &[begins, ends] = steps;
        std::sort(begins.begin(), begins.end());
        std::sort(ends.begin(), ends.end());
        points_.reserve(begins.size() + ends.size());
        int running = 0;
        for (auto begin = begins.begin(), end = ends.begin(); end != ends.end();) {
            const bool begins_now = begin != begins.end() && *begin <= *end;
            const Time time = begins_now ? *begin++ : *end++;
            if (points_.empty() || points_.back().time != time)
                points_.push_back({time, up_to_last(time), 0});
            running += begins_now ? 1 : -1;
            points_.back().running = running;
        }
    }

    Time within(Interval window) const {
        return window.end <= window.begin ? 0 : up_to(window.end) - up_to(window.begin);
    }

  private:
    struct Point {
        Time time;
        Time done;
        int running; ///< from here on
    };

    Time up_to(Time time) const {
        const auto after =
            std::upper_bound(points_.begin(), points_.end(), time,
                             [](Time moment, const Point &point) { return moment < point.time; });
        return after == points_.begin() ? 0 : up_to(*(after - 1), time);
    }
    Time up_to_last(Time time) const { return points_.empty() ? 0 : up_to(points_.back(), time); }
    static Time up_to(const Point &before, Time time) {
        return before.done + before.running * (time - before.time);
    }

    std::vector<Point> points_;
};

WorkDone work_of(const Trace &trace, const std::vector<bool> &threads) {
    std::vector<bool> ranks(trace.ranks, false);
    for (Index i = 0; i < trace.threads.size(); ++i)
        if (threads[i])
            ranks[trace.threads[i].rank] = true;
    Steps steps;
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (trace.tasks[task].works() && ranks[trace.tasks[task].rank])
            visit_code(trace, task, [&](const Stretch &stretch) {
                if (threads[stretch.thread])
                    steps.add(stretch);
            });
    return WorkDone(std::move(steps));
}

std::vector<bool> marked(const Trace &trace, std::span<const Index> threads) {
    std::vector<bool> chosen(trace.threads.size(), false);
    for (const Index thread : threads)
        chosen[thread] = true;
    return chosen;
}

/// Calls `visit(flight)` for each flight that a call of the set starts and a call outside the set
/// completes. `contains(call)` defines the set.
template <class Contains, class Visit>
void visit_leaving(const Trace &trace, Flights which, Contains contains, Visit visit) {
    if (which != Flights::collectives)
        for (const Message &message : trace.messages)
            if (contains(trace.requests[message.send].start_call) &&
                !contains(trace.requests[message.receive].completion_call))
                visit(trace.flight(message));
    if (which == Flights::messages)
        return;
    for (const std::vector<Index> &collective : trace.collectives)
        for (const Index part : collective) {
            const Request &request = trace.requests[part];
            const bool leaves =
                contains(request.start_call) && request.completed != kNever &&
                std::any_of(collective.begin(), collective.end(), [&](Index other) {
                    const Index completion = trace.requests[other].completion_call;
                    return other != part && completion != kNone && !contains(completion);
                });
            if (leaves)
                visit(Interval{request.started, request.completed});
        }
}

template <class Visit>
void visit_leaving(const Trace &trace, Flights which, const std::vector<bool> &threads,
                   Visit visit) {
    const auto contain = [&](Index call) {
        return call != kNone && threads[trace.calls[call].thread];
    };
    visit_leaving(trace, which, contain, visit);
}

/// A flight that counts.
void add_flight(Interval flight, const WorkDone &work, std::optional<Interval> window,
                Overlap &result) {
    if (window)
        flight = common(flight, *window);
    // The length can be zero by the clocks: the receiver was done before the sender's call began to
    // count. Inside a window, such a flight may belong to another time.
    if (flight.end > flight.begin) {
        result.work += work.within(flight);
        result.communication += flight.length();
    } else if (window) {
        return;
    }
    ++result.flights;
}

std::vector<Index> threads_of(const Trace &trace, Index rank) {
    std::vector<Index> threads;
    for (Index i = 0; i < trace.threads.size(); ++i)
        if (trace.threads[i].rank == rank && !trace.threads[i].stands_in)
            threads.push_back(i);
    return threads;
}

} // namespace

double Overlap::ratio() const {
    if (communication == 0 || threads == 0)
        return 0;
    return static_cast<double>(work) /
           (static_cast<double>(threads) * static_cast<double>(communication));
}

Overlap overlap(const Trace &trace, std::span<const Index> threads, std::optional<Interval> window,
                Flights which) {
    const std::vector<bool> chosen = marked(trace, threads);
    const WorkDone work = work_of(trace, chosen);
    Overlap result{.threads = threads.size()};
    visit_leaving(trace, which, chosen,
                  [&](Interval flight) { add_flight(flight, work, window, result); });
    return result;
}

Overlap overlap_of_rank(const Trace &trace, Index rank, std::optional<Interval> window,
                        Flights which) {
    return overlap(trace, threads_of(trace, rank), window, which);
}

Overlap RankOverlap::all() const {
    return {messages.work + collectives.work, messages.communication + collectives.communication,
            messages.flights + collectives.flights, messages.threads};
}

double RankOverlap::share_of_collectives() const {
    const Time sum = all().communication;
    return sum == 0 ? 0 : static_cast<double>(collectives.communication) / static_cast<double>(sum);
}

std::vector<RankOverlap> overlap_of_ranks(const Trace &trace, std::optional<Interval> window) {
    std::vector<RankOverlap> result(trace.ranks);
    const std::vector<std::size_t> threads = trace.count_threads_of_ranks();
    for (Index rank = 0; rank < trace.ranks; ++rank)
        result[rank].messages.threads = result[rank].collectives.threads = threads[rank];
    std::vector<Steps> steps(trace.ranks);
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (trace.tasks[task].works())
            visit_code(trace, task, [&](const Stretch &stretch) {
                if (!trace.threads[stretch.thread].stands_in)
                    steps[trace.threads[stretch.thread].rank].add(stretch);
            });
    std::vector<WorkDone> work;
    work.reserve(trace.ranks);
    for (Steps &of_rank : steps)
        work.emplace_back(std::move(of_rank));
    const auto rank_of = [&](Index call) {
        return call == kNone ? kNone : trace.threads[trace.calls[call].thread].rank;
    };
    for (const Message &message : trace.messages) {
        const Index from = rank_of(trace.requests[message.send].start_call);
        if (from != kNone && from != rank_of(trace.requests[message.receive].completion_call))
            add_flight(trace.flight(message), work[from], window, result[from].messages);
    }
    for (const std::vector<Index> &collective : trace.collectives)
        for (const Index part : collective) {
            const Request &request = trace.requests[part];
            const Index from = rank_of(request.start_call);
            const auto leaves = [&](Index other) {
                const Index to = rank_of(trace.requests[other].completion_call);
                return to != kNone && to != from;
            };
            if (from != kNone && request.completed != kNever &&
                std::any_of(collective.begin(), collective.end(), leaves))
                add_flight({request.started, request.completed}, work[from], window,
                           result[from].collectives);
        }
    return result;
}

std::vector<Overlap> overlap_over_time(const Trace &trace, Index rank, Interval window,
                                       std::size_t parts, Flights which) {
    const std::vector<Index> threads = threads_of(trace, rank);
    const std::vector<bool> chosen = marked(trace, threads);
    const WorkDone work = work_of(trace, chosen);
    std::vector<Overlap> result(parts, Overlap{.threads = threads.size()});
    if (parts == 0 || window.length() <= 0)
        return result;
    const auto begin_of = [&](std::size_t part) {
        return window.begin +
               static_cast<Time>(static_cast<__int128>(window.length()) * part / parts);
    };
    const auto part_of = [&](Time time) { // the part that has it
        const auto part = static_cast<std::size_t>(static_cast<__int128>(time - window.begin) *
                                                   parts / window.length());
        return part + 1 < parts && begin_of(part + 1) <= time ? part + 1 : part;
    };
    // Parts that a flight fills completely are counted by their range, so that long flights cost no
    // more than short ones.
    std::vector<std::ptrdiff_t> full(parts + 1, 0);
    const auto add = [&](std::size_t part, Interval flight) {
        const Interval inside = common(flight, {begin_of(part), begin_of(part + 1)});
        if (inside.length() <= 0)
            return;
        result[part].work += work.within(inside);
        result[part].communication += inside.length();
        ++result[part].flights;
    };
    visit_leaving(trace, which, chosen, [&](Interval whole) {
        const Interval flight = common(whole, window);
        if (flight.length() <= 0)
            return;
        const std::size_t first = part_of(flight.begin);
        const std::size_t last = part_of(flight.end - 1);
        add(first, flight);
        if (last == first)
            return;
        add(last, flight);
        ++full[first + 1];
        --full[last];
    });
    std::ptrdiff_t filling = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        filling += full[part];
        const Interval whole{begin_of(part), begin_of(part + 1)};
        result[part].work += filling * work.within(whole);
        result[part].communication += filling * whole.length();
        result[part].flights += static_cast<std::size_t>(filling);
    }
    return result;
}

std::vector<FunctionRow> function_table(const Trace &trace, std::optional<Interval> window) {
    std::vector<FunctionRow> rows(trace.kinds.size() + 1); // the last: unknown
    const auto counts = [&](const Call &call) { return !window || window->contains(call.begin); };
    const auto row_of = [&](const Call &call) -> FunctionRow & {
        return rows[std::min<std::size_t>(call.function, trace.kinds.size())];
    };
    for (Index task = 0; task < trace.tasks.size(); ++task) {
        for (const Call &call : trace.calls_of(task)) {
            if (completes_without_call(call) || !counts(call))
                continue;
            FunctionRow &row = row_of(call);
            row.function = call.function;
            ++row.count;
            row.time += call.end - call.begin;
        }
        visit_calls(trace, task, [&](const Call &call, const Segment &, Interval part) {
            if (counts(call))
                row_of(call).on_thread += part.length();
        });
    }
    std::erase_if(rows, [](const FunctionRow &row) { return row.count == 0; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FunctionRow &a, const FunctionRow &b) { return a.time > b.time; });
    return rows;
}

namespace {

double share(Time part, Interval window) {
    return window.length() == 0 ? 0
                                : static_cast<double>(part) / static_cast<double>(window.length());
}

} // namespace

double Ratios::r_comm() const { return share(mpi, window); }

double Ratios::r_comm_in_flight() const { return share(in_flight, window); }

double Ratios::r_act() const {
    if (window.length() == 0 || threads == 0)
        return 0;
    return static_cast<double>(compute) /
           (static_cast<double>(window.length()) * static_cast<double>(threads));
}

std::vector<Ratios> ratios_of_ranks(const Trace &trace, std::optional<Interval> window) {
    std::vector<Ratios> result(trace.ranks, Ratios{.window = window.value_or(trace.makespan())});
    const std::vector<std::size_t> threads = trace.count_threads_of_ranks();
    for (Index rank = 0; rank < trace.ranks; ++rank)
        result[rank].threads = threads[rank];
    std::vector<std::vector<Interval>> in_mpi(trace.ranks);
    for (Index task = 0; task < trace.tasks.size(); ++task) {
        const Index rank = trace.tasks[task].rank;
        visit_calls(trace, task, [&](const Call &, const Segment &, Interval part) {
            in_mpi[rank].push_back(part);
        });
        if (trace.tasks[task].works())
            visit_code(trace, task, [&](const Stretch &stretch) {
                const Interval part = common({stretch.begin, stretch.end}, result[rank].window);
                if (!trace.threads[stretch.thread].stands_in)
                    result[rank].compute += std::max<Time>(0, part.length());
            });
    }
    std::vector<std::vector<Interval>> in_flight(trace.ranks);
    for (const Request &request : trace.requests)
        if (request.rank != kNone && request.started < request.completed &&
            request.completed != kNever)
            in_flight[request.rank].push_back({request.started, request.completed});
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        Ratios &ratios = result[rank];
        ratios.mpi = length_within(unite(std::move(in_mpi[rank])), ratios.window);
        ratios.in_flight = length_within(unite(std::move(in_flight[rank])), ratios.window);
    }
    return result;
}

Ratios ratios_of_rank(const Trace &trace, Index rank, std::optional<Interval> window) {
    return ratios_of_ranks(trace, window).at(rank);
}

} // namespace loomp::analysis
