#include "analysis/trace.h"

#include <algorithm>

namespace loomp::analysis {

Interval Trace::makespan() const {
    Interval span{kNever, std::numeric_limits<Time>::min()};
    for (const Segment &segment : segments) {
        if (tasks[segment.task].implicit)
            continue;
        span.begin = std::min(span.begin, segment.begin);
        span.end = std::max(span.end, segment.end);
    }
    return span.begin == kNever ? Interval{} : span;
}

} // namespace loomp::analysis
