#include "mpi/waiting/mpi_poller.h"

#include <cstdint>
#include <cstdio>
#include <mpi.h>

#include "loomp/loomp.h"
#include "mpi/adapters/collective_algorithms.h"
#include "mpi/adapters/grid_neighbours.h"
#include "mpi/adapters/thread_level.h"
#include "mpi/waiting/callbacks.h"
#include "mpi/waiting/collective_order.h"
#include "mpi/waiting/completed_request.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/job_hang.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/peers_with_layer.h"
#include "mpi/waiting/pending_requests.h"
#include "mpi/waiting/stand_in.h"
#include "mpi/waiting/stuck.h"
#include "mpi/waiting/world_handler.h"
#include "platform/clock.h"

namespace loomp::mpi {

namespace {

PendingRequests requests;

/// Operations with their own tests. Only the poller uses it, one thread at a time.
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
            calls.add(operation->call, operation->since, operation->done);
    }
    /// Tests some in rotation; returns the count of complete ones.
    int test() {
        int found = 0;
        for (int left = count_ < kAtOnce ? count_ : kAtOnce; left > 0; --left) {
            Operation &operation = *first_;
            first_ = operation.next;
            if (first_ == nullptr)
                last_ = &first_;
            --count_;
            if (calling_back([&] { return operation.test(operation); })) {
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
    Operation *operation = take_incoming();
    const std::int64_t now = operation != nullptr ? core::coarse_nanoseconds() : 0;
    while (operation != nullptr) {
        Operation *next = operation->next;
        operation->since = now;
        if (operation->test == nullptr)
            requests.add(*operation);
        else
            tested_operations.add(*operation);
        operation = next;
    }
}

int test_all_kinds() {
    adopt_incoming();
    const int found = requests.test();
    return found + tested_operations.test();
}

int poll(void *) {
    if (may_be_called_back())
        return 0;
    const GatePass gate(GatePass::Busy::gives_up);
    return (gate.passed ? test_all_kinds() : 0) + take_finished_calls();
}

/// The poller's thread calls it, or another one in its place.
Snapshot list_all_kinds() {
    Snapshot listed;
    inside_gate([&] {
        WaitingCalls calls;
        adopt_incoming();
        requests.list(calls);
        tested_operations.list(calls);
        const auto lock = list_calls_in_order(calls);
        const StandInLocks locks = list_stand_ins(calls);
        const HeldOutsideCalls held(calls);
        listed = calls.snapshot();
    });
    return listed;
}

bool errors_are_fatal() {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
    return fatal;
}

/// All ranks with the layer must make collectives in the same way.
void prepare_collectives() {
    // Ranks without the layer keep the library's choice.
    if (job_has_layer())
        choose_collective_algorithms();
    begin_checking_order();
    learn_order_of_neighbours();
}

} // namespace

void start() {
    if (active())
        return;
    prepare_world_handler();
    if (errors_are_fatal())
        name_fatal_errors();
    else
        expect_errors();
    prepare_collectives();
    learn_complete_handle();
    loomp_poller_t *const made = loomp_poller_register("MPI", poll, nullptr);
    watch_for_hangs(made, list_all_kinds);
    begin_taking_over(made);
}

void join() {
    prepare_world_handler();
    prepare_collectives();
    set_joining(true);
}

void stop() {
    set_joining(false);
    loomp_poller_unregister(end_taking_over());
    // No other thread polls any more.
    while (unwaited() > 0)
        inside_gate([] { test_all_kinds(); });
    end_stand_ins();
    end_checking_order();
    forget_layers();
}

} // namespace loomp::mpi
