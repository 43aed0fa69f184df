// Fusion: ready tasks of one kind run as one call of the kind's batch body
// (runtime/core/scheduling/task_kinds.h).
//
// Fusible tasks wait in lists: each member gathers those that it creates or makes ready, and a
// queue that members share gathers those that have a place there. A worker that takes one takes
// with it as many of its kind as may run together. They become one task, the latest, with the
// others chained behind it by `next`: an ordinary ready task from then on, which runs the batch
// body in the place of its own code. A creator whose task fills a batch takes that out itself, and
// spawns it as one task. A worker that finds its own queue empty takes what it has gathered itself;
// then, as tasks are stolen, what others have, unless they are about to fill a batch.
//
// Invariant: the others of a batch are known to their first one only, until they complete just
// before it does, whatever delays that (hold()). The first one runs even if it is cancelled
// (kCleanup), and then makes them ready by themselves. Its code is not run again
// (runtime/core/scheduling/run_again.h), since that would be its own and not the batch body.
// Thread safety: any thread.
#pragma once

#include "runtime/core/queues/ready_list.h"
#include "runtime/core/scheduling/task_kinds.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// The task that stands for a batch of itself and `others`, which came before it, chained by
/// Task::next, the earliest at the front.
Task &make_batch(Task &latest, Task *others);
/// Makes such a task of a chain of tasks that ends with the latest.
Task &make_batch_of(Task *tasks);
/// Takes the first task of the list, or a batch of it and its like; returns null if it is empty.
Task *take_batch(ReadyList &list);
/// If `task`, which is fusible and not queued, fills a batch of what the member has gathered: takes
/// the others. Its worker calls it.
Task *take_rest_of_batch(Member &member, const Task &task);
/// If `task` is the first of a batch: the others, which are its caller's from now on, and ready.
Task *part_from_batch(Task &task);

/// The source of work (runtime/core/scheduling/sources.h): takes a batch, or a single fusible task.
struct GatheredTasks {
    static constexpr std::uint32_t kMark = Team::kGathers;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member);
};

// --- Batches from the start: one task for several pieces of work

/// The payload of a task that runs a whole batch (become_batch()).
struct WholeBatch {
    BatchFn batch;
    void *context;
    std::uint32_t kind;
    std::uint32_t count;
    void *data[];
};
/// Makes `task`, with room for the batch behind it, run the body of `kind` for these.
void become_batch(Task &task, unsigned kind, void *const *data, std::size_t count);
/// Returns whether the task waits to be run in batches of the kind, or is a batch from the start.
bool is_of_kind(const Task &task, unsigned kind);

} // namespace loomp::core
