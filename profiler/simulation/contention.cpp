#include "profiler/simulation/contention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "profiler/simulation/kind_code.h"

namespace loomp::analysis {

namespace {

/// Runs differ enough if one has this many more busy threads.
constexpr double kLeastDifference = 0.1;
constexpr int kRounds = 8;

std::size_t hosts_of(const Trace &trace) {
    return trace.hosts.empty()
               ? 1
               : 1 + std::size_t{*std::max_element(trace.hosts.begin(), trace.hosts.end())};
}

double busy(const Trace &trace, double work, Time makespan) {
    return makespan <= 0
               ? 0
               : work / static_cast<double>(makespan) / static_cast<double>(hosts_of(trace));
}

} // namespace

double busy_threads(const Trace &trace) {
    double work = 0;
    for (const Segment &segment : trace.segments)
        if (trace.is_work(segment.task, segment.thread))
            work += static_cast<double>(segment.end - segment.begin);
    return busy(trace, work, trace.makespan().length());
}

double busy_threads(const Trace &trace, const Simulation &found) {
    double work = 0;
    for (const SimulatedRank &rank : found.ranks)
        work += static_cast<double>(rank.work);
    return busy(trace, work, found.makespan);
}

std::optional<Contention> learn_contention(const Trace &trace, const Trace &other) {
    const double here = busy_threads(trace);
    const double there = busy_threads(other);
    if (std::abs(here - there) < kLeastDifference)
        return {};
    const std::vector<KindCode> mine = code_by_kind(trace);
    const std::vector<KindCode> others = code_by_kind(other);
    const KindNames names = names_of_kinds(other, others);
    Contention found{std::vector<double>(trace.kinds.size() + 1, -1), here};
    double weighed = 0;
    double weight = 0;
    for (std::size_t i = 0; i < trace.kinds.size(); ++i) {
        const auto same = names.find(std::pair(trace.kinds[i].label, trace.kinds[i].source));
        if (same == names.end() || mine[i].time <= 0)
            continue;
        // mine = t * (1 + s * (here - 1)) and theirs = t * (1 + s * (there - 1)), solved for s.
        const double a = mine[i].mean();
        const double b = others[same->second].mean();
        const double below = a * (there - 1) - b * (here - 1);
        found.slowdowns[i] = below * (there - here) <= 0 ? 0 : std::max(0.0, (b - a) / below);
        weighed += found.slowdowns[i] * mine[i].time;
        weight += mine[i].time;
    }
    if (weight <= 0)
        return {};
    for (double &slowdown : found.slowdowns)
        if (slowdown < 0)
            slowdown = weighed / weight;
    return found;
}

Program with_contention(const Trace &trace, Program program, const Contention &contention,
                        double busy) {
    for (Index task = 0; task < program.tasks; ++task) {
        const double slowdown =
            contention.slowdowns[std::min<std::size_t>(trace.tasks[task].kind, trace.kinds.size())];
        const double by = (1 + slowdown * std::max(0.0, busy - 1)) /
                          (1 + slowdown * std::max(0.0, contention.busy - 1));
        for (Index i = program.first_step[task]; i < program.first_step[task + 1]; ++i) {
            Step &step = program.steps[i];
            if (step.kind == Step::code)
                step.duration = std::llround(static_cast<double>(step.duration) * by);
        }
    }
    return program;
}

Contended simulate(const Trace &trace, const Program &program, const SimulationOptions &options,
                   const Contention &contention) {
    Contended found{simulate(trace, program, options), 0};
    found.busy = busy_threads(trace, found.simulation);
    double assumed = contention.busy;
    for (int round = 0; found.simulation.held.empty() && round < kRounds &&
                        std::abs(found.busy - assumed) > kLeastDifference / 10;
         ++round) {
        assumed = found.busy;
        found.simulation =
            simulate(trace, with_contention(trace, program, contention, assumed), options);
        found.busy = busy_threads(trace, found.simulation);
    }
    return found;
}

} // namespace loomp::analysis
