// Measures successive stretches of time against given intervals.
#pragma once

#include <cstddef>
#include <span>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// A time before all times of a trace, so that differences are valid times, too.
inline constexpr Time kLongAgo = -(Time{1} << 60);

/// A thread's stay in some activity.
struct Stay {
    Interval time;
    Index thread;
};

/// Returns how much of the time since the previous query lies in a sorted list of stays. It uses
/// the threads' CPU clocks, if the trace has them.
class Meter {
  public:
    /// The stays must remain until the last query.
    Meter(const Trace &trace, std::span<const Stay> stays) : trace_(trace), stays_(stays) {}

    Time up_to(Time time);

  private:
    const Trace &trace_;
    std::span<const Stay> stays_;
    std::size_t next_ = 0;
    Time since_ = kLongAgo;
};

} // namespace loomp::analysis
