// Creating, queueing, running and completing tasks: the doors of the lifecycle in core/task.h, and
// the loop that workers run.
#pragma once

#include <sched.h>
#include <utility>

#include "core/completion.h"
#include "core/crowding.h"
#include "core/enclosing.h"
#include "core/immediate.h"
#include "core/poller.h"
#include "core/priority_graph.h"
#include "core/task_allocation.h"
#include "core/team.h"
#include "core/worker.h"

namespace loomp::core {

// --- Creation --------------------------------------------------------------------------------

/// The part of spawn() for creators that may have to queue.
void spawn_queued(Worker &worker, Task &task);
/// Hands a task without unmet dependences to the scheduler: runs it at once, or queues it.
LOOMP_INLINE void spawn(Worker &worker, Task &task) {
    Member &member = *worker.member;
    if (member.run_at_once > 1) {
        --member.run_at_once;
        run_or_queue(worker, task);
    } else {
        spawn_queued(worker, task);
    }
}
/// The same for the first of a series, if it is as run_series() wants it.
LOOMP_INLINE void spawn_series(Worker &worker, Task &task, TaskSeries &series) {
    constexpr std::uint32_t plain = kTied | kTaskloopChild | kMergeable;
    if (worker.member->run_at_once > 1 && (task.flags & ~plain) == 0 && !tool_enabled)
        run_series(worker, task, series);
    else
        spawn(worker, task);
}
/// The same for a task that stands for a batch (core/fusion.h).
void spawn_batch(Worker &worker, Task &first);
/// The same after linking `count` dependences; the task may wait for predecessors.
void spawn(Task &task, const Dependence *dependences, std::size_t count);
/// For a team of one thread, where tasks mostly have completed when the next one is created: runs
/// the task at once without entering its dependences anywhere, if all before it have completed.
/// False: it must be linked. Those that wait for something are in the map, and so are all that come
/// after them until they have completed.
LOOMP_NOINLINE bool spawn_alone(Worker &worker, Task &task, const Dependence *dependences,
                                std::size_t count);
/// Runs a task at once on top of its creator, which waits for it (undeferred, final).
void run_undeferred(Task &task);
/// Undeferred code that the front end runs itself (if(0) without an outlined call): between
/// begin and end, `task` is the running task.
void begin_undeferred(Task &task);
void end_undeferred(Task &task);

/// Waits until the predecessors that `dependences` name have completed, as if a task with them
/// were next: before an undeferred task with these dependences.
void wait_dependences(const Dependence *dependences, std::size_t count);
/// Waits until the predecessor has completed.
void wait_for_task(const TaskRef &predecessor);
/// taskwait depend nowait: an empty task with these dependences.
void spawn_empty(const Dependence *dependences, std::size_t count);

// --- Waiting ---------------------------------------------------------------------------------

/// taskwait: until the running task's children have completed.
void taskwait();
/// taskwait depend.
void taskwait(const Dependence *dependences, std::size_t count);
/// taskyield: lets another ready or resumable task go first; false if there is none.
bool taskyield();

/// Brings a task that waits for nothing any more to its team's inbox. From any thread.
void enqueue_from_outside(Task &task);

// --- The loop --------------------------------------------------------------------------------

/// Runs `task` on top of the current frames. Afterwards the caller may be on another thread.
void execute(Task &task);
/// The same where the running task has exceptions, which are set aside meanwhile.
LOOMP_COLD void execute_without_exceptions(Worker &worker, Task &task);
/// The same in any task that waits.
LOOMP_INLINE void execute_on_top(Worker &worker, Task &task) {
    if (worker.exceptions->any())
        execute_without_exceptions(worker, task);
    else
        execute(task);
}

/// LOOMP_TASK_ORDER=fifo: workers take their own tasks oldest first. Set once at start.
LOOMP_HIDDEN extern bool oldest_first;
/// Settings ask for more than linking where tasks with dependences are created. Set once at start.
LOOMP_HIDDEN extern bool discovery_watched;

/// The next task for this member, or null: successor slot, own deque, inbox, others' deques.
Task *take_task(Worker &worker, Member &member);
/// The same without tasks that were put by for lack of a stack.
Task *take_fresh_task(Worker &worker, Member &member);
/// Only what needs no look at other members.
Task *take_own_task(Member &member);
/// Whether a look for work would be worth it. Exact enough to decide on sleeping.
bool work_visible(const Member &member);
/// The same without suspended tasks that can go on.
bool tasks_visible(const Member &member);
/// The same without tasks that were put by for lack of a stack.
bool fresh_tasks_visible(const Member &member);

/// Entry of every pooled stack.
LOOMP_LEFT_FOR_EVER void scheduling_loop(void *);
/// The same where a task that was at the stack's bottom has ended.
LOOMP_LEFT_FOR_EVER void schedule_for_ever();

/// What a tool is told of a task whose body has returned. Called once for each end.
LOOMP_COLD TaskStatus status_at_end(Task &task, bool cancelled);

/// Schedules tasks on the current stack until done(); for callers for whom every task of the team
/// may run on top: barriers and docks, in implicit tasks. `done` reads shared state only.
template <class Done> void schedule_until(Done done);

/// Waits until done() without running anything: for threads that are in no region.
template <class Done> void sleep_until(Worker &worker, EventCount &event, Done done);

/// One idle step: spins, then sleeps, until work is visible, `done()`, or a creator that left off
/// may go on (tests/model/left_off).
template <class Done> void idle_until(Worker &worker, Member &member, Done done);

/// Where it cannot run tasks at once, a creator with a long queue leaves off until this few are
/// left.
inline constexpr std::int64_t kFewReady = 64;

/// A creator that left off and may go on, or null.
LOOMP_NOINLINE Suspension *take_creator(Member &member);

/// Of tied and untied ones by turns: tied tasks that yield to each other would keep an untied one
/// away for ever, which may be what they wait for.
LOOMP_NOINLINE Suspension *take_resumable_in_turn(Member &member);

/// A suspended task that may go on here, or null. A creator that left off comes first: those who
/// only yield would keep it away for ever, and may be waiting for what it has yet to create.
inline Suspension *take_resumable(Member &member) {
    if (LOOMP_UNLIKELY(member.throttled != nullptr))
        if (Suspension *creator = take_creator(member))
            return creator;
    if (LOOMP_LIKELY(member.resumable.empty()))
        return member.team->resumable.pop();
    return take_resumable_in_turn(member);
}

/// Before a task waits: if it is implicit, new stacks of its thread are to have its modes.
LOOMP_INLINE void note_modes(Worker &worker) {
    if (worker.task->has(kImplicit))
        worker.member->modes.note();
}

/// Before the member's worker continues a suspended task: that may run for long, or wait for the
/// task in the slot where it does not look for tasks. Thieves are to see it, and to be woken.
LOOMP_INLINE void offer_next_task(Member &member) {
    if (LOOMP_UNLIKELY(member.next_task != nullptr))
        make_ready(*std::exchange(member.next_task, nullptr));
}

// ---------------------------------------------------------------------------------------------

/// What a poll takes, in looks for work: an idle worker that polls spins about as long as others.
inline constexpr unsigned kLooksPerPoll = 32;

template <class Done> void idle_until(Worker &worker, Member &member, Done done) {
    // Whoever could not take the creator saw a long queue, which thieves may have emptied since:
    // they wake nobody. Where it is long still, work is visible.
    if (LOOMP_UNLIKELY(member.throttled != nullptr))
        return;
    if (LOOMP_UNLIKELY(let_enclosing_go_first(worker, member)))
        return;
    if (LOOMP_UNLIKELY(propagates_priorities) && priority_graph_of(*member.team).propagate_some())
        return;
    const bool crowded = oversubscribed();
    const unsigned limit = worker.patience.looks(spin_limit(crowded), crowded);
    IdlePolling polling(worker);
    const auto wanted = [&] {
        return done() || work_visible(member) || enclosing_goes_first(worker, member);
    };
    for (unsigned spins = 0; spins < limit; ++spins) {
        if (wanted())
            return;
        if (LOOMP_UNLIKELY(anything_pending())) {
            polling.poll();
            spins += kLooksPerPoll - 1;
        }
        // Whom we wait for may have lost its processor, to another thread of ours or to another
        // program: after a while, offer ours.
        if (LOOMP_LIKELY(!crowded && (spins < kPausesBeforeYield || spins % 32 != 0)))
            cpu_relax();
        else if (!worker.patience.yield())
            break;
    }
    worker.task_blocks.flush();
    worker.attached_blocks.flush();
    EventCount &event = member.team->event;
    std::int64_t until;
    do {
        if (LOOMP_UNLIKELY(anything_pending())) {
            polling.poll();
            if (wanted())
                return;
        }
        const EventCount::Ticket ticket = event.prepare();
        if (wanted()) {
            event.cancel();
            return;
        }
        ++worker.discovery.parks;
        until = LOOMP_UNLIKELY(pollers_registered()) ? polling.sleep_until() : 0;
        polling.rest();
        event.wait_until(ticket, member_bit(member), until);
        // The wake-up may have stood for more work than one thread does, or for none of this
        // thread's.
        if (work_visible(member)) {
            event.notify_one();
            return;
        }
    } while (until != 0);
}

template <class Done> void sleep_until(Worker &worker, EventCount &event, Done done) {
    const KeepsError keeps(worker);
    const unsigned limit = spin_limit(oversubscribed());
    for (unsigned spins = 0; spins < limit; ++spins) {
        if (done())
            return;
        cpu_relax();
    }
    worker.task_blocks.flush();
    worker.attached_blocks.flush();
    worker.rest.begin();
    while (!done()) {
        const EventCount::Ticket ticket = event.prepare();
        if (done()) {
            event.cancel();
            break;
        }
        ++worker.discovery.parks;
        event.wait(ticket, ~0u);
    }
    worker.rest.end();
}

template <class Done> LOOMP_NOINLINE void schedule_until_slow(Done done) {
    note_modes(*Worker::current());
    const KeepsError keeps(*Worker::current());
    do {
        Worker *worker = Worker::current();
        Member &member = *worker->member;
        if (LOOMP_UNLIKELY(anything_pending()))
            poll_between_tasks();
        // What was taken may belong to the team's next region, which the caller need not be in:
        // then done() holds, since the fork came before it.
        if (Suspension *other = take_resumable(member)) {
            if (LOOMP_UNLIKELY(done())) {
                make_resumable(*other);
                return;
            }
            yield_to(*other, true);
            continue;
        }
        if (member.team->has_tasks.load(std::memory_order_relaxed)) {
            if (Task *task = take_task(*worker, member)) {
                if (LOOMP_UNLIKELY(done())) {
                    enqueue_from_outside(*task);
                    return;
                }
                execute_on_top(*worker, *task);
                continue;
            }
        }
        idle_until(*worker, member, done);
    } while (!done());
}

template <class Done> LOOMP_INLINE void schedule_until(Done done) {
    if (!done())
        schedule_until_slow(done);
    flush_completions(*Worker::current());
}

/// Waits for another member's progress, in an implicit task. It is not a task scheduling point, so
/// a thread only gives its processor away when the others may need it; but where tasks tied to it
/// are suspended, the other member may be waiting for one of them, which nobody else can run.
template <class Done> void wait_for_members(Done done) {
    for (unsigned spins = 0; !done(); ++spins) {
        if (spins < 128 && !oversubscribed())
            cpu_relax();
        else if (Worker::current()->suspended_here.load(std::memory_order_relaxed) == 0 ||
                 !taskyield())
            sched_yield();
    }
}

} // namespace loomp::core
