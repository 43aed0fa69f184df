// Fusion: ready tasks of one kind run as one call of a batch body that the program has registered
// (loomp.h: loomp_task_kind()).
//
// Each member gathers the fusible tasks that it creates or makes ready
// (runtime/core/queues/batch.h). A full batch becomes its last task, with the others chained behind
// it by `next`: an ordinary ready task from then on, which runs the batch body in the place of its
// own code and completes the others at its end. A worker that finds its own queue empty takes what
// it has gathered itself; then, as tasks are stolen, what others have, unless they are about to
// fill a batch.
//
// Invariant: the others of a batch are known to their first one only, until they complete just
// before it does, whatever delays that (hold()). The first one runs even if it is cancelled
// (kCleanup), and then makes them ready by themselves. Its code is not run again
// (runtime/core/scheduling/run_again.h), since that would be its own and not the batch body.
// Thread safety: any thread.
#pragma once

#include "runtime/core/queues/batch.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;
enum class Completion;

/// A program's batch body: loomp_batch_fn.
using BatchFn = void (*)(void *const *data, std::size_t count, void *context);

/// A new kind's number, or 0 if there are kMaxTaskKinds already. `context` lives on.
unsigned add_task_kind(BatchFn batch, void *context, unsigned max);
bool is_task_kind(int kind);

/// spawn() for a fusible task without dependences.
LOOMP_MAY_SWITCH void spawn_fusible(Worker &worker, Task &task);
/// The ready task joins those of its kind, or goes where any task goes if it has to run alone.
void queue_fusible(Task &task);
/// Whether it is gathered by the thread that makes it ready: not if it has a place, whose queue
/// gathers its like.
inline bool is_gathered(const Task &task) {
    return (task.flags & (kFusible | kPlaced)) == kFusible;
}

// --- In queues that threads share (runtime/core/scheduling/shared_queues.h)

/// A kind's number for its tasks in such a queue, so that one number says both; 0: there are
/// kMaxTaskKinds already.
unsigned kind_in_queue(unsigned kind, unsigned queue);
/// The queue of a kind that kind_in_queue() returned.
unsigned queue_of_kind(unsigned kind);
/// Whether two numbers stand for the same kind, in whatever queues.
bool are_one_kind(unsigned one, unsigned other);
/// How many of the kind's tasks run together at most.
unsigned most_of_kind(unsigned kind);
/// Whether the fusible task, whose kind's number it has, runs by itself all the same.
bool runs_by_itself(const Task &task);
/// Whether the task waits to be run in such batches, or is a batch from the start.
bool is_of_kind(const Task &task, unsigned kind);
/// The task that stands for fusible ones of one kind, chained by Task::next, first come first.
Task &make_batch_of(Task *tasks);

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
BatchFn body_of_kind(unsigned kind);

/// If `task` is the first of a batch: the others, which are its caller's from now on, and ready.
Task *part_from_batch(Task &task);
/// If `first` is the first of a batch: completes the others. The body has returned, and `first`
/// completes next.
void complete_others(Task &first, Completion how);

/// The source of work (runtime/core/scheduling/sources.h): takes a batch, or a single fusible task.
struct GatheredTasks {
    static constexpr std::uint32_t kMark = Team::kGathers;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member);
};

} // namespace loomp::core
