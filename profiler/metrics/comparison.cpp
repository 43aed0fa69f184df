#include "profiler/metrics/comparison.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "profiler/trace/code.h"

namespace loomp::analysis {

namespace {

constexpr const char *kNoLabel = "(unknown)";

RunTime run_time(const Trace &trace, const TimeBreakdown &times) {
    return {times.window.length(), trace.count_threads(), times.total()};
}

/// Explicit tasks by the labels of their kinds.
std::map<std::string, Time> code_by_label(const Trace &trace) {
    std::vector<Time> kinds(trace.kinds.size() + 1, 0); // the last: no kind
    for (const Stretch &stretch : code_of(trace)) {
        if (trace.is_work(stretch.task, stretch.thread))
            kinds[std::min<std::size_t>(trace.tasks[stretch.task].kind, trace.kinds.size())] +=
                stretch.end - stretch.begin;
    }
    std::map<std::string, Time> labels;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i] > 0)
            labels[i == trace.kinds.size() ? kNoLabel : trace.kinds[i].label] += kinds[i];
    return labels;
}

std::vector<ComparedPart> parts_of_work(const Trace &reference, const Trace &observed, Time a,
                                        Time b) {
    std::map<std::string, ComparedPart> kinds;
    for (const auto &[label, time] : code_by_label(reference)) {
        kinds.try_emplace(label, PartOf::work, label).first->second.reference = time;
        a -= time;
    }
    for (const auto &[label, time] : code_by_label(observed)) {
        kinds.try_emplace(label, PartOf::work, label).first->second.observed = time;
        b -= time;
    }
    std::vector<ComparedPart> parts;
    parts.reserve(kinds.size() + 1);
    for (const auto &[label, part] : kinds)
        parts.push_back(part);
    std::stable_sort(parts.begin(), parts.end(), [](const auto &first, const auto &second) {
        return std::abs(first.difference()) > std::abs(second.difference());
    });
    // Work is code and MPI calls.
    parts.push_back({PartOf::work, "MPI in tasks", a, b});
    return parts;
}

void add_parts_outside(std::vector<ComparedPart> &parts, PartOf part, Time a, Time b,
                       const Outside &of_a, const Outside &of_b) {
    parts.push_back({part, "in MPI outside tasks", of_a.in_mpi, of_b.in_mpi});
    parts.push_back({part, "waiting for tasks", of_a.waiting, of_b.waiting});
    parts.push_back({part, "while creating tasks", of_a.creating, of_b.creating});
    parts.push_back({part, "otherwise", a - of_a.in_mpi - of_a.waiting - of_a.creating,
                     b - of_b.in_mpi - of_b.waiting - of_b.creating});
}

} // namespace

double Comparison::share(const ComparedPart &part) const {
    return observed.threads == 0
               ? 0
               : static_cast<double>(part.difference()) / static_cast<double>(observed.threads);
}

double Comparison::by_threads() const {
    if (observed.threads == 0 || observed.threads == reference.threads)
        return 0;
    return static_cast<double>(reference.makespan) *
           (static_cast<double>(reference.threads) / static_cast<double>(observed.threads) - 1);
}

double Comparison::by_parts() const {
    return static_cast<double>(observed.makespan - reference.makespan) - by_threads();
}

const ComparedPart *Comparison::most() const {
    const bool less = by_parts() < 0;
    const auto found =
        std::max_element(parts.begin(), parts.end(), [&](const auto &a, const auto &b) {
            return less ? b.difference() < a.difference() : a.difference() < b.difference();
        });
    if (found == parts.end() || (less ? share(*found) >= 0 : share(*found) <= 0))
        return nullptr;
    return &*found;
}

Comparison compare(const Trace &reference, const Trace &observed) {
    const TimeBreakdown times_a = break_down(reference);
    const TimeBreakdown times_b = break_down(observed);
    Comparison result{run_time(reference, times_a), run_time(observed, times_b), {}, {}};
    const Breakdown &a = result.reference.time;
    const Breakdown &b = result.observed.time;
    result.parts = parts_of_work(reference, observed, a.work, b.work);
    add_parts_outside(result.parts, PartOf::overhead, a.overhead, b.overhead, a.of_overhead,
                      b.of_overhead);
    add_parts_outside(result.parts, PartOf::idle, a.idle, b.idle, a.of_idle, b.of_idle);
    if (reference.ranks == observed.ranks)
        for (Index rank = 0; rank < reference.ranks; ++rank)
            result.ranks.push_back(
                {times_a.of_rank(reference, rank), times_b.of_rank(observed, rank)});
    return result;
}

} // namespace loomp::analysis
