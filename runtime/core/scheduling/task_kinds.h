// Kinds of tasks, each with a batch body that the program has registered (loomp.h:
// loomp_task_kind()). Thread safety: any thread.
#pragma once

#include <cstddef>

#include "runtime/core/queues/ready_list.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

inline constexpr unsigned kMaxTaskKinds = 256; ///< including 0, which means no kind
inline constexpr unsigned kMaxBatch = 256;

/// A program's batch body: loomp_batch_fn.
using BatchFn = void (*)(void *const *data, std::size_t count, void *context);

struct TaskKind {
    BatchFn batch;
    void *context;
    unsigned max;        ///< how many of its tasks run together at most
    std::uint8_t itself; ///< the program's kind: another one, of its tasks in a queue
    std::uint8_t queue;  ///< the queue of those
    /// How its tasks run alone: all in one way, that of the compiler that the first one came from.
    Atomic<InvokeFn> alone{nullptr};
};

/// A new kind's number, or 0 if there are kMaxTaskKinds already. `context` lives on.
unsigned add_task_kind(BatchFn batch, void *context, unsigned max);
bool is_task_kind(int kind);
/// The kind with a number that add_task_kind() or kind_in_queue() returned.
const TaskKind &task_kind(unsigned kind);

/// A kind's number for its tasks in a queue that threads share, so that one number says both; 0:
/// there are kMaxTaskKinds already.
unsigned kind_in_queue(unsigned kind, unsigned queue);
/// Returns whether two numbers stand for the same kind. The queues may differ.
bool are_one_kind(unsigned one, unsigned other);
/// The list of GatheredQueues where a kind's tasks wait.
inline unsigned slot_of_kind(unsigned kind) { return kind % GatheredQueues::kCount; }

/// Whether the fusible task, whose kind's number it has, runs by itself all the same.
bool runs_by_itself(const Task &task);
/// Whether it is gathered by the thread that makes it ready: not if it has a place, whose queue
/// gathers its like.
inline bool is_gathered(const Task &task) {
    return (task.flags & (kFusible | kPlaced)) == kFusible;
}

} // namespace loomp::core
