// What an activity (profiler/graph/synchronisations.h) does at some time besides its own code:
// there its code is cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Mark {
    /// Of two at once, the one whose kind comes first.
    enum Kind : std::uint8_t {
        meet,   ///< it waits for synchronisation `what`
        count,  ///< it comes to synchronisation `what`
        create, ///< task `what`
        call,   ///< of Trace::calls
        wait,   ///< of Trace::waits
    };
    Time time;
    Kind kind;
    Index what;
};

/// In order of time. Those alike keep their order.
inline void sort_marks(std::vector<Mark> &marks) {
    std::stable_sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) {
        return a.time != b.time ? a.time < b.time : a.kind < b.kind;
    });
}

} // namespace loomp::analysis
