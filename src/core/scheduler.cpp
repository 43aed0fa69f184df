#include "core/scheduler.h"

#include <algorithm>
#include <atomic>
#include <sched.h>

#include "core/completion.h"
#include "core/dependence.h"
#include "core/exclusion.h"
#include "core/fusion.h"
#include "core/immediate.h"
#include "core/nested.h"
#include "core/persistent.h"
#include "core/priority.h"
#include "core/settings.h"
#include "core/shared_queues.h"
#include "core/stack.h"
#include "core/stack_shortage.h"
#include "core/stats.h"
#include "core/taskgroup.h"
#include "core/throttle.h"
#include "core/victims.h"

namespace loomp::core {

bool oldest_first = false;
bool discovery_watched = false;

// --- Taking ----------------------------------------------------------------------------------

namespace {

/// Where many tasks wait, the next steals are saved by taking some more at once: each one alone
/// would take the line with the queue's ends from its owner again.
LOOMP_INLINE void bring_more(TaskDeque &from, TaskDeque &to) {
    constexpr std::int64_t many = 32;
    constexpr int some = 7;
    if (from.size_hint() < many)
        return;
    for (int i = 0; i < some; ++i) {
        Task *task = from.steal();
        if (task == nullptr)
            return;
        to.push(task);
    }
}

Task *steal_from_others(Worker &worker, Member &member) {
    if (member.team->size < 2)
        return nullptr;
    // A victim's task may go to somebody else meanwhile: then there may be others.
    while (Member *victim = nearest_victim(worker, member))
        if (Task *task = victim->ready.steal()) {
            ++worker.discovery.steals;
            bring_more(victim->ready, member.ready);
            return task;
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
    // In a team of one thread, which never had others, nobody else looks into the queue.
    return member.many_ready < 0 ? member.ready.take_unshared() : member.ready.take();
}

Task *take_task(Worker &worker, Member &member) {
    if (Task *task = take_fresh_task(worker, member))
        return task;
    return member.team->unstarted.pop();
}

Task *take_fresh_task(Worker &worker, Member &member) {
    Team &team = *member.team;
    if (LOOMP_UNLIKELY(team.has_priorities()))
        if (Task *task = take_prioritized(worker, member)) {
            offer_next_task(member);
            return task;
        }
    if (Task *task = take_own_task(member))
        return task;
    flush_completions(worker);
    if (Task *task = take_fused(worker, member))
        return task;
    if (Task *task = take_placed(member))
        return task;
    if (Task *task = team.inbox.pop())
        return task;
    return steal_from_others(worker, member);
}

bool work_visible(const Member &member) {
    return !member.resumable.empty() || !member.team->resumable.empty() || tasks_visible(member);
}

bool tasks_visible(const Member &member) {
    return fresh_tasks_visible(member) || !member.team->unstarted.empty();
}

bool fresh_tasks_visible(const Member &member) {
    Team &team = *member.team;
    if (!team.has_tasks.load(std::memory_order_relaxed))
        return false;
    if (member.next_task != nullptr || !team.inbox.empty() || fusible_visible(team) ||
        placed_visible(team))
        return true;
    if (team.has_priorities() && prioritized_visible(team))
        return true;
    for (int i = 0; i < team.size; ++i)
        if (!team.members[i]->ready.looks_empty())
            return true;
    return false;
}

Suspension *take_creator(Member &member) {
    if (member.ready.holds_more_than(kFewReady) || prioritized_count(member) > kManyPrioritized / 2)
        return nullptr;
    return std::exchange(member.throttled, nullptr);
}

Suspension *take_resumable_in_turn(Member &member) {
    member.untied_first = !member.untied_first;
    if (member.untied_first)
        if (Suspension *untied = member.team->resumable.pop())
            return untied;
    Suspension *tied = member.resumable.pop();
    return tied != nullptr ? tied : member.team->resumable.pop();
}

// --- Queueing --------------------------------------------------------------------------------

namespace {

/// Into the queue where the calling worker's own look comes first.
LOOMP_INLINE void enqueue(Member &member, Task &task) {
    Team &team = *member.team;
    expect_tasks(team);
    if (LOOMP_UNLIKELY(task.has(kPrioritized)))
        queue_prioritized(member, task);
    else
        member.ready.push(&task);
    team.event.notify_one();
}

/// A ready node of the graph that runs no user code: done here and now.
LOOMP_NOINLINE void settle_node(Task &task) {
    if (task.has(kFusible))
        return queue_fusible(task);
    if (task.has(kPlaced))
        return queue_placed(task);
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

} // namespace

LOOMP_NOINLINE void enqueue_from_outside(Task &task) {
    Team &team = *task.team;
    expect_tasks(team);
    // A batch is chained by the inbox's link.
    for (Task *others = part_from_batch(task); LOOMP_UNLIKELY(others != nullptr);)
        team.inbox.push(*std::exchange(others, others->next));
    team.inbox.push(task);
    team.event.notify_one();
}

void make_ready(Task &task) {
    if (LOOMP_UNLIKELY((task.flags & (kRedirect | kNodeOnly | kFusible | kPlaced)) != 0))
        return settle_node(task);
    Worker &worker = *Worker::current();
    if (LOOMP_LIKELY(worker.member->team == task.team))
        enqueue(*worker.member, task);
    else
        enqueue_from_outside(task);
}

void make_ready_in_turn(Task &task) {
    constexpr std::uint32_t elsewhere = kRedirect | kNodeOnly | kFusible | kPlaced | kPrioritized;
    if ((task.flags & elsewhere) != 0)
        make_ready(task);
    else
        enqueue_from_outside(task);
}

namespace {

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

/// Enough independent tasks are in the member's queue for the team: created much faster than run,
/// they would fill memory and go cold in the caches. Tasks with dependences do not count: seeing
/// far into the graph is what pays there.
///
/// From then on a number of tasks run at once without a look at the queue, whose end is in the
/// cache of whoever stole last, and further ones while it is at least half full.
LOOMP_NOINLINE void spawn_crowded(Worker &worker, Member &member, Task &task) {
    constexpr std::int32_t between_looks = 32;
    if (immediate_possible && !oldest_first) {
        member.run_at_once = between_looks;
        return run_or_queue(worker, task);
    }
    queue(worker, task);
    if (member.ready.holds_more_than(std::max(member.many_ready, 2 * kFewReady)))
        leave_off_creating(member);
}

/// Whether every task that the running one has created before `task` is complete.
bool siblings_have_completed(const Task &task) {
    Task &parent = *task.parent;
    // acquire: their effects.
    return parent.created == 0 && parent.children.load(std::memory_order_acquire) == 0;
}

} // namespace

bool spawn_alone(Worker &worker, Task &task, const Dependence *dependences, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (dependences[i].access == Access::mutexinoutset)
            return false; // its locks are known to the map
    if (imports_accesses(*task.parent))
        return false; // its siblings are not all that it may wait for
    if (DependenceMap *map = task.parent->map; map != nullptr && !map->empty()) {
        if (!siblings_have_completed(task))
            return false;
        map->clear();
    }
    return run_immediately(worker, task, dependences, count);
}

void spawn_queued(Worker &worker, Task &task) {
    Member &member = *worker.member;
    if (LOOMP_UNLIKELY(task.has(kPrioritized)))
        return run_or_queue(worker, task);
    const std::int64_t enough = member.run_at_once == 0 ? member.many_ready : member.many_ready / 2;
    member.run_at_once = 0;
    if (LOOMP_UNLIKELY(member.ready.holds_more_than(enough)))
        return spawn_crowded(worker, member, task);
    count_task(task);
    expect_tasks(*member.team);
    member.ready.push(&task);
    member.team->event.notify_one();
}

void queue(Worker &worker, Task &task) {
    Member &member = *worker.member;
    count_task(task);
    enqueue(member, task);
    // Those without a priority are not run at once either while others have one.
    if (LOOMP_UNLIKELY(member.team->has_priorities()) &&
        (prioritized_count(member) > kManyPrioritized ||
         member.ready.holds_more_than(kManyPrioritized)))
        leave_off_creating(member);
}

void spawn_batch(Worker &worker, Task &first) {
    // It stands for many tasks.
    Member &member = *worker.member;
    if (member.ready.holds_more_than(member.many_ready >> 4))
        spawn_crowded(worker, member, first);
    else
        queue(worker, first);
}

namespace {

bool link_watched(Task &task, const Dependence *dependences, std::size_t count);

/// Whether tasks are not to run as soon as they are created, where they could: priorities that go
/// to predecessors decide about tasks that are known and have not run.
template <bool (*link)(Task &, const Dependence *, std::size_t)> LOOMP_INLINE bool sees_ahead() {
    return link == link_watched && propagates_priorities;
}

/// `link` is link_dependences(), or does more.
template <bool (*link)(Task &, const Dependence *, std::size_t)>
LOOMP_INLINE void spawn_linked(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    if (LOOMP_UNLIKELY(member.many_ready < 0) && !sees_ahead<link>() &&
        spawn_alone(worker, task, dependences, count))
        return;
    count_task(task);
    expect_tasks(*member.team);
    task.flags |= kHasDependences;
    if (link(task, dependences, count))
        make_ready(task);
    hold_back_if_over_budget(worker);
}

/// For what settings ask for that a program does not pay for otherwise.
bool link_watched(Task &task, const Dependence *dependences, std::size_t count) {
    if (propagates_priorities)
        note_predecessors(task, dependences, count);
    if (!settings().stats)
        return link_dependences(task, dependences, count);
    const std::uint64_t start = nanoseconds();
    const bool ready = link_dependences(task, dependences, count);
    note_creation(*Worker::current(), start, nanoseconds());
    return ready;
}

LOOMP_NOINLINE void spawn_watched(Task &task, const Dependence *dependences, std::size_t count) {
    LOOMP_TOOL(dependences, task, dependences, count);
    spawn_linked<link_watched>(task, dependences, count);
    if (settings().max_tasks != 0)
        hold_back_for_number(*Worker::current());
}

} // namespace

void spawn(Task &task, const Dependence *dependences, std::size_t count) {
    if (LOOMP_UNLIKELY(static_cast<int>(tool_enabled) | static_cast<int>(discovery_watched)))
        return spawn_watched(task, dependences, count);
    spawn_linked<link_dependences>(task, dependences, count);
}

void spawn_empty(const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &parent = *worker.task;
    Task &task = *allocate_child(worker, parent, 0, kRedirect | kTied, {nullptr, kNoSelf});
    task.invoke = nullptr;
    LOOMP_TOOL(task_create, task, true);
    if (LOOMP_UNLIKELY(parent.has(kPersistent)))
        spawn_kept(task, dependences, count);
    else
        spawn(task, dependences, count);
}

// --- Running ---------------------------------------------------------------------------------

namespace {

/// An untied task that the front end runs in parts asked for another.
void next_part(Task &task) {
    task.flags &= ~kRequeue;
    task.invoke(task);
}

LOOMP_INLINE void run(Task &task, Completion how) {
    if (LOOMP_UNLIKELY(task.has(kExclusive)) && !take_exclusions(task))
        return;
    Worker *worker = Worker::current();
    // Nobody else sees that one, and `task` may wait for it.
    LOOMP_ASSERT(worker->member->next_task == nullptr);
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
    completion::finish(*worker, task, how);
}

/// Whether the event, or what holds the task, is still to come. For the event that is decided here,
/// against fulfill(), and not by `detach`, which the body's thread changes after it has told.
bool ends_before_event(Task &task) {
    const std::uint32_t word = task.detach.load(std::memory_order_relaxed);
    // relaxed: it decides what is told, nothing is read on the strength of it.
    const bool first =
        task.tool != nullptr && !task.tool->settled.exchange(true, std::memory_order_relaxed);
    if ((word & ~detach::kComplete) != 0)
        return true; // held
    return (word & detach::kEventHappened) == 0 && first;
}

} // namespace

TaskStatus status_at_end(Task &task, bool cancelled) {
    if (cancelled)
        return TaskStatus::cancel;
    if (task.has(kRequeue))
        return TaskStatus::switched;
    return task.has(kDetachable) && ends_before_event(task) ? TaskStatus::detach
                                                            : TaskStatus::complete;
}

void execute(Task &task) { run(task, Completion::and_next_task); }

void execute_without_exceptions(Worker &worker, Task &task) {
    const Exceptions mine = std::exchange(*worker.exceptions, {});
    execute(task);
    put_back(mine);
}

void run_undeferred(Task &task) {
    task.flags |= kUndeferred;
    run(task, Completion::uncounted);
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
    completion::finish(worker, task, Completion::uncounted);
}

// --- The loop --------------------------------------------------------------------------------

namespace {

/// Continues a suspended task; the stack left behind holds nothing and is recycled.
LOOMP_LEFT_FOR_EVER void leave_for(Suspension &suspension) {
    Worker &worker = *Worker::current();
    flush_completions(worker);
    worker.after = {};
    worker.after.recycle = worker.stack;
    leave_to(suspension.context);
}

/// The worker is on its own stack, on which no task may run.
bool in_shortage(const Worker &worker) { return worker.stack->owner != nullptr; }

/// Runs tasks until a suspended one may go on.
LOOMP_NOINLINE Suspension &schedule_until_resumable() {
    for (;;) {
        Worker &worker = *Worker::current();
        Member &member = *worker.member;
        if (LOOMP_UNLIKELY(anything_pending()))
            poll_between_tasks();
        if (Suspension *suspension = take_resumable(member)) {
            offer_next_task(member);
            return *suspension;
        }
        if (Task *task = take_task(worker, member)) {
            execute(*task);
            continue;
        }
        idle_until(worker, member, [] { return false; });
    }
}

} // namespace

void scheduling_loop(void *) {
    {
        Worker &worker = *Worker::current();
        worker.member->modes.adopt();
        const AfterSwitch after = std::exchange(worker.after, AfterSwitch{});
        if (LOOMP_UNLIKELY(after.recycle != nullptr))
            release_stack(after.recycle);
        const bool waits = after.arm == nullptr || after.arm(after.argument);
        if (after.first != nullptr) {
            if (!waits)
                make_ready(*after.first);
            else if (in_shortage(worker))
                put_by(*worker.member, *after.first);
            else
                execute(*after.first);
        }
        if (!waits)
            leave_for(*after.suspended);
    }
    schedule_for_ever();
}

void schedule_for_ever() {
    Worker &worker = *Worker::current();
    worker.member->modes.adopt();
    leave_for(in_shortage(worker) ? schedule_in_shortage() : schedule_until_resumable());
}

} // namespace loomp::core
