#include "profiler/build/gaps.h"

#include <algorithm>
#include <utility>

namespace loomp::analysis {

Time next_gap(const Trace &trace, Index thread, Time time) {
    const std::pair from(thread, time);
    const auto gap = std::lower_bound(trace.unrecorded.begin(), trace.unrecorded.end(), from,
                                      [](const Unrecorded &a, const std::pair<Index, Time> &b) {
                                          return std::pair(a.thread, a.time.begin) < b;
                                      });
    return gap != trace.unrecorded.end() && gap->thread == thread ? gap->time.begin : kNever;
}

} // namespace loomp::analysis
