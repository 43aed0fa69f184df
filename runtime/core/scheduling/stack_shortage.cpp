#include "runtime/core/scheduling/stack_shortage.h"

#include <algorithm>
#include <utility>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/throttled_creators.h"
#include "runtime/core/suspension/stack.h"

namespace loomp::core {

namespace {

/// Between two looks at what was put by: others do not tell when a stack is free again, nor when
/// they begin to wait.
constexpr std::int64_t kBetweenLooks = 500'000;
/// Nothing in the team has continued for so long: neither others' tasks nor threads outside let a
/// suspended one continue soon.
constexpr std::int64_t kQuiet = 20'000'000;
/// All threads have been idle for so long, or no task could begin though some only yield: whoever
/// looks on is told.
constexpr std::int64_t kTellWhenIdle = 1'000'000'000;
constexpr std::int64_t kTellWhenBusy = 10'000'000'000;

Atomic<bool> warned{false};
/// When a task was put by first since one could begin; 0: none was. Nanoseconds.
Atomic<std::int64_t> none_began_since{0};

/// Takes `task` out of its taskwait, unless the last child wakes it.
bool take_out_of_taskwait(Task &task) {
    std::uint64_t word = task.children.load(std::memory_order_relaxed);
    while ((word & children::kWaitCompleted) != 0 && !children::all_completed(word))
        // acq_rel: `waiter` was stored before the flag; of those who see it, one takes it.
        if (task.children.compare_exchange_weak(word, word & ~children::kWaitCompleted,
                                                std::memory_order_acq_rel,
                                                std::memory_order_relaxed))
            return true;
    return false;
}

/// Takes `task` out of the end of its innermost taskgroup, unless the group's last task wakes it.
bool take_out_of_group(Task &task) {
    if ((task.children.load(std::memory_order_relaxed) & children::kWaitGroup) == 0 ||
        // acquire: the group, which the owner keeps until it has the flag back.
        (task.children.fetch_and(~children::kWaitGroup, std::memory_order_acquire) &
         children::kWaitGroup) == 0)
        return false;
    if (task.group->raise_guard())
        return true;
    // release: the group is used no more.
    task.children.fetch_or(children::kWaitGroup, std::memory_order_release);
    return false;
}

/// The nearest ancestor of `task` in its team that waits at a taskwait or a taskgroup's end, taken
/// out of its wait; null if there is none. Throttled ones before it continue. Ancestors of a task
/// are not released before the task.
Suspension *take_waiting_ancestor(Task &task) {
    for (Task *at = task.parent; at != nullptr && at->team == task.team; at = at->parent) {
        if (take_out_of_taskwait(*at))
            return at->waiter;
        if (take_out_of_group(*at))
            return at->group->waiter;
        let_creator_go_on(*at);
    }
    return nullptr;
}

/// The suspended task that waits for `task`, among others, taken out of its wait; null if there is
/// none.
Suspension *take_waiter_for(Task &task) {
    Task &parent = *task.parent;
    if (take_out_of_taskwait(parent))
        return parent.waiter;
    for (TaskGroup *group = task.group; group != nullptr; group = group->outer)
        if (group->owner != nullptr && group->owner->team == task.team && group->raise_guard())
            return group->waiter;
    // A creator that is throttled until tasks have completed is to go on, whatever they take.
    let_creator_go_on(parent);
    return nullptr;
}

/// Lookers that are short of stacks themselves can do nothing with such a task, and a wake-up of
/// one alone may come to them.
void notify_of_unstarted(Team &team) {
    expect_tasks(team);
    team.event.notify_all();
}

/// Tasks that were put by are chained by the link of a batch: each of a batch is put by itself. The
/// first one is the caller's.
void defer_others_until_stack(Team &team, Task &first) {
    team.note(Team::kUnstarted);
    for (Task *others = part_from_batch(first); others != nullptr;) {
        team.unstarted.push(*std::exchange(others, others->next));
        notify_of_unstarted(team);
    }
}

using TakeWaiter = Suspension *(*)(Task &);

/// Has `task` begin on top of one that waits for it. That one, if this worker is to continue it.
/// False: nobody waits for it.
bool hand_over(Member &member, Task &task, Suspension *&here,
               TakeWaiter take_waiter = take_waiter_for) {
    defer_others_until_stack(*member.team, task);
    Suspension *waiter = take_waiter(task);
    if (waiter == nullptr)
        return false;
    waiter->on_top = &task;
    none_began_since.store(0, std::memory_order_relaxed);
    if (waiter->resumes_at == nullptr || waiter->resumes_at == &member)
        here = waiter;
    else
        make_resumable(*waiter);
    return true;
}

/// Looks once at each task that was put by. True: one could begin.
bool try_unstarted(Member &member, Suspension *&here, TakeWaiter take_waiter = take_waiter_for) {
    ReadyList &list = member.team->unstarted;
    for (std::uint32_t left = list.size(); left > 0; --left) {
        // A thread that is idle on a stack is to see it meanwhile.
        Task *task = list.borrow();
        if (task == nullptr)
            return false;
        if (hand_over(member, *task, here, take_waiter)) {
            list.keep_borrowed();
            return true;
        }
        list.give_back(*task);
    }
    return false;
}

LOOMP_COLD void tell(const Team &team, std::int64_t since, std::int64_t patience) {
    const std::int64_t passed = static_cast<std::int64_t>(nanoseconds()) - since;
    const std::int64_t bound = waiting_settings().stuck_after;
    const bool hopeless = bound != 0 && passed > std::max(bound, patience);
    if (passed < patience || (warned.exchange(true, std::memory_order_relaxed) && !hopeless))
        return;
    const double seconds = static_cast<double>(passed) * 1e-9;
    if (!hopeless)
        tell_what_is_pending(seconds);
    const auto report = hopeless ? fatal : warn;
    report(
        "for %.1f s no task could begin: no stack is left for %u that are ready, no taskwait or "
        "taskgroup waits for one of them, and those that have begun wait for what lies outside or "
        "for dependences, or yield. %zu stacks of %zu bytes are in use. Let fewer tasks wait at a "
        "time, lower OMP_STACKSIZE, or "
        "raise the limit on memory or address space",
        seconds, team.unstarted.size(), stack_count(), pooled_stack_size());
}

/// Returns whether the whole team waits for stacks, and none of its suspended tasks may continue.
/// The member's own thread calls it.
bool nothing_continues(const Member &member) {
    Team &team = *member.team;
    // relaxed: it is asked again and again.
    if (team.short_of_stacks.load(std::memory_order_relaxed) != team.size ||
        !team.resumable.empty())
        return false;
    for (int i = 0; i < team.size; ++i)
        if (!team.members[i]->resumable.empty())
            return false;
    // Another member that is short of stacks has no successor of its own: it would run that.
    return !fresh_tasks_visible(member);
}

/// Counts a member that is short of stacks, while it lives.
class ShortOfStacks {
  public:
    explicit ShortOfStacks(Team &team) : team_(team) {
        team_.short_of_stacks.fetch_add(1, std::memory_order_relaxed);
    }
    ~ShortOfStacks() { team_.short_of_stacks.fetch_sub(1, std::memory_order_relaxed); }
    ShortOfStacks(const ShortOfStacks &) = delete;
    ShortOfStacks &operator=(const ShortOfStacks &) = delete;

  private:
    Team &team_;
};

/// Nothing to do at first: until something turns up.
Suspension *wait_for_change(Worker &worker, Member &member) {
    give_back_spares(worker);
    IdlePolling polling(worker);
    Team &team = *member.team;
    const auto anything = [&] {
        return !member.resumable.empty() || !team.resumable.empty() ||
               member.throttled != nullptr || fresh_tasks_visible(member);
    };
    const ShortOfStacks counted(team);
    const std::int64_t begin = static_cast<std::int64_t>(nanoseconds());
    std::int64_t quiet_since = begin;
    for (;;) {
        polling.poll();
        polling.rest();
        const EventCount::Ticket ticket = prepare_to_look(team);
        if (anything()) {
            if (team.event.cancel_look(ticket))
                team.event.notify_one();
            return nullptr;
        }
        const auto now = static_cast<std::int64_t>(nanoseconds());
        if (awaits_program(worker))
            look_for_hang(now);
        team.event.wait_for_work(ticket, member_bit(member), now + kBetweenLooks);
        // The wake-up may have stood for more work than this thread does, which may continue a task
        // and look for none.
        if (anything()) {
            team.event.notify_one();
            return nullptr;
        }
        Suspension *here = nullptr;
        if (stack_to_be_had() || try_unstarted(member, here))
            return here;
        if ((anything_pending() && now - begin < kTellWhenIdle) || !nothing_continues(member))
            quiet_since = now;
        else if (now - quiet_since > kQuiet && try_unstarted(member, here, take_waiting_ancestor))
            return here;
        if (!team.unstarted.looks_empty() && all_threads_rest())
            tell(team, begin, kTellWhenIdle);
    }
}

} // namespace

void defer_until_stack(Member &member, Task &task) {
    Team &team = *member.team;
    defer_others_until_stack(team, task);
    team.unstarted.push(task);
    // A thread that is idle on a stack may have looked while the caller held the task.
    notify_of_unstarted(team);
    const auto now = static_cast<std::int64_t>(nanoseconds());
    // relaxed: it only says how long to be patient.
    std::int64_t since = 0;
    if (!none_began_since.compare_exchange_strong(since, now, std::memory_order_relaxed))
        tell(team, since, kTellWhenBusy);
}

Suspension *hand_over_deferred(Member &member) {
    Suspension *here = nullptr;
    try_unstarted(member, here);
    return here;
}

ShortageEnd schedule_in_shortage() {
    for (;;) {
        Worker &worker = *Worker::current();
        Member &member = *worker.member;
        if (Suspension *suspension = take_to_continue(member))
            return {suspension, nullptr};
        if (Stack *stack = acquire_stack()) {
            none_began_since.store(0, std::memory_order_relaxed);
            return {nullptr, stack};
        }
        Suspension *here = nullptr;
        if (Task *task = take_fresh_task(worker, member)) {
            if (!hand_over(member, *task, here))
                defer_until_stack(member, *task);
        } else if (!try_unstarted(member, here)) {
            here = wait_for_change(worker, member);
        }
        if (here != nullptr)
            return {here, nullptr};
    }
}

} // namespace loomp::core
