// Waits for MPI inside a task. The operation is tested once. If it is not done, the task suspends,
// and loomp's poller tests it together with all others.
//
// The library's own test completes an operation (MPI_Testsome for requests, MPI_Iprobe for
// MPI_Probe, ...), so statuses, error codes and error handlers are the library's. MPI_Testsome
// tests all requests together while every error is fatal. Once the program handles errors
// (errors.h), the test that corresponds to its call is used.
//
// No lock is held while a task is suspended.
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

/// Polls while the calling task's thread has nothing else to do, for up to 150 us. Returns true if
/// `complete` did. Leaving a stack and coming back costs about 1 us, more than a small message, and
/// an idle thread soon sleeps. If the limit were shorter than such a sleep, partners would keep
/// sending each other to sleep. The limit is a time, because a test takes 75 ns in shared memory
/// and 20 us of system calls with many sockets.
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

/// MPI_Wait for the request that replaces `call`, or for the program's own; also outside tasks.
int wait_for(const Call &call, MPI_Request *request, MPI_Status *status);
/// MPI_Waitall, also outside tasks.
int wait_all(const Call &call, int count, MPI_Request *requests, MPI_Status *statuses);

/// Repeats `test(flag)` until it sets its flag or fails; returns its result. For tests with the
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
