#include "mpi/waiting/interception.h"

#include <cstddef>
#include <cstdio>
#include <mpi.h>

#include "mpi/waiting/debugger_table.h"
#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::mpi {

namespace {

/// Tasks push their operations here; the poller takes all of them at once.
Atomic<Operation *> incoming{nullptr};
/// Null if calls are not intercepted.
Atomic<loomp_poller_t *> poller{nullptr};
/// Only collectives are intercepted.
Atomic<bool> joining{false};

/// MPI_Init of the layer has run, or has been reported as missed.
Atomic<bool> start_is_known{false};

Atomic<int> continuations{0};

} // namespace

LOOMP_THREAD_LOCAL bool thread_aware = true;

bool active() { return poller.load(std::memory_order_acquire) != nullptr; }

// relaxed: other threads call MPI after MPI_Init and before MPI_Finalize, which set it.
bool starts_collectives() {
    return (active() || joining.load(std::memory_order_relaxed)) && !is_inside_tool();
}
void set_joining(bool joins) { joining.store(joins, std::memory_order_relaxed); }

// relaxed: it orders nothing else.
void note_start() { start_is_known.store(true, std::memory_order_relaxed); }

bool report_missed_start() {
    int is_started = 0;
    if (start_is_known.load(std::memory_order_relaxed) ||
        PMPI_Initialized(&is_started) != MPI_SUCCESS || is_started == 0 ||
        start_is_known.exchange(true, std::memory_order_relaxed))
        return false;
    std::fputs("loomp: MPI_Init was called past the MPI layer, through a library's handle (dlsym): "
               "MPI calls in tasks hold their threads. Call it by its name, or look it up with "
               "RTLD_DEFAULT\n",
               stderr);
    return false;
}

void leave_to_poller(Operation &operation) {
    expect_one();
    operation.next = incoming.load(std::memory_order_relaxed);
    // release: publishes the operation's contents.
    while (!incoming.compare_exchange_weak(operation.next, &operation, std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
}

void expect_one() { loomp_poller_expect(poller.load(std::memory_order_relaxed), 1); }

void count_unwaited(int change) { continuations.fetch_add(change, std::memory_order_relaxed); }
int unwaited() { return continuations.load(std::memory_order_relaxed); }

// release: publishes the preparations to threads that find interception active.
void begin_taking_over(loomp_poller_t *by) { poller.store(by, std::memory_order_release); }
loomp_poller_t *end_taking_over() { return poller.exchange(nullptr, std::memory_order_acq_rel); }

Operation *take_incoming() {
    // acquire: the operations' contents.
    Operation *operation = incoming.exchange(nullptr, std::memory_order_acquire);
    // Reverses the list, because messages mostly arrive in the order of their receives.
    Operation *in_order = nullptr;
    while (operation != nullptr) {
        Operation *next = operation->next;
        operation->next = in_order;
        in_order = operation;
        operation = next;
    }
    return in_order;
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
