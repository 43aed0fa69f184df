// Queues of new tasks that members of a team share by where they run on the machine: for tasks that
// should start near their data (affinity clause), for all without dependences if
// LOOMP_NEW_TASKS_SHARED_BY says so (the NEW trees of the thesis, 5.2.3), and for those that the
// program gives a queue with a name (runtime/core/scheduling/named_queues.h).
//
// The machine is divided into parts: cores, caches, NUMA domains, sockets, or one part. Each part
// has a queue, first come, first served. A member looks into its own part's after its own queue,
// and into the others' before it steals. Members that are not bound belong to part 0.
//
// A task waits here while it is kPlaced and ready; Task::route has the queue, or the kind if the
// task is fusible, which has a queue (kind_in_queue()). A worker that takes a fusible one takes
// what waits there of its kind as a batch. Thread safety: any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/atomic.h"
#include "runtime/core/environment/places.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/queues/ready_list.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// The machine cut into parts. A place that has no part of its own is in part 0.
class MachineParts {
  public:
    MachineParts(const std::vector<Place> &places, MachineLevel level,
                 Location (*location_of)(int processor));
    unsigned of_place(int place) const {
        return place < 0 ? 0 : of_place_[static_cast<std::size_t>(place)];
    }
    /// `domain`: the OS number of a NUMA domain, or negative.
    unsigned of_numa_domain(int domain) const {
        const auto at = static_cast<std::size_t>(domain);
        return domain >= 0 && at < of_domain_.size() ? of_domain_[at] : 0;
    }
    unsigned count() const { return count_; }

  private:
    std::vector<std::uint16_t> of_place_;
    std::vector<std::uint16_t> of_domain_;
    unsigned count_ = 1;
};
/// This machine's, at the level of LOOMP_NEW_TASKS_SHARED_BY, or else cut into NUMA domains.
const MachineParts &machine_parts();

class SharedQueues {
  public:
    static constexpr unsigned kQueues = 256;
    static constexpr unsigned kParts = 64; ///< the first ones; with more parts, several share one

    SharedQueues() {
        for (ReadyList &list : lists_)
            list.count_in(filled_);
    }

    void push(unsigned queue, Task &task);
    /// Takes from that part, or else from the next one that has any; returns null if none has.
    Task *take(unsigned part);
    /// The first task of the queue, or a batch of it and its like; null: it is empty.
    Task *take_of(unsigned queue);
    /// Up to `most` tasks of `kind`, 0: any, chained by Task::next.
    ReadyList::Taken take_kind(unsigned queue, unsigned kind, std::uint32_t most);
    /// Moves what waits in `from` into `to`, behind what is there.
    std::uint32_t merge(unsigned to, unsigned from);
    std::uint32_t size(unsigned queue) const { return lists_[queue].size(); }
    bool looks_empty() const { return filled_.load(std::memory_order_relaxed) == 0; }
    bool holds_many(unsigned queue) const { return size(queue) > kMany; }

    /// For fork().
    void visit_locks(void (*each)(SpinLock &));

  private:
    /// With more of them in a queue, creators run what they have created.
    static constexpr std::uint32_t kMany = 4096;
    ReadyList lists_[kQueues];
    Atomic<std::int32_t> filled_{0}; ///< queues that have tasks
};

/// The affinity clause: `task`, created and not yet spawned, should start near `address`.
void place_near(Task &task, const void *address);
/// `task`, created and not yet spawned, waits in the queue with a name of that number when it is
/// ready. It has kPlaced.
void place_in_named(Task &task, unsigned queue);
/// spawn() for a task without dependences that is kPlaced, or whose creator has kPlacesNew.
LOOMP_MAY_SWITCH void spawn_placed(Worker &worker, Task &task);
/// The part of it that is before the task is queued: a child of one whose tasks wait where threads
/// share them.
void place_as_new(Worker &worker, Task &task);
/// The ready task goes to the queue of its part.
void queue_placed(Task &task);

/// The team's queues; null if there is nothing in them.
inline SharedQueues *filled_queues(const Member &member) {
    SharedQueues *queues = member.team->shared.load(std::memory_order_acquire);
    return queues == nullptr || queues->looks_empty() ? nullptr : queues;
}

/// The source of work (runtime/core/scheduling/sources.h) before stealing.
struct PlacedTasks {
    static constexpr std::uint32_t kMark = Team::kPlacings;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member) { return filled_queues(member) != nullptr; }
};

} // namespace loomp::core
