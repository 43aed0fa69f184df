// Operations in flight: what libomptarget has begun on a device, and who is told when it has
// completed. Workers poll for them, between tasks and when they are idle; a few are queried each
// time, the oldest first, so that a poll is short however many there are.
//
// Owner of a Pending: who makes it, until it is left to a poller; then that one until it is done,
// which frees it if a task is held for it, and otherwise leaves it to the suspended task on whose
// stack it is.
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
    void *handle = nullptr; ///< libomptarget's
    std::int64_t device = 0;
    const void *location = nullptr; ///< of its construct
    const void *address = nullptr;  ///< likewise, in the program
    std::uint64_t tool_word = 0;    ///< the tool's word of that
    core::Task *held = nullptr;     ///< made with malloc() then
    core::TaskSignal *waiter = nullptr;
    Pending *next = nullptr;

    /// Queries libomptarget, which then does what is left to do. Not again once it has.
    bool has_completed();
    /// Gives its place back and tells who waits. It is gone afterwards.
    void finish();
};

/// A queue of one thread at a time.
class PendingQueue {
  public:
    PendingQueue() = default;
    PendingQueue(const PendingQueue &) = delete; // it refers to itself
    PendingQueue &operator=(const PendingQueue &) = delete;
    bool empty() const { return first_ == nullptr; }
    void push(Pending &operation);
    Pending &pop();
    /// Queries `most` of the first ones once each: those that have completed are finished, the
    /// others go to the end. Returns how many those were.
    int poll(int most);

  private:
    Pending *first_ = nullptr;
    Pending **last_ = &first_;
    int size_ = 0;
};

/// Operations that any thread leaves to the one that polls.
class NewOperations {
  public:
    void add(Pending &operation);
    /// In the order in which they came.
    void move_to(PendingQueue &queue);

  private:
    Atomic<Pending *> last_{nullptr};
};

/// By which workers, and who polls in their place, look after devices.
core::Poller &device_poller();

/// From now on workers poll for it.
void leave_to_poller(Pending &operation);
/// From now on a thread of its own does (patient_poller.cpp): the query may be held up.
void leave_to_patient_poller(Pending &operation);

} // namespace loomp::target
