// Propagating priorities to predecessors (LOOMP_PRIORITY_PROPAGATION; thesis of R. Pereira, 5.2.3):
// a task that must come early is of no use while what it waits for comes late.
//
// While it is on, every task with dependences is known here from before it is linked until it is
// taken to run (or completes without running), together with the tasks that it waits for, and the
// team's ready tasks with a priority or with dependences are in one queue, here.
// Protocol: one lock guards all of it, the priorities of the tasks in it included. So a task whose
// priority is raised is in one of two states, and cannot leave it meanwhile: waiting, then it is
// queued with the new priority later; or queued, then it is moved within the queue. One that is
// not here any more has started, and so have all that it waited for completed: nothing to do. Tasks
// are named by address and serial number, as in runtime/core/dependences/successors.h.
// Off, nothing of this exists; creating and completing tasks test nothing for it that they would
// not test anyway.
// Thread safety: any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "runtime/core/dependences/task_set.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

struct Team;

/// Whether priorities are propagated. Set once at start.
LOOMP_HIDDEN extern Relaxed<bool> propagates_priorities;
/// Counts changes of the settings and of the kinds that are known to send, by which priorities that
/// were handed down before are no more what they would be. Never 0.
LOOMP_HIDDEN extern Atomic<std::uint32_t> priority_changes;
LOOMP_COLD void note_priority_change();

class PriorityGraph {
  public:
    /// A task, not yet visible to others, is about to be linked after `predecessors`. Raises their
    /// priorities, or leaves that to idle workers.
    void add(Task &task, const std::vector<TaskRef> &predecessors);
    /// The kind (runtime/core/scheduling/sending_kinds.h) has become known to send: its tasks here
    /// get the highest priority, which is propagated as that of new ones.
    void favour(std::uint64_t kind);
    /// The task is ready. It need not have been added.
    void push(Task &task);
    /// The ready task with the highest priority, the earliest among equals, or null. Forgets it.
    Task *take();
    /// The task has completed; forgets it if it is known.
    void forget(const Task &task);
    /// The task is ready, and not pushed. Forgets it unless it has a priority; true if it has none,
    /// nor will get one.
    bool leave(const Task &task);

    bool looks_empty() const { return top() < 0; }
    /// The highest priority of a ready task; -1: there is none. May be old.
    std::int32_t top() const { return top_.load(std::memory_order_relaxed); }
    std::size_t size() const { return size_.load(std::memory_order_relaxed); }

    /// For idle workers: propagates the priorities of some tasks, one worker at a time. True if
    /// there were any.
    bool propagate_some();

  private:
    struct Node {
        std::uint64_t serial;
        std::vector<TaskRef> predecessors;
        std::uint64_t order = kWaiting; ///< when it came into the queue
    };
    static constexpr std::uint64_t kWaiting = ~std::uint64_t{0};
    /// The queue's order: the highest priority first, then the earliest.
    struct Key {
        std::int32_t priority;
        std::uint64_t order;
        bool operator<(const Key &other) const {
            return priority != other.priority ? priority > other.priority : order < other.order;
        }
    };
    Node *find(const TaskRef &ref);
    // The caller holds the lock:
    void set_priority(Task &task, const Node &node, std::int32_t priority);
    /// Gives those before `task` their priorities, and those before them.
    void propagate(Task &task, const Node &node);
    /// Propagates now, or leaves it to idle workers, as the settings say.
    void propagate_in_time(Task &task, const Node &node);
    void show();

    SpinLock lock_;
    std::unordered_map<const Task *, Node> nodes_;
    std::map<Key, Task *> queue_;
    std::vector<TaskRef> pending_;       ///< idle workers are yet to propagate their priorities
    std::size_t look_at_pending_ = 1024; ///< with so many, those that have started are left out
    std::vector<Task *> work_;           ///< scratch memory of propagate()
    std::uint64_t pushed_ = 0;
    Atomic<std::int32_t> top_{-1};
    Atomic<std::size_t> size_{0};
    Atomic<bool> has_pending_{false};
};

/// The team's; made by the first caller.
PriorityGraph &priority_graph_of(Team &team);

/// Makes a task known to its team's graph, before link_dependences() with the same arguments.
void note_predecessors(Task &task, const Dependence *dependences, std::size_t count);
/// Makes an empty node that stands for a set of tasks known to its team's graph.
void note_redirect(Task &node, const TaskSet &set);
/// The task has completed.
void forget_predecessors(Task &task);
/// A ready task, which is not queued yet, goes its own way if nothing that must come early waits
/// for it: from then on it is none of the graph's.
void leave_without_priority(Task &task);

/// The running task sends: from now on its kind is known to
/// (runtime/core/scheduling/sending_kinds.h).
void note_send();

} // namespace loomp::core
