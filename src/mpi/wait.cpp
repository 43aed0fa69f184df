#include "mpi/wait.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <new>
#include <numeric>

#include "mpi/collective_algorithms.h"
#include "mpi/debugger.h"
#include "mpi/requests.h"
#include "mpi/stand_in.h"
#include "mpi/started.h"
#include "mpi/stuck.h"

namespace loomp::mpi {

namespace {

/// Where tasks leave their operations; the poller takes all of them at once.
std::atomic<Operation *> incoming{nullptr};
std::atomic<loomp_poller_t *> poller{nullptr};

std::atomic<int> continuations{0};
thread_local bool thread_aware = true;

/// The poller's.
PendingRequests requests;

/// Operations with tests of their own. Used by one thread at a time: the poller.
class TestedOperations {
  public:
    void add(Operation &operation) {
        operation.next = nullptr;
        *last_ = &operation;
        last_ = &operation.next;
        ++count_;
    }
    void list(WaitingCalls &calls) const {
        for (const Operation *operation = first_; operation != nullptr; operation = operation->next)
            calls.add(operation->call, operation->since);
    }
    /// Tests some, in turns; returns how many were complete.
    int test() {
        int found = 0;
        for (int left = count_ < kAtOnce ? count_ : kAtOnce; left > 0; --left) {
            Operation &operation = *first_;
            first_ = operation.next;
            if (first_ == nullptr)
                last_ = &first_;
            --count_;
            if (operation.test(operation)) {
                operation.completed(operation);
                ++found;
            } else {
                add(operation);
            }
        }
        return found;
    }

  private:
    static constexpr int kAtOnce = 64;
    Operation *first_ = nullptr;
    Operation **last_ = &first_;
    int count_ = 0;
};
TestedOperations tested_operations;

void adopt_incoming() {
    // acquire: the operations' contents.
    Operation *operation = incoming.exchange(nullptr, std::memory_order_acquire);
    // The last one in is the first one here: messages mostly arrive in the order of their receives.
    Operation *in_order = nullptr;
    while (operation != nullptr) {
        Operation *next = operation->next;
        operation->next = in_order;
        in_order = operation;
        operation = next;
    }
    const std::int64_t now = in_order != nullptr ? coarse_now() : 0;
    while (in_order != nullptr) {
        Operation *next = in_order->next;
        in_order->since = now;
        if (in_order->test == nullptr)
            requests.add(*in_order);
        else
            tested_operations.add(*in_order);
        in_order = next;
    }
}

int poll(void *) {
    adopt_incoming();
    int found = requests.test();
    found += tested_operations.test();
    return found + take_finished_calls();
}

void tell_what_is_pending(void *, double seconds) {
    WaitingCalls calls;
    adopt_incoming();
    requests.list(calls);
    tested_operations.list(calls);
    print_with_stand_ins(calls, seconds);
}

bool errors_are_fatal() {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
    return fatal;
}

} // namespace

void start(int provided) {
    if (poller.load(std::memory_order_relaxed) != nullptr)
        return;
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    loomp_set_rank(rank);
    if (provided < MPI_THREAD_MULTIPLE) {
        std::fputs("loomp: this MPI library provides less than MPI_THREAD_MULTIPLE: MPI calls in "
                   "tasks hold their threads, as they would without loomp\n",
                   stderr);
        return;
    }
    if (errors_are_fatal())
        name_fatal_errors();
    else
        expect_errors();
    choose_collective_algorithms();
    // release: what start() has done is visible to whoever finds the calls taken over.
    loomp_poller_t *const made = loomp_poller_register("MPI", poll, nullptr);
    loomp_poller_when_stuck(made, tell_what_is_pending);
    poller.store(made, std::memory_order_release);
}

void stop() {
    loomp_poller_unregister(poller.exchange(nullptr, std::memory_order_acq_rel));
    // Nobody else polls any more.
    while (continuations.load(std::memory_order_relaxed) > 0)
        poll(nullptr);
    end_stand_ins();
}

bool active() { return poller.load(std::memory_order_acquire) != nullptr; }

bool thread_is_aware() { return thread_aware; }
void set_thread_aware(bool aware) { thread_aware = aware; }

void count_unwaited(int change) { continuations.fetch_add(change, std::memory_order_relaxed); }

void expect_one() { loomp_poller_expect(poller.load(std::memory_order_relaxed), 1); }

void leave_to_poller(Operation &operation) {
    expect_one();
    operation.next = incoming.load(std::memory_order_relaxed);
    // release: the operation's contents.
    while (!incoming.compare_exchange_weak(operation.next, &operation, std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
}

void suspend_until_complete(Operation &operation) {
    leave_to_poller(operation);
    loomp_suspend(&operation.done);
}

int wait_for(const Call &call, MPI_Request *request, MPI_Status *status) {
    int error = MPI_SUCCESS;
    const auto complete = [&] {
        int flag = 0;
        error = test_for(call, request, &flag, status);
        return flag != 0 || error != MPI_SUCCESS;
    };
    if (complete() || completes_soon(complete))
        return raise(call, error);
    if (loomp_in_task() == 0)
        return raise(call, wait_in_place(call, request, status));
    Operation operation;
    operation.requests = request;
    operation.statuses = status == MPI_STATUS_IGNORE ? nullptr : status;
    operation.call = call;
    suspend_until_complete(operation);
    return raise(call, operation.error);
}

int wait_all(const Call &call, int count, MPI_Request *list, MPI_Status *statuses) {
    if (errors_expected() || count < 0) {
        forget_started(count, list);
        return wait_until(call, [&](int *flag) { return test_all(count, list, flag, statuses); });
    }
    // Inactive ones, which no test of many reports, are sorted out here, with the complete ones.
    // All errors are fatal.
    constexpr int kFew = 16;
    int few[kFew];
    const std::unique_ptr<int[]> many(
        count > kFew ? new (std::nothrow) int[static_cast<std::size_t>(count)] : nullptr);
    int *const pending = count > kFew ? many.get() : few;
    if (pending == nullptr) {
        forget_started(count, list);
        return wait_until(call, [&](int *done) { return test_all(count, list, done, statuses); });
    }
    int left = count;
    std::iota(pending, pending + count, 0);
    const auto complete = [&] {
        int still = 0;
        for (int i = 0; i < left; ++i) {
            const int at = pending[i];
            int flag = 0;
            const MPI_Request request = list[at];
            make_for(call, [&] {
                return PMPI_Test(&list[at], &flag,
                                 statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE
                                                                 : &statuses[at]);
            });
            if (flag == 0)
                pending[still++] = at;
            else
                forget_started(1, &request);
        }
        left = still;
        return left == 0;
    };
    if (complete() || completes_soon(complete))
        return MPI_SUCCESS;
    Operation operation;
    operation.call = call;
    operation.requests = list;
    operation.statuses = statuses == MPI_STATUSES_IGNORE ? nullptr : statuses;
    operation.indices = pending;
    operation.count = left;
    operation.total = count;
    suspend_until_complete(operation);
    return operation.error;
}

} // namespace loomp::mpi

constinit const loomp::mpi::DebuggerTable loomp_mpi_debugger = {
    .version = 1,
    .poller = &loomp::mpi::poller,
    .done = offsetof(loomp::mpi::SuspendedCall, done),
    .name = offsetof(loomp::mpi::SuspendedCall, call.name),
    .peer = offsetof(loomp::mpi::SuspendedCall, call.peer),
    .tag = offsetof(loomp::mpi::SuspendedCall, call.tag),
    .since = offsetof(loomp::mpi::SuspendedCall, since),
    .unknown = loomp::mpi::Call::kUnknown,
};
