#include "runtime/core/scheduling/completion.h"

#include <utility>

#include "platform/threads.h"
#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/dependences/linking.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/throttled_creators.h"
#include "runtime/core/scheduling/transparent.h"
#include "runtime/core/team/icv.h"

namespace loomp::core {
namespace completion {
namespace {

LOOMP_NOINLINE void signal_waiter(Task &parent, std::uint64_t word) {
    if ((word & children::kWaitCompleted) != 0 && children::all_completed(word))
        make_resumable(*parent.waiter);
}

void child_released(Task &parent);

/// A task that completed has no children any more.
void release_finished(Task &task, std::uint64_t word) {
    if (LOOMP_UNLIKELY(task.has(kImplicit)))
        return give_up_root(*task.team);
    Task &parent = *task.parent;
    release_former_parent(*Worker::current(), task);
    if (LOOMP_UNLIKELY((word & children::kUncounted) != 0))
        leaves_completed(parent, 1);
    else
        child_released(parent);
}

/// The tree below `task` is empty and itself completed, or its owner waits for that.
LOOMP_NOINLINE void tree_emptied(Task &task, std::uint64_t word) {
    if ((word & children::kFinished) != 0)
        release_finished(task, word);
    else
        arrive_for(*member_of_implicit(task));
}

/// A child that had completed before with children of its own has lost the last of them.
void child_released(Task &parent) {
    // release: our writes below the parent are done; acquire: so are those of its other children.
    const std::uint64_t delta = children::kOne + children::kZombie;
    const std::uint64_t word = parent.children.fetch_sub(delta, std::memory_order_acq_rel) - delta;
    LOOMP_ASSERT(children::zombies(word) < children::kZombieMask);
    LOOMP_ASSERT((word & children::kFolded) == 0 ||
                 children::live(word) >= children::zombies(word));
    if (LOOMP_UNLIKELY((word & children::kWaitFewer) != 0))
        fewer_children(parent, word);
    if (children::all_released(word) &&
        (word & (children::kWaitReleased | children::kFinished)) != 0)
        tree_emptied(parent, word);
}

} // namespace

void leaves_completed(Task &parent, std::uint32_t count) {
    const std::uint64_t delta = count * children::kOne;
    const std::uint64_t word = parent.children.fetch_sub(delta, std::memory_order_acq_rel) - delta;
    if (LOOMP_LIKELY((word & (children::kWaitCompleted | children::kWaitReleased |
                              children::kFinished | children::kWaitFewer)) == 0))
        return;
    LOOMP_ASSERT(children::live(word) >= children::zombies(word));
    if ((word & children::kWaitFewer) != 0)
        return fewer_children(parent, word);
    signal_waiter(parent, word);
    if (children::all_released(word) &&
        (word & (children::kWaitReleased | children::kFinished)) != 0)
        tree_emptied(parent, word);
}

/// False: the parent has so many that the field is full.
LOOMP_INLINE bool count_zombie(Task &parent) {
    // relaxed: a bound with room for all threads that pass it at once.
    if (LOOMP_UNLIKELY(children::zombies(parent.children.load(std::memory_order_relaxed)) >=
                       children::kMostZombies))
        return false;
    const std::uint64_t word =
        parent.children.fetch_add(children::kZombie, std::memory_order_acq_rel) + children::kZombie;
    signal_waiter(parent, word);
    return true;
}
static_assert(children::kMostZombies + kMaxWorkers <= children::kZombieMask);

void complete_parent(Worker &worker, Task &task) {
    Task &parent = *task.parent;
    flush_completions(worker);
    if (children::all_released(fold_created(task))) {
        release_former_parent(worker, task);
        leaves_completed(parent, 1);
        return;
    }
    // It stays as a zombie until its children are released. First the parent learns of the
    // completion, then the children may find the flag and release us.
    const std::uint64_t flags =
        children::kFinished | (count_zombie(parent) ? 0 : children::kUncounted);
    const std::uint64_t word = task.children.fetch_or(flags, std::memory_order_acq_rel);
    if (children::all_released(word))
        release_finished(task, flags);
}

namespace {

/// If `first` is the first of a batch: completes the others. The batch has run, and `first`
/// completes next.
void complete_others(Worker &worker, Task &first, Completion how) {
    Task *others = part_from_batch(first);
    if (others == nullptr)
        return;
    while (others != nullptr) {
        Task &task = *std::exchange(others, others->next);
        LOOMP_TOOL(empty_task, task);
        transition(task, TaskPhase::ready, TaskPhase::finished);
        if (worker.completing_parent != task.parent)
            flush_completions(worker);
        complete(worker, task, how);
    }
    if (worker.completing_parent != first.parent)
        flush_completions(worker);
}

/// A task that runs again, or has an event or holds. True: it is complete.
bool finish_detachable(Task &task) {
    const bool ends = !task.has(kRequeue);
    if (!ends) {
        task.flags &= ~kRequeue;
        task.team->note(Team::kParts);
        transition(task, TaskPhase::finished, TaskPhase::suspended);
    }
    if (task.has(kTellsReturn)) {
        if (ends)
            task.flags &= ~kTellsReturn;
        // Unless the task ends it may run, and be gone, before the function returns.
        task.icvs->returned(task.icvs->returned_data, ends ? 1 : 0);
    } else if (!ends) {
        transition(task, TaskPhase::suspended, TaskPhase::ready);
        queue_ready(task);
    }
    if (!ends)
        return false;
    // acq_rel: the body's effects to the fulfiller, or its effects to us.
    if (task.detach.fetch_or(detach::kBodyReturned, std::memory_order_acq_rel) !=
        detach::kEventHappened)
        return false;
    LOOMP_TOOL(late_fulfill, task);
    return true;
}

} // namespace

void finish_special(Worker &worker, Task &task, Completion how) {
    LOOMP_ASSERT(is_in(task, TaskPhase::finished));
    if ((task.flags & (kRequeue | kDetachable)) != 0) {
        if (how == Completion::uncounted) {
            count_task(task);
            how = Completion::and_go_on;
        }
        if (!finish_detachable(task))
            return;
    }
    // The others of a batch were counted when they were queued.
    complete_others(worker, task, how == Completion::uncounted ? Completion::and_go_on : how);
    complete(worker, task, how);
}

void release_special_holdings(Worker &worker, Task &task) {
    if (task.has(kExclusive))
        free_exclusions(task, [](Task &waited) { make_ready(waited); });
    if (task.has(kExports))
        export_accesses(worker, task, complete_task);
    if (task.has(kPropagates))
        forget_predecessors(task);
}

void drop_map(Task &task) {
    delete task.map;
    task.map = nullptr;
}

} // namespace completion

void flush_completions_slow(Worker &worker) {
    Task &parent = *worker.completing_parent;
    LOOMP_ASSERT(!is_in(parent, TaskPhase::released));
    completion::leaves_completed(parent, std::exchange(worker.completing_count, 0));
}

namespace {

/// The phases in which a task that never runs comes to its end.
constexpr TaskPhases kUnstarted = TaskPhase::created | TaskPhase::linked | TaskPhase::ready;

} // namespace

void complete_task(Task &task) {
    transition(task, kUnstarted, TaskPhase::finished);
    completion::complete(*Worker::current(), task, Completion::and_go_on);
}

void discard_task(Task &task) {
    transition(task, kUnstarted, TaskPhase::finished);
    completion::complete(*Worker::current(), task, Completion::uncounted);
}

namespace {

/// Reports the event to a tool if it comes before the body's end (status_at_end()). Otherwise it
/// waits until the body's thread has left the task: then this thread completes the task and reports
/// the late event, as OpenMP has it (omp_fulfill_event). It is called before the event is noted:
/// the task may be gone at any moment after.
LOOMP_COLD void settle_with_tool(Task &task) {
    ToolTask *tool = task.tool;
    if (tool == nullptr)
        return;
    // acquire: the worker on which the body ends.
    if (!tool->settled.exchange(true, std::memory_order_acq_rel))
        return tool_hooks.early_fulfill(task);
    // That worker calls a function of the program when the task has returned, and the function may
    // be the one that fulfils the event.
    if (tool->ends_on == Worker::current())
        return;
    while ((task.detach.load(std::memory_order_relaxed) & detach::kBodyReturned) == 0)
        offer_processor();
}

/// The body returned before what the task's completion has waited for.
void complete_late(Task &task) {
    Worker &worker = *Worker::current();
    LOOMP_TOOL(late_fulfill, task);
    completion::complete_others(worker, task, Completion::by_event);
    completion::complete(worker, task, Completion::by_event);
}

} // namespace

void fulfill(Task &task) {
    if (LOOMP_UNLIKELY(tool_enabled))
        settle_with_tool(task);
    // acq_rel: see finish_detachable().
    if (task.detach.fetch_or(detach::kEventHappened, std::memory_order_acq_rel) ==
        detach::kBodyReturned)
        complete_late(task);
}

Task *hold(std::uint32_t count) {
    Task &task = *Worker::current()->task;
    constexpr TaskFlags unfit = kImplicit | kUndeferred | kRunsChildrenInline | kFusible;
    if ((task.flags & unfit) != 0)
        return nullptr;
    if (!task.has(kDetachable)) {
        task.flags |= kDetachable;
        task.detach.store(detach::kEventHappened | count, std::memory_order_relaxed);
    } else {
        // relaxed: the thread that releases them is told of them later.
        task.detach.fetch_add(count, std::memory_order_relaxed);
    }
    return &task;
}

void release_holds(Task &task, std::uint32_t count) {
    // acq_rel: see finish_detachable().
    if (task.detach.fetch_sub(count, std::memory_order_acq_rel) - count == detach::kComplete)
        complete_late(task);
}

/// An empty node of the graph has no code to run: the calling worker completes it, after those that
/// it is completing already.
void settle_ready(Task &task) {
    if ((task.flags & (kRedirect | kNodeOnly)) == 0)
        return queue_ready(task);
    if (task.has(kNodeOnly)) {
        make_resumable(*task.waiter);
        return;
    }
    Worker &worker = *Worker::current();
    task.next = worker.ready_nodes;
    worker.ready_nodes = &task;
    if (worker.completing_nodes)
        return;
    worker.completing_nodes = true;
    while (Task *node = worker.ready_nodes) {
        worker.ready_nodes = node->next;
        LOOMP_TOOL(empty_task, *node);
        complete_task(*node);
    }
    worker.completing_nodes = false;
}

void make_ready_in_turn(Task &task) {
    enter_ready(task);
    if ((task.flags & kNotForDeque) != 0)
        settle_ready(task);
    else
        enqueue_from_outside(task);
}

LOOMP_NOINLINE void sent_home(Worker &worker) {
    // A creator may be waiting to hear of them, while this worker has enough to do.
    if (LOOMP_UNLIKELY(throttled_creators.load(std::memory_order_relaxed) != 0))
        flush_completions(worker);
}

LOOMP_NOINLINE bool release_extras(Worker &worker, Task &task) {
    if (task.has(kOwnsIcvs))
        free_icvs(task);
    task.detach.store(0, std::memory_order_relaxed);
    const bool has_tool = task.tool != nullptr;
    if (has_tool)
        delete_tool_view(task);
    while (task.attached != nullptr)
        free_first_block(worker, task);
    return has_tool && tool_hooks.keep_block != nullptr && tool_hooks.keep_block(task);
}

} // namespace loomp::core
