// The mutexes of simulated tasks.
//
// A task takes all its mutexes when it starts, or none: then it is set aside at one that another
// task has. A task that ends gives its mutexes to tasks that were set aside there. So a free mutex
// has none set aside.
#pragma once

#include <span>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

class SimulatedExclusions {
  public:
    explicit SimulatedExclusions(const Trace &trace);

    /// True if the task has all its mutexes now; otherwise it is set aside.
    bool take(Index task);
    /// The task ends; a taskwait never had its mutexes. Returns the tasks that may start now and
    /// have their mutexes.
    std::vector<Index> release(Index task);

  private:
    /// The tasks set aside at it are a list in next_aside_, in the order of their attempts.
    struct Mutex {
        Index owner = kNone;
        Index first = kNone;
        Index last = kNone;
    };

    std::span<const Exclusion> of(Index task) const;
    void set_aside(Mutex &mutex, Index task);

    const std::vector<Exclusion> &all_; ///< grouped by task
    std::vector<Mutex> mutexes_;
    std::vector<Index> next_aside_; ///< of each task, which is set aside at one mutex at most
};

} // namespace loomp::analysis
