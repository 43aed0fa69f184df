// The end of a task: its successors become ready, its taskgroup and its parent learn of it, its
// memory is recycled. Inline where every task passes.
#pragma once

#include "runtime/core/dependences/exclusion.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// The thread that completes a task. It decides what completion may leave for later.
enum class Completion {
    /// A worker that goes on with something else: nothing.
    and_go_on,
    /// A worker that looks for its next task right afterwards: it may keep a ready successor in its
    /// slot, which thieves do not see, and tell the parent later.
    and_next_task,
    /// The worker of the creator, which cannot go on before, of a task that nobody counts yet.
    uncounted,
    /// The thread that fulfils the task's event: nothing.
    by_event
};

/// All of `task`'s obligations are met, or it is thrown away. `task` must not be touched
/// afterwards. Called by the worker whose thread ran it, or by the one that fulfilled its event.
void complete_task(Task &task);
/// Completes a task that was created but never counted nor run.
void discard_task(Task &task);

/// A detachable task's event happened. Any thread may call it.
void fulfill(Task &task);

/// The running task will not complete until as many holds are released, though its body returns.
/// Returns null if it cannot be held, since its creator waits for its body's end only.
Task *hold(std::uint32_t count);
/// Any thread may call it.
void release_holds(Task &task, std::uint32_t count);

/// Releases all that most tasks do not have: control variables of their own, attached blocks, a
/// tool's view. True if the tool keeps the block.
bool release_extras(Worker &worker, Task &task);
/// A batch of blocks went home.
LOOMP_NOINLINE void sent_home(Worker &worker);

/// Recycles a completed task that has no children and, since its block's last use, never had one
/// that is not released yet.
LOOMP_INLINE void release_task(Worker &worker, Task &task) {
    LOOMP_ASSERT(task.created == 0 && task.children.load(std::memory_order_relaxed) == 0 &&
                 task.map == nullptr && task.predecessors.unmet(std::memory_order_relaxed) == 0);
    LOOMP_ASSERT(!task.has(kImplicit) && !task.has(kKept));
    transition(task, TaskPhase::completed, TaskPhase::released);
    if (LOOMP_UNLIKELY((task.flags & (kOwnsIcvs | kDetachable)) != 0 || task.attached != nullptr ||
                       task.tool != nullptr) &&
        release_extras(worker, task))
        return;
    if (LOOMP_LIKELY(task.home == worker.index))
        worker.task_blocks.free_local(&task, task.size_class);
    else if (LOOMP_UNLIKELY(worker.task_blocks.free_remote(&task, task.size_class,
                                                           Worker::at(task.home).task_blocks)))
        sent_home(worker);
}

/// Lets a kept task be used again (runtime/core/persistent/persistent_task.cpp).
void release_kept_parent(Task &task);

/// Recycles a completed task whose children's word has been in use.
inline void release_former_parent(Worker &worker, Task &task) {
    if (LOOMP_UNLIKELY(task.has(kKept)))
        return release_kept_parent(task);
    task.children.store(0, std::memory_order_relaxed);
    release_task(worker, task);
}

/// The part of make_ready() for tasks that no deque holds.
LOOMP_NOINLINE void settle_ready(Task &task);
/// Brings a task that waits for nothing any more to a queue of its team; an empty node of the graph
/// completes instead. Any thread may call it.
LOOMP_INLINE void make_ready(Task &task) {
    enter_ready(task);
    if (LOOMP_UNLIKELY((task.flags & kNotForDeque & ~kPrioritized) != 0))
        settle_ready(task);
    else
        queue_usual(task);
}
/// Brings it behind those that were brought so before, if its queue is one of that kind.
void make_ready_in_turn(Task &task);

/// Tells a parent of completions that the worker has gathered. Called before the worker looks for
/// work beyond its own queue, sleeps, runs code that is not a sibling of those tasks, or checks
/// whether it may stop waiting.
void flush_completions_slow(Worker &worker);
LOOMP_INLINE void flush_completions(Worker &worker) {
    if (worker.completing_count != 0)
        flush_completions_slow(worker);
}

/// Adds the children created since the last time to the shared count; the new word.
LOOMP_INLINE std::uint64_t fold_created(Task &task) {
    const std::uint64_t created = task.created;
    task.created = 0;
    // acquire: what completed children wrote is visible after the wait that follows.
    return task.children.fetch_add(created * children::kOne, std::memory_order_acq_rel) +
           created * children::kOne;
}

namespace completion {

/// `count` children of `parent` completed that have no children left.
void leaves_completed(Task &parent, std::uint32_t count);
/// A task that created children completes; they may have been released meanwhile.
LOOMP_NOINLINE void complete_parent(Worker &worker, Task &task);
/// finish() for tasks that may not be complete when their body returns, and for batches, whose
/// others complete here.
LOOMP_NOINLINE void finish_special(Worker &worker, Task &task, Completion how);
LOOMP_COLD void drop_map(Task &task);
/// The locks that a mutexinoutset task holds, its place in the graph of priorities, and what later
/// siblings of a transparent task are to wait for besides.
LOOMP_NOINLINE void release_special_holdings(Worker &worker, Task &task);
/// The whole of complete() for a task of a persistent graph
/// (runtime/core/persistent/persistent_task.cpp).
void complete_kept(Worker &worker, Task &task, Completion how);

/// Whether the task's children are all released, without a look at what others still hold.
LOOMP_INLINE bool is_leaf(const Task &task) {
    // acquire: released children's effects.
    return task.created == 0 && task.children.load(std::memory_order_acquire) == 0;
}

/// The first ready successor is run next by this worker: its inputs are in our cache. False: it
/// belongs into a queue.
LOOMP_INLINE bool keep_for_next(Member &member, Task &successor, Completion how) {
    if (how != Completion::and_next_task || member.successor_slot != nullptr ||
        successor.team != member.team || (successor.flags & kNotForDeque) != 0)
        return false;
    enter_ready(successor);
    member.successor_slot = &successor;
    return true;
}

LOOMP_INLINE void queue_successor(Task &successor, Completion how) {
    if (how == Completion::by_event)
        make_ready_in_turn(successor);
    else
        make_ready(successor);
}

/// A child of `parent` without children of its own has completed. Its memory may be gone.
LOOMP_INLINE void leaf_completed(Worker &worker, Task &parent, Completion how) {
    if (how == Completion::and_next_task) {
        LOOMP_ASSERT(worker.completing_count == 0 || worker.completing_parent == &parent);
        // Told later, together with its siblings. run() has flushed those of other parents.
        worker.completing_parent = &parent;
        ++worker.completing_count;
    } else {
        leaves_completed(parent, 1);
    }
}

LOOMP_INLINE void complete(Worker &worker, Task &task, Completion how) {
    transition(task, TaskPhase::finished, TaskPhase::completed);
    LOOMP_ASSERT((task.children.load(std::memory_order_relaxed) & children::kFlags) == 0);
    LOOMP_ASSERT((task.flags & (kImplicit | kRequeue | kTellsReturn)) == 0);
    LOOMP_ASSERT(!task.has(kNamesSet) || !task.has(kStarted)); // the pattern of a taskloop has it
    LOOMP_ASSERT((task.detach.load(std::memory_order_relaxed) & ~detach::kComplete) == 0);
    if (LOOMP_UNLIKELY((task.flags & (kExclusive | kPropagates | kExports | kKept)) != 0)) {
        if ((task.flags & (kExclusive | kPropagates | kExports)) != 0)
            release_special_holdings(worker, task);
        if (task.has(kKept))
            return complete_kept(worker, task, how);
    }
    if ((task.flags & kHasDependences) != 0) {
        Member &member = *worker.member;
        release_successors(task, [&](Task &successor) {
            if (!keep_for_next(member, successor, how))
                queue_successor(successor, how);
        });
    }
    if (LOOMP_UNLIKELY(task.map != nullptr))
        drop_map(task);
    const bool leaf = LOOMP_LIKELY(is_leaf(task));
    if (how == Completion::uncounted) {
        if (leaf) {
            release_task(worker, task);
            return;
        }
        count_task(task);
    }
    if (task.group != nullptr)
        task.group->complete_one();
    if (!leaf) {
        complete_parent(worker, task);
        return;
    }
    Task &parent = *task.parent;
    release_task(worker, task);
    leaf_completed(worker, parent, how);
}

/// The body of `task` has returned.
LOOMP_INLINE void finish(Worker &worker, Task &task, Completion how) {
    transition(task, TaskPhase::running, TaskPhase::finished);
    LOOMP_ASSERT(worker.task != &task);
    if (LOOMP_UNLIKELY((task.flags & (kRequeue | kDetachable | kCleanup)) != 0))
        return finish_special(worker, task, how);
    complete(worker, task, how);
}

} // namespace completion
} // namespace loomp::core
