#include "profiler/build/draft.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace loomp::analysis {

namespace {

// Further problems add no information.
constexpr std::size_t kMostProblems = 100;

} // namespace

void Draft::problem(std::string text) {
    if (trace.problems.size() < kMostProblems)
        trace.problems.push_back(std::move(text));
}

void Draft::begin_run(Index rank, Time time) {
    trace.runs.resize(trace.ranks, {kNever, std::numeric_limits<Time>::min()});
    trace.runs[rank].begin = std::min(trace.runs[rank].begin, time);
}

void Draft::end_run(Index rank, Time time) {
    trace.runs.resize(trace.ranks, {kNever, std::numeric_limits<Time>::min()});
    trace.runs[rank].end = std::max(trace.runs[rank].end, time);
}

} // namespace loomp::analysis
