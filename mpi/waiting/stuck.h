// The MPI calls in which tasks wait while the program seems to hang: as this rank's state for
// others (hang_state.h), and in the report.
#pragma once

#include <cstdint>
#include <vector>

#include "loomp/loomp.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/hang_state.h"

namespace loomp::mpi {

class OutsideCall;

/// A rank's state, whose calls do not have their places yet: to find these is slow.
struct Snapshot {
    RankState state;
    std::vector<const void *> callers; ///< of each call

    void add(PendingCall call, const void *caller) {
        state.calls.push_back(std::move(call));
        callers.push_back(caller);
    }
    void find_places();
};

/// The calls that tasks wait in, and threads outside tasks. Owner: the thread that lists them.
class WaitingCalls {
  public:
    /// `outside` stays till snapshot().
    void add(const OutsideCall &outside);
    /// `call` lives on till snapshot(); `since` is of core::coarse_nanoseconds(); `total`: of the
    /// call's requests, where each that is not complete is added, too; `done`: what the task waits
    /// for. Returns the entry's number.
    int add(const Call &call, std::int64_t since, const loomp_suspension_t &done, int total = 0);
    /// Adds the call's request at index `number` to an entry.
    void add_request(int entry, int number, MPI_Request request);
    /// Asks MPI about communicators, and for messages that nobody receives. The caller may call
    /// MPI, and nothing completes meanwhile.
    Snapshot snapshot() const;

  private:
    struct Request {
        int number;
        MPI_Request handle;
    };
    struct Entry {
        const Call *call;
        std::int64_t since;
        const loomp_suspension_t *done; ///< null: `outside` is set
        int total;
        std::vector<Request> requests;
        const OutsideCall *outside;
        const Call *started; ///< outside tasks: the call that started one of the requests, or null
    };
    std::vector<Entry> entries_;
};

} // namespace loomp::mpi
