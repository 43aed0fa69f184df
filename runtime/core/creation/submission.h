// The interface with which front ends create explicit tasks.
//
// There are two ways. The fast path serves a task without special properties of a creator that
// creates_plainly(): create_plain() or create(), fill the payload, spawn(). All others take the
// generic path: create() and submit(), which runs the task in its creator's place or defers it.
// Only defer_decoded() decides where a deferred task goes. A persistent graph keeps it, or it is
// gathered with tasks of its kind, placed near its data, transparent, or linked and queued.
//
// Front ends pass a depend clause in the compiler's layout; it is decoded on demand. A `Clause` has
//   bool empty() const;
//   auto decoded() const;                               with data() and size(), of Dependence
//   bool is(const auto &items, count) const;            compares without decoding, if that is easy
//
// Thread safety: the thread that runs the creator calls all of it.
#pragma once

#include "runtime/core/persistent/persistent_graph.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/next_task.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/sending_kinds.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/transparent.h"
#include "runtime/core/scheduling/waiting.h"

namespace loomp::core {

/// A task without a depend clause.
struct NoClause {
    struct Nothing {
        static const Dependence *data() { return nullptr; }
        static std::size_t size() { return 0; }
    };
    static bool empty() { return true; }
    static Nothing decoded() { return {}; }
    static bool is(const auto &, std::size_t count) { return count == 0; }
};

// --- Creating ------------------------------------------------------------------------------------

/// The one test of the fast path: the creator defers its tasks, has no persistent graph, has asked
/// nothing of the next task, and its tasks go to its own queue; no tool watches, and nothing is
/// cancelled. Its tasks are handed over by spawn().
inline constexpr TaskFlags kUnusualCreator =
    kRunsChildrenInline | kPersistent | kHasNextRequest | kPlacesNew;
LOOMP_INLINE bool creates_plainly(const Task &creator) {
    return !tool_enabled && !anything_cancelled(*creator.team) &&
           (creator.flags & kUnusualCreator) == 0;
}

/// Creates a task of a creator that creates_plainly(), for the fast path. The front end fills
/// `payload` bytes and calls spawn().
LOOMP_INLINE Task &create_plain(Worker &worker, std::size_t payload, TaskFlags flags) {
    // Another thread may have cancelled the region meanwhile; then the task is discarded.
    LOOMP_ASSERT((worker.task->flags & kUnusualCreator) == 0);
    return *allocate_task(worker, *worker.task, payload, flags);
}

/// Returns whether the running task's creations are skipped, because its region or taskgroup is
/// cancelled. A request for the next task is forgotten then. Tasks of a persistent graph are
/// created, and discarded in their turn, so that the iteration has the same tasks as the previous
/// one.
LOOMP_MAY_SWITCH_IF_TRUE bool skips_creation(Worker &worker);

LOOMP_MAY_SWITCH LOOMP_NOINLINE Task &create_generic(Worker &worker, std::size_t payload,
                                                     TaskFlags flags, TaskCode code);
/// Creates a child of the running task, with its requests for the next task; `code` identifies the
/// construct. The front end fills `payload` bytes and submits it.
LOOMP_MAY_SWITCH LOOMP_INLINE Task &create(Worker &worker, std::size_t payload, TaskFlags flags,
                                           TaskCode code) {
    return LOOMP_LIKELY((worker.task->flags & (kPersistent | kHasNextRequest)) == 0)
               ? *allocate_task(worker, *worker.task, payload, flags)
               : create_generic(worker, payload, flags, code);
}

/// Forgets a request for the next task, which will not be created.
LOOMP_MAY_SWITCH inline void forget_next_task(Worker &worker) { (void)take_next_task(worker); }

/// Creates a part of a taskloop, with the clauses of `pattern`, which never runs.
LOOMP_MAY_SWITCH Task &create_part(Worker &worker, const Task &pattern, std::size_t payload,
                                   TaskCode code);

/// Returns whether the creator defers its tasks, unless they have an if clause.
inline bool defers(const Task &creator) { return !creator.has(kRunsChildrenInline); }

// --- Submitting ----------------------------------------------------------------------------------

/// Returns whether the task takes the fast path, with spawn().
LOOMP_INLINE bool is_plain(const Task &creator, const Task &task) {
    return (creator.flags & (kRunsChildrenInline | kPersistent | kPlacesNew)) == 0 &&
           (task.flags & (kUndeferred | kKept | kTransparent | kFusible | kPlaced | kNamesSet)) ==
               0;
}

/// The task, which is complete except for its dependences, is undeferred: it will run in its
/// creator's place.
LOOMP_MAY_SWITCH LOOMP_INLINE void set_in_place(Task &task) {
    if (LOOMP_UNLIKELY(task.parent->has(kPersistent)))
        meet_undeferred(task);
    task.flags = (task.flags & ~(kFusible | kPlaced)) | kUndeferred;
}
/// Returns whether that holds for the task: it is undeferred, or its creator includes it.
LOOMP_MAY_SWITCH LOOMP_INLINE bool runs_in_place(Task &task) {
    if (LOOMP_LIKELY(!task.parent->has(kRunsChildrenInline) && !task.has(kUndeferred)))
        return false;
    set_in_place(task);
    return true;
}

LOOMP_MAY_SWITCH void await_decoded(Task &task, const Dependence *dependences, std::size_t count);
/// Waits for the dependences of a task that runs in place. The caller then calls run_undeferred().
template <class Clause> LOOMP_MAY_SWITCH void await_dependences(Task &task, const Clause &clause) {
    if (clause.empty()) {
        if (LOOMP_UNLIKELY(task.has(kNamesSet)))
            await_decoded(task, nullptr, 0);
        return;
    }
    const auto &decoded = clause.decoded();
    await_decoded(task, decoded.data(), decoded.size());
}

LOOMP_MAY_SWITCH void defer_decoded(Task &task, const Dependence *dependences, std::size_t count);
/// Submits any deferred task to the scheduler.
template <class Clause>
LOOMP_MAY_SWITCH LOOMP_NOINLINE void defer(Task &task, const Clause &clause) {
    if (LOOMP_LIKELY(task.has(kKept)) &&
        launch_if_same(*Worker::current(), task, [&clause](const KeptNode &node) {
            const KeptAccesses kept = accesses_of(node);
            return clause.is(kept.first, kept.count);
        }))
        return;
    if (clause.empty())
        return defer_decoded(task, nullptr, 0);
    const auto &decoded = clause.decoded();
    defer_decoded(task, decoded.data(), decoded.size());
}

/// The generic path: runs the task in its creator's place or defers it. `fill(in_place)` fills the
/// payload; a task in its creator's place waits for its dependences before that.
template <class Clause, class Fill>
LOOMP_MAY_SWITCH void submit(Task &task, const Clause &clause, Fill fill) {
    const bool in_place = runs_in_place(task);
    LOOMP_TOOL(task_create, task, !clause.empty() || task.has(kNamesSet));
    if (in_place)
        await_dependences(task, clause);
    fill(in_place);
    if (in_place)
        run_undeferred(task);
    else
        defer(task, clause);
}
/// Submits a task with a filled payload.
template <class Clause> LOOMP_MAY_SWITCH void submit(Task &task, const Clause &clause) {
    submit(task, clause, [](bool) {});
}

/// Submits a part of a taskloop, which tools know already. If no copy constructors fill the parts,
/// later ones of `series` may run in its place.
LOOMP_MAY_SWITCH void submit_part(Task &task, TaskSeries &series, bool copies_bytes);

/// Creates a task for each batch of as many pieces of work as the kind runs together. They go to
/// the named queue, 0: to the default queue. Requests for the next task are forgotten.
LOOMP_MAY_SWITCH void submit_batches(unsigned kind, unsigned queue, void *const *data,
                                     std::size_t count);

/// taskwait depend nowait: submits an empty task with these dependences.
LOOMP_MAY_SWITCH void submit_empty(const Dependence *dependences, std::size_t count);

} // namespace loomp::core
