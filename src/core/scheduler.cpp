#include "core/scheduler.h"

#include <algorithm>
#include <atomic>
#include <sched.h>
#include <utility>

#include "core/dependence.h"
#include "core/exclusion.h"
#include "core/priority.h"
#include "core/settings.h"
#include "core/taskgroup.h"
#include "core/topology.h"

namespace loomp::core {

bool oldest_first = false;

// --- Taking ----------------------------------------------------------------------------------

namespace {

Task *steal_from_others(Worker &worker, Member &member) {
    Team &team = *member.team;
    const unsigned size = static_cast<unsigned>(team.size);
    if (size < 2)
        return nullptr;
    unsigned victim = worker.random() % size;
    for (unsigned tries = 0; tries < size; ++tries) {
        if (++victim >= size)
            victim = 0;
        Member *other = team.members[victim];
        if (other == &member)
            continue;
        if (Task *task = other->ready.steal()) {
            ++worker.discovery.steals;
            return task;
        }
    }
    return nullptr;
}

} // namespace

Task *take_own_task(Member &member) {
    if (Task *task = member.next_task) {
        member.next_task = nullptr;
        return task;
    }
    if (LOOMP_UNLIKELY(oldest_first)) {
        while (!member.ready.looks_empty())
            if (Task *task = member.ready.steal())
                return task;
        return nullptr;
    }
    return member.ready.take();
}

Task *take_task(Worker &worker, Member &member) {
    Team &team = *member.team;
    if (PriorityQueue *queue = team.prioritized.load(std::memory_order_acquire);
        LOOMP_UNLIKELY(queue != nullptr)) {
        if (Task *task = queue->take())
            return task;
    }
    if (Task *task = take_own_task(member))
        return task;
    flush_completions(worker);
    if (Task *task = team.inbox.pop())
        return task;
    return steal_from_others(worker, member);
}

bool work_visible(const Member &member) {
    Team &team = *member.team;
    if (!member.resumable.empty() || !team.resumable.empty())
        return true;
    if (!team.has_tasks.load(std::memory_order_relaxed))
        return false;
    if (member.next_task != nullptr || !team.inbox.empty())
        return true;
    if (PriorityQueue *queue = team.prioritized.load(std::memory_order_acquire);
        queue != nullptr && !queue->looks_empty())
        return true;
    for (int i = 0; i < team.size; ++i)
        if (!team.members[i]->ready.looks_empty())
            return true;
    return false;
}

// --- Queueing --------------------------------------------------------------------------------

namespace {

/// Into the queue where the calling worker's own look comes first.
LOOMP_INLINE void enqueue(Worker &worker, Member &member, Task &task) {
    (void)worker;
    Team &team = *member.team;
    if (LOOMP_UNLIKELY(!team.has_tasks.load(std::memory_order_relaxed)))
        team.has_tasks.store(true, std::memory_order_relaxed);
    if (LOOMP_UNLIKELY(task.priority > 0))
        priority_queue_of(team).push(task);
    else
        member.ready.push(&task);
    team.event.notify(1);
}

/// What can be settled without running user code. True if the task was such a one.
LOOMP_INLINE bool settle_special(Task &task) {
    if (LOOMP_LIKELY((task.flags & (kRedirect | kNodeOnly)) == 0))
        return false;
    if (task.has(kNodeOnly)) {
        make_resumable(*task.waiter);
        return true;
    }
    LOOMP_TOOL(empty_task, task);
    complete_task(task);
    return true;
}

} // namespace

LOOMP_NOINLINE void enqueue_from_outside(Task &task) {
    Team &team = *task.team;
    team.has_tasks.store(true, std::memory_order_relaxed);
    team.inbox.push(task);
    team.event.notify(1);
}

void make_ready(Task &task) {
    if (settle_special(task))
        return;
    Worker &worker = *Worker::current();
    if (LOOMP_LIKELY(worker.member->team == task.team))
        enqueue(worker, *worker.member, task);
    else
        enqueue_from_outside(task);
}

namespace {

/// A creator of independent tasks leaves off when its queue holds kManyReady of them, and goes on
/// when kFewReady are left: created much faster than run, they would fill memory and go cold in the
/// caches. Tasks with dependences do not count: seeing far into the graph is what pays there.
constexpr std::int64_t kManyReady = 512;
constexpr std::int64_t kFewReady = 64;

LOOMP_NOINLINE void leave_off_creating(Member &member) {
    if (member.throttled != nullptr)
        return;
    Suspension suspension;
    struct Argument {
        Member &member;
        Suspension &suspension;
    } argument{member, suspension};
    suspend(
        suspension,
        [](void *p) {
            auto &a = *static_cast<Argument *>(p);
            a.member.throttled = &a.suspension;
            return true;
        },
        &argument);
}

} // namespace

void spawn(Task &task) {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    enqueue(worker, member, task);
    if (LOOMP_UNLIKELY(member.ready.holds_more_than(kManyReady)))
        leave_off_creating(member);
}

void spawn(Task &task, const Dependence *dependences, std::size_t count) {
    LOOMP_TOOL(dependences, task, dependences, count);
    task.flags |= kHasDependences;
    if (link_dependences(task, dependences, count))
        make_ready(task);
}

void spawn_empty(const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_task(worker, *worker.task, 0, kRedirect | kTied);
    task.invoke = nullptr;
    LOOMP_TOOL(task_create, task, true);
    spawn(task, dependences, count);
}

// --- Running ---------------------------------------------------------------------------------

namespace {

/// Whether the completing worker may keep a ready successor in its slot: only where it looks for
/// its next task right afterwards, since thieves do not see the slot.
enum class KeepSuccessor { no, yes };

LOOMP_INLINE void complete(Worker &worker, Task &task, KeepSuccessor keep);

LOOMP_INLINE void finish(Worker &worker, Task &task, KeepSuccessor keep) {
    if (LOOMP_UNLIKELY(task.flags & (kRequeue | kDetachable))) {
        if (task.has(kRequeue)) {
            task.flags &= ~kRequeue;
            make_ready(task);
            return;
        }
        // acq_rel: the body's effects to the fulfiller, or its effects to us.
        if (task.detach.exchange(DetachState::finished, std::memory_order_acq_rel) ==
            DetachState::open)
            return;
        LOOMP_TOOL(late_fulfill, task);
    }
    complete(worker, task, keep);
}

/// An untied task that the front end runs in parts asked for another.
void next_part(Task &task) {
    task.flags &= ~kRequeue;
    task.invoke(task);
}

/// What a tool is told of a task whose body has returned.
LOOMP_COLD TaskStatus status_at_end(const Task &task, bool cancelled) {
    if (cancelled)
        return TaskStatus::cancel;
    if (task.has(kRequeue))
        return TaskStatus::switched;
    return task.has(kDetachable) && task.detach.load(std::memory_order_relaxed) == DetachState::open
               ? TaskStatus::detach
               : TaskStatus::complete;
}

LOOMP_INLINE void run(Task &task, KeepSuccessor keep) {
    if (LOOMP_UNLIKELY(task.has(kExclusive)) && !task.has(kStarted) && !take_exclusions(task))
        return;
    Worker *worker = Worker::current();
    if (worker->completing_parent != task.parent)
        flush_completions(*worker);
    Task *below = worker->task;
    Member *tie = worker->tie;
    worker->task = &task;
    if (tie == nullptr && task.has(kTied))
        worker->tie = worker->member;
    LOOMP_TOOL(task_begin, below, task, __builtin_frame_address(0));
    const bool cancelled = LOOMP_UNLIKELY(discards(task)) && !task.has(kStarted);
    if (LOOMP_UNLIKELY(cancelled)) {
        task.flags |= kCancelled;
        LOOMP_TOOL(cancel, task, kCancelDiscarded);
    }
    if (LOOMP_LIKELY(!cancelled || task.has(kCleanup))) {
        task.flags |= kStarted;
        task.invoke(task);
        // The creator of an undeferred task waits for all its parts.
        while (LOOMP_UNLIKELY((task.flags & (kRequeue | kUndeferred)) == (kRequeue | kUndeferred)))
            next_part(task);
        worker = Worker::current();
    }
    LOOMP_TOOL(task_end, task, status_at_end(task, cancelled), below);
    worker->task = below;
    worker->tie = tie;
    finish(*worker, task, keep);
}

} // namespace

void execute(Task &task) { run(task, KeepSuccessor::yes); }

void run_undeferred(Task &task) {
    task.flags |= kUndeferred;
    run(task, KeepSuccessor::no);
}

void begin_undeferred(Task &task) {
    Worker &worker = *Worker::current();
    task.next = worker.task;
    LOOMP_TOOL(task_begin, worker.task, task, __builtin_frame_address(0));
    task.flags |= kStarted;
    worker.task = &task;
}

void end_undeferred(Task &task) {
    while (LOOMP_UNLIKELY(task.has(kRequeue)))
        next_part(task);
    Worker &worker = *Worker::current();
    LOOMP_TOOL(task_end, task, status_at_end(task, false), task.next);
    worker.task = task.next;
    finish(worker, task, KeepSuccessor::no);
}

// --- The loop --------------------------------------------------------------------------------

namespace {

/// Continues a suspended task; the stack left behind holds nothing and is recycled.
[[noreturn]] LOOMP_NOINLINE void leave_for(Suspension &suspension) {
    Worker &worker = *Worker::current();
    flush_completions(worker);
    worker.after = {};
    worker.after.recycle = worker.stack;
    leave_to(suspension.context);
}

} // namespace

void scheduling_loop(void *) {
    {
        Worker &worker = *Worker::current();
        const AfterSwitch after = worker.after;
        worker.after = {};
        if (!after.arm(after.argument)) {
            if (after.first != nullptr)
                make_ready(*after.first);
            leave_for(*after.suspended);
        }
        if (after.first != nullptr)
            execute(*after.first);
    }
    for (;;) {
        Worker &worker = *Worker::current();
        Member &member = *worker.member;
        Suspension *suspension = member.resumable.pop();
        if (LOOMP_UNLIKELY(suspension == nullptr && member.throttled != nullptr &&
                           !member.ready.holds_more_than(kFewReady)))
            suspension = std::exchange(member.throttled, nullptr);
        if (suspension == nullptr)
            suspension = member.team->resumable.pop();
        if (suspension != nullptr) {
            if (member.next_task != nullptr) {
                // Not left to wait behind the resumed task, where no thief would see it.
                Task *next = member.next_task;
                member.next_task = nullptr;
                member.ready.push(next);
            }
            leave_for(*suspension);
        }
        if (Task *task = take_task(worker, member)) {
            execute(*task);
            continue;
        }
        // Thieves may have emptied the queue behind which a creator waits.
        idle_until(worker, member, [&member] { return member.throttled != nullptr; });
    }
}

// --- Waiting ---------------------------------------------------------------------------------

namespace {

/// Adds the children created since the last time to the shared count.
LOOMP_INLINE std::uint64_t fold_created(Task &task) {
    const std::uint64_t created = task.created;
    task.created = 0;
    // acquire: what completed children wrote is visible after the wait that follows.
    return task.children.fetch_add(created * children::kOne, std::memory_order_acq_rel) +
           created * children::kOne;
}

} // namespace

void taskwait() {
    Worker &worker = *Worker::current();
    Task &task = *worker.task;
    const ToolSync sync(SyncKind::taskwait, task);
    if (LOOMP_LIKELY(task.created == 0 &&
                     children::all_completed(task.children.load(std::memory_order_acquire))))
        return;
    flush_completions(worker);
    if (children::all_completed(fold_created(task)))
        return;
    Task *other = nullptr;
    for (;;) {
        // On top of the waiting task run only tasks that it waits for.
        Task *next = take_own_task(*Worker::current()->member);
        if (next == nullptr)
            break;
        if (next->parent != &task) {
            other = next;
            break;
        }
        execute(*next);
        flush_completions(*Worker::current());
        if (children::all_completed(task.children.load(std::memory_order_acquire)))
            return;
    }
    Suspension suspension;
    struct Argument {
        Task &task;
        Suspension &suspension;
    } argument{task, suspension};
    suspend(
        suspension,
        [](void *p) {
            auto &a = *static_cast<Argument *>(p);
            a.task.waiter = &a.suspension;
            // acq_rel: the waiter is published; what completed children wrote is visible.
            const std::uint64_t word =
                a.task.children.fetch_or(children::kWaitCompleted, std::memory_order_acq_rel);
            return !children::all_completed(word);
        },
        &argument, other);
    task.children.fetch_and(~children::kWaitCompleted, std::memory_order_relaxed);
}

namespace {

bool yield_to_resumable(Member &member) {
    Suspension *other = take_resumable(member);
    if (other == nullptr)
        return false;
    if (ToolTask *tool = Worker::current()->task->tool; LOOMP_UNLIKELY(tool != nullptr))
        tool->yields = true;
    yield_to(*other);
    return true;
}

bool yield_to_ready(Worker &worker, Member &member) {
    if (!member.team->has_tasks.load(std::memory_order_relaxed))
        return false;
    Task *task = take_task(worker, member);
    if (task == nullptr)
        return false;
    if (LOOMP_UNLIKELY(worker.task->tool != nullptr))
        worker.task->tool->yields = true;
    Suspension self;
    suspend(
        self,
        [](void *argument) {
            make_resumable(*static_cast<Suspension *>(argument));
            return true;
        },
        &self, task);
    return true;
}

} // namespace

bool taskyield() {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    // In turns: two tasks that yield to each other must not keep a third from starting.
    worker.yields_to_ready = !worker.yields_to_ready;
    return worker.yields_to_ready ? yield_to_ready(worker, member) || yield_to_resumable(member)
                                  : yield_to_resumable(member) || yield_to_ready(worker, member);
}

void taskwait(const Dependence *dependences, std::size_t count) {
    void *told =
        LOOMP_UNLIKELY(tool_enabled) ? tool_hooks.taskwait_begin(dependences, count) : nullptr;
    wait_dependences(dependences, count);
    if (LOOMP_UNLIKELY(told != nullptr))
        tool_hooks.taskwait_end(told);
}

void wait_dependences(const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &parent = *worker.task;
    if (parent.map == nullptr) // no sibling had dependences
        return;
    Task &node = *allocate_task(worker, parent, 0, kNodeOnly | kTied | kHasDependences);
    node.invoke = nullptr;
    // Far more than the edges: predecessors that complete while it is linked, when the count lacks
    // the edges made so far, must not find the node ready before its waiter is in place either.
    constexpr std::int32_t guard = 1 << 30;
    node.predecessors.store(guard, std::memory_order_relaxed);
    link_dependences(node, dependences, count);
    // acquire: the predecessors' effects.
    if (node.predecessors.load(std::memory_order_acquire) != guard) {
        Suspension suspension;
        node.waiter = &suspension;
        suspend(
            suspension,
            [](void *p) {
                // acq_rel: publishes the waiter to the last predecessor, or sees its effects.
                return static_cast<Task *>(p)->predecessors.fetch_sub(
                           guard, std::memory_order_acq_rel) != guard;
            },
            &node);
    }
    complete_task(node);
}

// --- Completing ------------------------------------------------------------------------------

namespace {

LOOMP_NOINLINE void signal_waiter(Task &parent, std::uint64_t word, bool completed_one) {
    if (completed_one && (word & children::kWaitCompleted) != 0 && children::all_completed(word))
        make_resumable(*parent.waiter);
}

void child_released(Task &parent);

/// The tree below `task` is empty and itself completed, or its owner waits for that.
LOOMP_NOINLINE void tree_emptied(Task &task, std::uint64_t word) {
    if ((word & children::kWaitOnly) != 0)
        wake_up(*member_of_implicit(task));
    else if ((word & children::kWaitReleased) != 0)
        arrive_for(*member_of_implicit(task));
    else if ((word & children::kFinished) != 0) {
        Task &parent = *task.parent;
        release_task(*Worker::current(), task);
        child_released(parent);
    }
}

/// A child that had completed before with children of its own has lost the last of them.
void child_released(Task &parent) {
    // release: our writes below the parent are done; acquire: so are those of its other children.
    const std::uint64_t delta = children::kOne + children::kZombie;
    const std::uint64_t word = parent.children.fetch_sub(delta, std::memory_order_acq_rel) - delta;
    if (children::all_released(word) &&
        (word & (children::kWaitReleased | children::kFinished)) != 0)
        tree_emptied(parent, word);
}

/// `count` children completed that have no children left.
LOOMP_INLINE void leaves_completed(Task &parent, std::uint32_t count) {
    const std::uint64_t delta = count * children::kOne;
    const std::uint64_t word = parent.children.fetch_sub(delta, std::memory_order_acq_rel) - delta;
    if (LOOMP_LIKELY((word & (children::kWaitCompleted | children::kWaitReleased |
                              children::kFinished)) == 0))
        return;
    signal_waiter(parent, word, true);
    if (children::all_released(word) &&
        (word & (children::kWaitReleased | children::kFinished)) != 0)
        tree_emptied(parent, word);
}

LOOMP_INLINE void complete(Worker &worker, Task &task, KeepSuccessor keep) {
    if (LOOMP_UNLIKELY(task.flags & kExclusive))
        free_exclusions(task);
    if (task.flags & kHasDependences) {
        // The first ready successor is run next by this worker: its inputs are in our cache.
        Member &member = *worker.member;
        release_successors(task, [&](Task &successor) {
            if (keep == KeepSuccessor::yes && member.next_task == nullptr &&
                successor.priority == 0 && successor.team == member.team &&
                (successor.flags & (kRedirect | kNodeOnly)) == 0) {
                member.next_task = &successor;
                return;
            }
            make_ready(successor);
        });
    }
    if (LOOMP_UNLIKELY(task.map != nullptr)) {
        delete task.map;
        task.map = nullptr;
    }
    if (task.group != nullptr)
        task.group->complete_one();

    Task &parent = *task.parent;
    if (LOOMP_LIKELY(task.created == 0 && task.children.load(std::memory_order_acquire) == 0)) {
        release_task(worker, task);
        if (keep == KeepSuccessor::yes) {
            LOOMP_ASSERT(worker.completing_count == 0 || worker.completing_parent == &parent);
            // Told later, together with its siblings. run() has flushed those of other parents.
            worker.completing_parent = &parent;
            ++worker.completing_count;
        } else {
            leaves_completed(parent, 1);
        }
        return;
    }
    flush_completions(worker);
    if (children::all_released(fold_created(task))) {
        release_task(worker, task);
        leaves_completed(parent, 1);
        return;
    }
    // It stays as a zombie until its children are released. First the parent learns of the
    // completion, then the children may find the flag and release us.
    const std::uint64_t parent_word =
        parent.children.fetch_add(children::kZombie, std::memory_order_acq_rel) + children::kZombie;
    signal_waiter(parent, parent_word, true);
    const std::uint64_t word =
        task.children.fetch_or(children::kFinished, std::memory_order_acq_rel);
    if (children::all_released(word)) {
        release_task(worker, task);
        child_released(parent);
    }
}

} // namespace

void flush_completions_slow(Worker &worker) {
    Task &parent = *worker.completing_parent;
    leaves_completed(parent, std::exchange(worker.completing_count, 0));
}

void complete_task(Task &task) { complete(*Worker::current(), task, KeepSuccessor::no); }

void fulfill(Task &task) {
    // Told before: an unfinished task may complete at any moment after.
    if (LOOMP_UNLIKELY(tool_enabled) &&
        task.detach.load(std::memory_order_relaxed) != DetachState::finished)
        tool_hooks.early_fulfill(task);
    if (task.detach.exchange(DetachState::fulfilled, std::memory_order_acq_rel) ==
        DetachState::finished) {
        LOOMP_TOOL(late_fulfill, task);
        complete_task(task);
    }
}

// --- Threads and processors --------------------------------------------------------------------

namespace {
std::atomic<int> active_threads{0};
std::atomic<unsigned> spins{1000};
} // namespace

void count_active_threads(int change) {
    const int now = active_threads.fetch_add(change, std::memory_order_relaxed) + change;
    const Settings &s = settings();
    const bool crowded = now > static_cast<int>(available_processors());
    spins.store(static_cast<unsigned>(std::min<std::uint64_t>(
                    crowded ? s.spin_count_crowded : s.spin_count, 0xffffffffu)),
                std::memory_order_relaxed);
}

unsigned spin_limit() { return spins.load(std::memory_order_relaxed); }

bool oversubscribed() {
    return active_threads.load(std::memory_order_relaxed) >
           static_cast<int>(available_processors());
}

} // namespace loomp::core
