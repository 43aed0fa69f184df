// The requests that suspended tasks wait for, tested together. One thread at a time uses it: the
// one that runs the layer's poller.
#pragma once

#include <mpi.h>

#include "mpi/waiting/suspended_call.h"

namespace loomp::mpi {

class WaitingCalls;

class PendingRequests {
  public:
    /// Takes over an operation's requests.
    void add(Operation &operation);
    /// Tests some requests in rotation and resumes the tasks whose operations are complete; returns
    /// the count of these operations. Each test has a limited number of requests, because it may
    /// delay a task.
    int test();
    /// Adds the calls that wait for the requests.
    void list(WaitingCalls &calls) const;

  private:
    struct Owner {
        Operation *operation;
        int index; ///< index in its requests
    };

    int test_together();
    int test_one_by_one();
    /// Removes entry `at`, which is complete. Returns true if its operation is, too.
    bool finish(int at, int error, const MPI_Status *status);
    void grow();

    static constexpr int kTogether = 512;
    static constexpr int kOneByOne = 32;

    MPI_Request *requests_ = nullptr;
    Owner *owners_ = nullptr; ///< as long as `requests_`
    int count_ = 0;
    int capacity_ = 0;
    int first_ = 0; ///< where the next test begins
    int indices_[kTogether];
    MPI_Status statuses_[kTogether];
};

} // namespace loomp::mpi
