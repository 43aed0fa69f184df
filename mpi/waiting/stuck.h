// Reports what tasks wait for, when the program seems to be stuck (LOOMP_REPORT_STUCK_AFTER): one
// block of lines for each rank, once.
#pragma once

#include <cstdint>

#include "mpi/waiting/call.h"

namespace loomp::mpi {

/// The calls that tasks wait in. Owner: the thread that prints.
class WaitingCalls {
  public:
    WaitingCalls() = default;
    ~WaitingCalls();
    WaitingCalls(const WaitingCalls &) = delete;
    WaitingCalls &operator=(const WaitingCalls &) = delete;

    /// `call` lives on till print(); `since` is of core::coarse_nanoseconds(); `total`: of the
    /// call's requests, where each that is not complete is added, too. Returns the entry's number;
    /// -1: out of memory.
    int add(const Call &call, std::int64_t since, int total = 0);
    /// Adds the call's request at index `number` to an entry.
    void add_request(int entry, int number, MPI_Request request);
    /// Prints those that have waited longest to stderr.
    void print(double seconds_idle);

    struct Request {
        int number;
        MPI_Request handle;
    };

  private:
    static constexpr int kRequestsShown = 8;
    struct Entry {
        const Call *call;
        std::int64_t since;
        int total;
        int pending;
        Request requests[kRequestsShown]; ///< the first ones
    };
    Entry *entries_ = nullptr;
    int count_ = 0;
    int capacity_ = 0;
};

} // namespace loomp::mpi
