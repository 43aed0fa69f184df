#include "profiler/metrics/efficiency.h"

#include <algorithm>
#include <numeric>

#include "profiler/metrics/run_times.h"
#include "profiler/trace/calls.h"
#include "profiler/trace/code.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace {

using Set = std::vector<Interval>;

double quotient(double part, double whole) { return whole == 0 ? 0 : part / whole; }

Efficiency efficiency_of(const std::vector<Time> &times, Time window) {
    if (times.empty())
        return {};
    const auto sum = static_cast<double>(std::accumulate(times.begin(), times.end(), Time{0}));
    const auto most = static_cast<double>(*std::max_element(times.begin(), times.end()));
    return {quotient(sum, static_cast<double>(times.size()) * most),
            quotient(most, static_cast<double>(window))};
}

/// Code in explicit tasks is useful, too, without the MPI calls in it.
bool is_useful_outside_tasks(Doing what) {
    return what == Doing::shared || what == Doing::regions || what == Doing::serial;
}

/// Calls `visit(thread, interval)` for each piece of useful time.
template <class Visit> void visit_useful(const Trace &trace, Visit visit) {
    visit_doings(trace, TasksToo::yes, [&](Index thread, const Doings &stretch) {
        if (is_useful_outside_tasks(stretch.what))
            visit(thread, stretch.time);
    });
    for (Index task = 0; task < trace.tasks.size(); ++task)
        if (trace.tasks[task].works())
            visit_code(trace, task, [&](const Stretch &stretch) {
                if (!trace.threads[stretch.thread].stands_in)
                    visit(stretch.thread, Interval{stretch.begin, stretch.end});
            });
}

/// The recorded part of the window for each thread.
std::vector<Time> recorded_of_threads(const Trace &trace, Interval window) {
    std::vector<Time> times(trace.threads.size(), 0);
    for (Index i = 0; i < times.size(); ++i)
        for (const Interval &part : trace.recorded(i, window))
            times[i] += part.length();
    return times;
}

/// How long each rank is outside MPI.
std::vector<Time> out_of_mpi(const Trace &trace, std::vector<Set> code, Interval window,
                             const std::vector<Time> &recorded) {
    std::vector<Set> calls(trace.ranks);
    for (Index task = 0; task < trace.tasks.size(); ++task)
        visit_calls(trace, task, [&](const Call &, const Segment &segment, Interval part) {
            calls[trace.threads[segment.thread].rank].push_back(part);
        });
    std::vector<Time> out;
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        const Set in_mpi = unite(std::move(calls[rank]));
        const Set computing = unite(std::move(code[rank]));
        Time known = 0;
        for (Index i = 0; i < recorded.size(); ++i)
            if (trace.threads[i].rank == rank)
                known = std::max(known, recorded[i]);
        out.push_back(known - length_within(in_mpi, window) +
                      common_length(in_mpi, computing, window));
    }
    return out;
}

} // namespace

Efficiencies efficiencies(const Trace &trace, std::optional<Interval> chosen) {
    const Interval window = chosen.value_or(trace.run());
    std::vector<Time> useful(trace.threads.size(), 0);
    std::vector<Set> code(trace.ranks);
    visit_useful(trace, [&](Index thread, Interval part) {
        useful[thread] += std::max<Time>(0, common(part, window).length());
        if (!trace.calls.empty()) // only MPI may overlap with it
            add_to(code[trace.threads[thread].rank], part);
    });
    const std::vector<Time> recorded = recorded_of_threads(trace, window);
    const Time time =
        recorded.empty() ? window.length() : *std::max_element(recorded.begin(), recorded.end());
    Efficiencies result;
    std::vector<Time> of_threads;
    for (Index i = 0; i < useful.size(); ++i)
        if (!trace.threads[i].stands_in)
            of_threads.push_back(useful[i]);
    result.hybrid = efficiency_of(of_threads, time);
    result.mpi = efficiency_of(out_of_mpi(trace, std::move(code), window, recorded), time);
    result.openmp = {quotient(result.hybrid.balance, result.mpi.balance),
                     quotient(result.hybrid.communication, result.mpi.communication)};

    std::vector<double> sums(trace.ranks, 0);
    std::vector<double> times(trace.ranks, 0);
    for (Index i = 0; i < useful.size(); ++i) {
        sums[trace.threads[i].rank] += static_cast<double>(useful[i]);
        times[trace.threads[i].rank] += static_cast<double>(recorded[i]);
    }
    for (Index rank = 0; rank < trace.ranks; ++rank)
        result.ranks.push_back(quotient(sums[rank], times[rank]));
    return result;
}

} // namespace loomp::analysis
