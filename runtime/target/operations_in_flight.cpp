#include "runtime/target/operations_in_flight.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "platform/locks_at_fork.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/task_signal.h"
#include "runtime/target/completion_reports.h"
#include "runtime/target/cuda.h"
#include "runtime/target/failure.h"
#include "runtime/target/in_flight_limit.h"
#include "runtime/target/left_tasks.h"
#include "runtime/target/libomptarget.h"
#include "runtime/target/library_lifetime.h"

namespace loomp::target {

namespace {

constexpr int kMostQueries = 16;

NewOperations arrivals;
PendingQueue polled; ///< the poller owns it
const core::LocksAtFork at_fork([] {
    new (&arrivals) NewOperations;
    new (&polled) PendingQueue;
});

int poll_operations() {
    const Entry entry;
    if (!entry)
        return 0;
    arrivals.move_to(polled);
    return polled.poll(kMostQueries);
}

int poll(void *) {
    // Completions come first, then tasks that they made ready.
    const int found = poll_operations();
    return found + poll_left_tasks();
}

} // namespace

bool Pending::has_completed() {
    const cuda::InContext context(device);
    const InLibomptarget inside(device, location, address);
    library()->query(&handle);
    if (handle != nullptr)
        return false;
    report_completed(tool_word);
    return true;
}

void Pending::finish() {
    give_place_back();
    if (core::Task *task = held) {
        std::free(this);
        core::release_holds(*task, 1);
    } else {
        waiter->signal();
    }
}

void PendingQueue::push(Pending &operation) {
    operation.next = nullptr;
    *last_ = &operation;
    last_ = &operation.next;
    ++size_;
}

Pending &PendingQueue::pop() {
    Pending &operation = *first_;
    first_ = operation.next;
    if (first_ == nullptr)
        last_ = &first_;
    --size_;
    return operation;
}

int PendingQueue::poll(int most) {
    int found = 0;
    for (int i = most < size_ ? most : size_; i > 0; --i) {
        Pending &operation = pop();
        if (operation.has_completed()) {
            operation.finish();
            ++found;
        } else {
            push(operation);
        }
    }
    return found;
}

void NewOperations::add(Pending &operation) {
    Pending *before = last_.load(std::memory_order_relaxed);
    do {
        operation.next = before;
        // release: publishes the operation's contents.
    } while (!last_.compare_exchange_weak(before, &operation, std::memory_order_release,
                                          std::memory_order_relaxed));
}

void NewOperations::move_to(PendingQueue &queue) {
    if (last_.load(std::memory_order_relaxed) == nullptr)
        return;
    // acquire: sees the operations' contents.
    Pending *last = last_.exchange(nullptr, std::memory_order_acquire);
    Pending *in_order = nullptr;
    while (last != nullptr) {
        Pending *before = std::exchange(last->next, in_order);
        in_order = std::exchange(last, before);
    }
    while (in_order != nullptr) {
        Pending &operation = *in_order;
        in_order = operation.next;
        queue.push(operation);
    }
}

core::Poller &device_poller() {
    static core::Poller &poller = core::device_poller(poll);
    return poller;
}

void leave_to_poller(Pending &operation) {
    core::expect(device_poller(), 1);
    arrivals.add(operation);
}

} // namespace loomp::target
