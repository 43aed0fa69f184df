// Operations in flight: work that libomptarget has begun on a device, and the task that waits for
// it. Workers poll them between tasks and when idle. Each poll queries a few, the oldest first, so
// it is short with any number of operations.
//
// Owner of a Pending: its maker, until it is left to a poller; then the poller until it is done.
// The poller frees it if a task is held for it. Otherwise it lies on the stack of the suspended
// task, which owns it again.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace loomp::core {
struct Poller;
struct Task;
class TaskSignal;
} // namespace loomp::core

namespace loomp::target {

struct Pending {
    void *handle = nullptr; ///< libomptarget's handle
    std::int64_t device = 0;
    const void *location = nullptr; ///< the compiler's location of the construct
    const void *address = nullptr;  ///< the address of the call in the program
    std::uint64_t tool_word = 0;    ///< the tool's word of the construct
    core::Task *held = nullptr;     ///< the operation is from malloc() if not null
    core::TaskSignal *waiter = nullptr;
    Pending *next = nullptr;

    /// Queries libomptarget, which then does the remaining work. It is not called again after it
    /// has returned true.
    bool has_completed();
    /// Frees the operation's place and informs the waiting task. The operation no longer exists
    /// afterwards.
    void finish();
};

/// A queue that one thread uses at a time.
class PendingQueue {
  public:
    PendingQueue() = default;
    PendingQueue(const PendingQueue &) = delete; // it refers to itself
    PendingQueue &operator=(const PendingQueue &) = delete;
    bool empty() const { return first_ == nullptr; }
    void push(Pending &operation);
    Pending &pop();
    /// Queries each of the `most` first operations once. Completed ones are finished, the others
    /// move to the end. Returns how many completed.
    int poll(int most);

  private:
    Pending *first_ = nullptr;
    Pending **last_ = &first_;
    int size_ = 0;
};

/// Any thread adds operations; the polling thread takes them.
class NewOperations {
  public:
    void add(Pending &operation);
    /// Moves them in order of arrival.
    void move_to(PendingQueue &queue);

  private:
    Atomic<Pending *> last_{nullptr};
};

/// Returns the poller of the devices, for workers and other threads that poll.
core::Poller &device_poller();

/// Leaves the operation to the workers' polls.
void leave_to_poller(Pending &operation);
/// Leaves the operation to a separate thread (patient_poller.cpp), because its query may block.
void leave_to_patient_poller(Pending &operation);

} // namespace loomp::target
