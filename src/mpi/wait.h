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

#include <chrono>
#include <cstdint>
#include <mpi.h>

#include "loomp/loomp.h"
#include "mpi/errors.h"

namespace loomp::mpi {

/// A call of the program's in which a task waits.
struct Call {
    static constexpr int kUnknown = -1000; ///< what no library uses for a rank or a tag
    const char *name = "MPI_Wait";
    MPI_Comm comm = MPI_COMM_NULL; ///< none for calls on the program's own requests
    int peer = kUnknown;
    int tag = kUnknown;
    const void *from = nullptr; ///< an address in the caller
};
/// Within an exported function: the address for Call::from.
#define LOOMP_CALLER __builtin_return_address(0)

/// A call that a task is suspended in, on whose stack it lives. Debuggers find it by `done`
/// (debugger.h).
struct SuspendedCall {
    Call call;              ///< with its communicator where a single request stands for it
    std::int64_t since = 0; ///< when others took it over, of coarse_now()
    loomp_suspension_t done = LOOMP_SUSPENSION_INIT;
};

/// Something that a suspended task waits for. The poller's from leave_to_poller() until `completed`
/// is called.
struct Operation : SuspendedCall {
    /// By the poller, when it is complete: the operation is no longer needed.
    void (*completed)(Operation &) = resume;
    /// Whether it is complete; called by the poller, one thread at a time. Null: it is when all
    /// `requests` are.
    bool (*test)(Operation &) = nullptr;
    MPI_Request *requests = nullptr; ///< active ones; changed as MPI_Test does
    MPI_Status *statuses = nullptr;  ///< null: not wanted
    /// Which ones of `requests` (and of `statuses`) are meant; null: the first `count`.
    const int *indices = nullptr;
    int count = 1;
    int error = MPI_SUCCESS;
    int pending = 0; ///< the poller's: requests under test
    int entry = -1;  ///< the poller's: in a report, which is made once
    int total = 0;   ///< requests of the call, where they are told apart; `count` may be less
    Operation *next = nullptr;

    static void resume(Operation &self) { loomp_resume(&self.done); }
};

/// After MPI_Init: `provided` is the thread level. Without MPI_THREAD_MULTIPLE every call stays
/// what it was, with one line on stderr.
void start(int provided);
/// Before MPI_Finalize. Returns when nothing is pending that count_unwaited() counts.
void stop();
/// Whether calls are being taken over. False before MPI_Init and after MPI_Finalize.
bool active();
/// Whether the calling thread's calls are to be taken over; the program may say no (tampi.cpp).
bool thread_is_aware();
void set_thread_aware(bool aware);
/// Whether the calling thread runs a task that can be suspended.
inline bool in_task() { return loomp_in_task() != 0 && active() && thread_is_aware(); }

/// From now on the poller tests it. May be called by `completed` functions.
void leave_to_poller(Operation &operation);
/// Something else is pending that the poller will find.
void expect_one();
/// How many operations with more to do than to resume a task are pending changes by `change`.
void count_unwaited(int change);
/// Suspends the calling task until the operation is complete.
void suspend_until_complete(Operation &operation);

/// While the calling task's thread has nothing else to do, for 150 us: whether `complete` has said
/// so. To leave a stack and to come back costs about 1 us, more than a small message; and an idle
/// thread sleeps after a while. Shorter than such a sleep, partners would keep sending each other
/// to sleep. By the clock: a test takes 75 ns where messages go through memory, and 20 us of system
/// calls where they go through many sockets.
template <class Complete> bool completes_soon(Complete complete) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kSoon(150);
    constexpr int kTestsPerLook = 4;
    if (loomp_would_idle() == 0)
        return false;
    const Clock::time_point until = Clock::now() + kSoon;
    do {
        for (int test = 0; test < kTestsPerLook; ++test)
            if (complete())
                return true;
    } while (Clock::now() < until && loomp_would_idle() != 0);
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
