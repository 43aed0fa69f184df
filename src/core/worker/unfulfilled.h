// Tasks whose code has ended, but whose event (the detach clause) nobody has fulfilled: for the
// report of a program that is stuck.
//
// Each worker remembers those that ended on it, which may have completed since: whether one has,
// its serial number says and the word that its completion waits for. A few: a worker that has no
// more room forgets one that it has only if that has completed, or else the new one.
#pragma once

#include <cstdint>

#include "core/base/common.h"

namespace loomp::core {

struct Task;

class TasksThatEndedEarly {
  public:
    /// By the worker: its code is about to end. `serial`: the task's, of that use.
    void note(const Task &task, std::uint64_t serial);

    struct Entry {
        Relaxed<const Task *> task = nullptr;
        Relaxed<std::uint64_t> serial = 0;
    };
    static constexpr unsigned kMost = 32;
    const Entry &at(unsigned number) const { return entries_[number]; }

  private:
    Entry entries_[kMost];
    unsigned next_ = 0;
};

/// The code of those that wait for their events now, up to `most` of them; returns how many are
/// known. Any thread.
int unfulfilled_events(const void **codes, int most);

} // namespace loomp::core
