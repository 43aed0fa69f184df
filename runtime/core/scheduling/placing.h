// Places of new tasks. A task with a place waits in a queue that members of a team share by where
// they run on the machine. These are tasks that should start near their data (affinity clause), all
// without dependences if LOOMP_NEW_TASKS_SHARED_BY says so (the NEW trees of the thesis, 5.2.3),
// and those that the program gives a queue with a name (runtime/core/scheduling/named_queues.h).
//
// The machine is divided into parts: cores, caches, NUMA domains, sockets, or one part. Each part
// has a queue, first come, first served. A member looks into its own part's after its own queue,
// and into the others' before it steals. Members that are not bound belong to part 0.
//
// A task waits in Team::shared while it is kPlaced and ready; Task::route has the queue, or the
// kind if the task is fusible, which has a queue (kind_in_queue()). Thread safety: a task's
// creator, but for settle_place().
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/core/environment/places.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/queues/ready_list.h"
#include "runtime/core/scheduling/task_kinds.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// The first of Team::shared are the parts'; with more parts, several share one. The queues with
/// names follow.
inline constexpr unsigned kPartQueues = 64;

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

/// The affinity clause: `task`, created and not yet spawned, should start near `address`.
void place_near(Task &task, const void *address);
/// `task`, created and not yet spawned, waits in the queue with a name of that number when it is
/// ready. It has kPlaced.
void place_in_named(Task &task, unsigned queue);
/// Places a child of one whose tasks wait where threads share them (kPlacesNew).
void place_as_new(Worker &worker, Task &task);

/// The queue of a task with kPlaced.
inline unsigned queue_of(const Task &task) {
    return task.has(kFusible) ? task_kind(task.route.kind()).queue : task.route.queue();
}
/// The ready task is about to wait in its queue. False: it has become one with another queue, or
/// with none, and is placed no more. One that turns out to run by itself is no fusible one any
/// more.
bool settle_place(Task &task);

} // namespace loomp::core
