// How much of some stretch of time was in given intervals, asked for piece by piece.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Before all times of a trace, so that differences are times, too.
inline constexpr Time kLongAgo = -(Time{1} << 60);

/// A thread is about something.
struct Stay {
    Interval time;
    Index thread;
};

/// Tells how much of the time up to some moment, and since the one asked for before, was in a list
/// of stays in order: by the threads' CPU clocks, where the trace has them.
class Meter {
  public:
    Meter(const Trace &trace, std::vector<Stay> stays) : trace_(trace), stays_(std::move(stays)) {}

    Time up_to(Time time);

  private:
    const Trace &trace_;
    std::vector<Stay> stays_;
    std::size_t next_ = 0;
    Time since_ = kLongAgo;
};

} // namespace loomp::analysis
