// What tasks wait for, printed when the program seems to be stuck (LOOMP_STUCK_AFTER): one block of
// lines for each rank, once.
#pragma once

#include <cstdint>

#include "mpi/wait.h"

namespace loomp::mpi {

/// A few nanoseconds to read, exact to some milliseconds.
std::int64_t coarse_now();

/// The calls that tasks wait in. Owner: who prints.
class WaitingCalls {
  public:
    WaitingCalls() = default;
    ~WaitingCalls();
    WaitingCalls(const WaitingCalls &) = delete;
    WaitingCalls &operator=(const WaitingCalls &) = delete;

    /// `call` lives on till print(); `since` is of coarse_now().
    void add(const Call &call, std::int64_t since);
    /// The ones that have waited longest, to stderr.
    void print(double seconds_idle);

  private:
    struct Entry {
        const Call *call;
        std::int64_t since;
    };
    Entry *entries_ = nullptr;
    int count_ = 0;
    int capacity_ = 0;
};

} // namespace loomp::mpi
