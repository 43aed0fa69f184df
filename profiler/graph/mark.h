// A point in an activity (profiler/graph/synchronisations.h) at which its code is cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Mark {
    /// Between two at one time, the lower kind comes first.
    enum Kind : std::uint8_t {
        give,   ///< the mutex `what` back
        meet,   ///< it waits for synchronisation `what`
        count,  ///< it takes part in synchronisation `what`
        fulfil, ///< the event of a task: fulfilment `what`
        create, ///< task `what`
        call,   ///< call `what` of Trace::calls
        wait,   ///< wait `what` of Trace::waits
        take,   ///< the mutex `what`
    };
    Time time;
    Kind kind;
    Index what;
};

/// Sorts by time, then by kind. The sort is stable.
inline void sort_marks(std::vector<Mark> &marks) {
    const auto before = [](const Mark &a, const Mark &b) {
        return a.time != b.time ? a.time < b.time : a.kind < b.kind;
    };
    if (!std::is_sorted(marks.begin(), marks.end(), before))
        std::stable_sort(marks.begin(), marks.end(), before);
}

} // namespace loomp::analysis
