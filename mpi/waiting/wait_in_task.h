// Waiting for MPI inside a task: the operation is tested once; if it is not done, the task suspends
// and loomp's poller tests it, with all others, until it is. Also operations that nobody waits for,
// with something to be done when they are complete.
//
// What completes an operation is the library's own test (MPI_Testsome for requests, MPI_Iprobe for
// MPI_Probe, ...), so statuses, error codes and error handlers are the library's. All requests are
// tested together by MPI_Testsome while every error is fatal anyway; once the program has asked to
// see errors (errors.h), by the test that corresponds to its call.
//
// Nothing is locked while a task is suspended.
#pragma once

#include <mpi.h>

#include "loomp/loomp.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/suspended_call.h"
#include "platform/clock.h"

namespace loomp::mpi {

/// Suspends the calling task until the operation is complete.
void suspend_until_complete(Operation &operation);

/// While the calling task's thread has nothing else to do, for 150 us: whether `complete` has said
/// so. To leave a stack and to come back costs about 1 us, more than a small message; and an idle
/// thread sleeps after a while. Shorter than such a sleep, partners would keep sending each other
/// to sleep. By the clock: a test takes 75 ns where messages go through memory, and 20 us of system
/// calls where they go through many sockets.
template <class Complete> bool completes_soon(Complete complete) {
    constexpr std::int64_t kSoon = 150'000; // nanoseconds
    constexpr int kTestsPerLook = 4;
    if (loomp_would_idle() == 0)
        return false;
    const std::int64_t until = core::nanoseconds() + kSoon;
    do {
        for (int test = 0; test < kTestsPerLook; ++test)
            if (complete())
                return true;
    } while (core::nanoseconds() < until && loomp_would_idle() != 0);
    return false;
}

/// As MPI_Wait, for the request that `call` has been turned into, or for the program's own; outside
/// tasks, too.
int wait_for(const Call &call, MPI_Request *request, MPI_Status *status);
/// As MPI_Waitall.
int wait_all(const Call &call, int count, MPI_Request *requests, MPI_Status *statuses);

/// Until `test(flag)` sets its flag or fails; returns what it returned. For tests that take the
/// caller's own arguments.
template <class Test> int wait_until(const Call &call, Test test) {
    int error = MPI_SUCCESS;
    const auto complete = [&] {
        int flag = 0;
        error = make_for(call, [&] { return test(&flag); });
        return flag != 0 || error != MPI_SUCCESS;
    };
    if (complete() || completes_soon(complete))
        return error;
    struct Tested : Operation {
        explicit Tested(Test &t) : code(t) {}
        Test &code;
    } operation(test);
    operation.call = call;
    operation.test = [](Operation &self) {
        int complete = 0;
        self.error =
            make_for(self.call, [&] { return static_cast<Tested &>(self).code(&complete); });
        return complete != 0 || self.error != MPI_SUCCESS;
    };
    suspend_until_complete(operation);
    return operation.error;
}

} // namespace loomp::mpi
