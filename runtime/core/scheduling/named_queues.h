// Queues that the program names, and the order in which a thread looks into them (experimental.h:
// loomp_queue()).
//
// A name stands for a number in the whole process. Each team has lists of its own behind the
// numbers, those of Team::shared from kPartQueues on, since a thread runs its team's tasks only.
//
// Without an order, a worker looks into them after its own queue and before it steals: first those
// of its place, then those of none. A worker with an order looks into those that come before the
// other tasks first of all, and into the rest when it finds nothing to steal either.
//
// Thread safety: any thread, but for an order that a worker gives itself.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// The number of such queues, with 0, which stands for all tasks that are in no such queue.
inline constexpr unsigned kMostNamed = SharedQueues::kCount - kPartQueues;
inline constexpr unsigned kOtherTasks = 0;

/// Each number is in it once at most. Queues that are not in it come last.
struct QueueOrder {
    unsigned first = 0; ///< so many come before the other tasks
    unsigned count = 0;
    std::uint8_t queues[kMostNamed];
};

/// Some worker has an order: regions are to look.
LOOMP_HIDDEN extern Atomic<bool> queues_have_orders;

/// The number of the queue with that name, made if there is none; 0: there are as many as can be.
/// `place` counts where it is made; negative: none.
unsigned named_queue(const char *name, int place);
/// How many there are, and one: numbers are below.
unsigned named_count();

/// The worker's from now on; `count` 0: none any more. False: a number is none, or comes twice.
bool set_queue_order(Worker &worker, const int *queues, int count);

/// The team's queues of parts and those with names; null if there is nothing in them.
inline SharedQueues *filled_queues(const Member &member) {
    SharedQueues *queues = member.team->shared.load(std::memory_order_acquire);
    return queues == nullptr || queues->looks_empty() ? nullptr : queues;
}
/// Moves what waits in the queue `from` behind what is in `to`. Returns how many.
std::uint32_t merge_named(SharedQueues &queues, unsigned to, unsigned from);

/// The source of work (runtime/core/scheduling/sources.h) before stealing: the queue of the
/// member's part, then those of other parts, then, without an order, those with names.
struct PlacedTasks {
    static constexpr std::uint32_t kMark = Team::kPlacings;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member) { return filled_queues(member) != nullptr; }
};
/// The sources of work (runtime/core/scheduling/sources.h) by the worker's order: those that come
/// before all other tasks, and those after them.
struct NamedFirst {
    static constexpr std::uint32_t kMark = Team::kOrders;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member);
};
struct NamedLast {
    static constexpr std::uint32_t kMark = Team::kOrders;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member) { return filled_queues(member) != nullptr; }
};

/// Brings up to `most` tasks of `kind`, 0: any, from the queue of the worker's team to its own, in
/// batches where they are fusible. Returns how many.
std::uint32_t take_from_named(Worker &worker, unsigned queue, unsigned kind, std::uint32_t most);

} // namespace loomp::core
