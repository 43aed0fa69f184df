// Converts a process' clock to the common time of a recording: nanoseconds since 1970 by rank 0's
// clock.
#pragma once

#include <algorithm>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// An offset to another clock, measured at a time of one clock.
struct ClockOffset {
    Time at;
    Time offset;
};

/// The offset of two clocks changes linearly; it was measured once or twice.
class Clock {
  public:
    /// 36 years: no clock that begins with its machine exceeds it, nor does the difference of two.
    static constexpr Time kMost = Time{1} << 60;

    Clock() = default;
    explicit Clock(Time offset) : first_{0, offset} {}
    Clock(ClockOffset first, ClockOffset last) : first_(first) {
        if (last.at > first.at)
            drift_ = static_cast<double>(last.offset - first.offset) /
                     static_cast<double>(last.at - first.at);
        // Greater values are not a clock's.
        drift_ = std::clamp(drift_, -1.0, 1.0);
    }
    /// A copy whose offset is greater by `more`.
    Clock shifted(Time more) const {
        Clock result = *this;
        result.first_.offset += more;
        return result;
    }
    Time shared(Time own) const {
        return own + first_.offset +
               static_cast<Time>(drift_ * static_cast<double>(own - first_.at));
    }

  private:
    ClockOffset first_{0, 0};
    double drift_ = 0;
};

} // namespace loomp::analysis
