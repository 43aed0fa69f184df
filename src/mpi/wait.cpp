#include "mpi/wait.h"

#include <atomic>
#include <cstdio>
#include <memory>
#include <new>

#include "mpi/requests.h"

namespace loomp::mpi {

namespace {

/// Where tasks leave their operations; the poller takes all of them at once.
std::atomic<Operation *> incoming{nullptr};
std::atomic<loomp_poller_t *> poller{nullptr};

std::atomic<int> unwaited{0};
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
    while (in_order != nullptr) {
        Operation *next = in_order->next;
        if (in_order->test == nullptr)
            requests.add(*in_order);
        else
            tested_operations.add(*in_order);
        in_order = next;
    }
}

int poll(void *) {
    adopt_incoming();
    const int found = requests.test();
    return found + tested_operations.test();
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
    if (provided < MPI_THREAD_MULTIPLE) {
        std::fputs("loomp: this MPI library provides less than MPI_THREAD_MULTIPLE: MPI calls in "
                   "tasks hold their threads, as they would without loomp\n",
                   stderr);
        return;
    }
    if (!errors_are_fatal())
        expect_errors();
    // release: what start() has done is visible to whoever finds the calls taken over.
    poller.store(loomp_poller_register("MPI", poll, nullptr), std::memory_order_release);
}

void stop() {
    loomp_poller_unregister(poller.exchange(nullptr, std::memory_order_acq_rel));
    // Nobody else polls any more.
    while (unwaited.load(std::memory_order_relaxed) > 0)
        poll(nullptr);
}

bool active() { return poller.load(std::memory_order_acquire) != nullptr; }

bool thread_is_aware() { return thread_aware; }
void set_thread_aware(bool aware) { thread_aware = aware; }

void count_unwaited(int change) { unwaited.fetch_add(change, std::memory_order_relaxed); }

void leave_to_poller(Operation &operation) {
    loomp_poller_expect(poller.load(std::memory_order_relaxed), 1);
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

int wait_single(MPI_Request *request, MPI_Status *status) {
    return wait_for_call(MPI_COMM_NULL, request, status);
}

int wait_for_call(MPI_Comm comm, MPI_Request *request, MPI_Status *status) {
    int flag = 0;
    const int error = test_for(comm, request, &flag, status);
    if (flag != 0 || error != MPI_SUCCESS)
        return raise(comm, error);
    if (loomp_in_task() == 0)
        return raise(comm, wait_for(comm, request, status));
    Operation operation;
    operation.requests = request;
    operation.statuses = status == MPI_STATUS_IGNORE ? nullptr : status;
    operation.comm = comm;
    suspend_until_complete(operation);
    return raise(comm, operation.error);
}

int wait_all(int count, MPI_Request *list, MPI_Status *statuses) {
    if (errors_expected())
        return wait_until([&](int *flag) { return PMPI_Testall(count, list, flag, statuses); });
    int flag = 0;
    const int error = PMPI_Testall(count, list, &flag, statuses);
    if (flag != 0 || error != MPI_SUCCESS)
        return error;
    // Inactive ones, which no test of many reports, are sorted out here, with the complete ones.
    constexpr int kFew = 16;
    int few[kFew];
    const std::unique_ptr<int[]> many(
        count > kFew ? new (std::nothrow) int[static_cast<std::size_t>(count)] : nullptr);
    int *const pending = count > kFew ? many.get() : few;
    if (pending == nullptr)
        return wait_until([&](int *done) { return PMPI_Testall(count, list, done, statuses); });
    int left = 0;
    for (int i = 0; i < count; ++i) {
        PMPI_Test(&list[i], &flag,
                  statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
        if (flag == 0)
            pending[left++] = i;
    }
    if (left == 0)
        return MPI_SUCCESS;
    Operation operation;
    operation.requests = list;
    operation.statuses = statuses == MPI_STATUSES_IGNORE ? nullptr : statuses;
    operation.indices = pending;
    operation.count = left;
    suspend_until_complete(operation);
    return operation.error;
}

} // namespace loomp::mpi
