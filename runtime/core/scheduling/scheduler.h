// The loop that workers run, and what waits in it.
#pragma once

#include <algorithm>

#include "platform/back_off.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/enclosing.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/oversubscription.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// Entry of every pooled stack.
LOOMP_MAY_SWITCH LOOMP_ABANDONS_STACK void scheduling_loop(void *);
/// Schedules on a stack at whose bottom a task was that has ended.
LOOMP_MAY_SWITCH LOOMP_ABANDONS_STACK void schedule_for_ever();

/// Schedules tasks on the current stack until done(); for callers for whom every task of the team
/// may run on top: barriers and docks, in implicit tasks. `done` reads shared state only.
template <class Done> LOOMP_STAYS void schedule_until(Done done);

/// Waits until done() without running anything: for threads that are in no region.
template <class Done> void sleep_until(Worker &worker, EventCount &event, Done done);

/// One idle step: spins, then sleeps, until work is visible, `done()`, or a throttled creator
/// may go on (tests/model/long_queue).
template <class Done> void idle_until(Worker &worker, Member &member, Done done);

// ---------------------------------------------------------------------------------------------

/// The length of a poll, in looks for work, at least.
inline constexpr unsigned kLooksPerPoll = 32;

/// The spinning threads of a large team look into the queues in turn. Each look reads a line of
/// each queue, which its owner then has to take back, and all threads that see a task try to take
/// it. So the more threads there are, and the more often others were faster, the less often a
/// thread looks. Before it sleeps, it looks in any case.
class LookTurns {
  public:
    LookTurns(Worker &worker, const Member &member)
        : interval_(is_large(*member.team) ? interval(member) : 1),
          next_(interval_ == 1 ? 0 : worker.random() % interval_) {}
    bool has_turn(unsigned spins) {
        if (spins < next_)
            return false;
        next_ = spins + interval_;
        return true;
    }

  private:
    static unsigned interval(const Member &member) {
        constexpr unsigned most_doublings = 4;
        constexpr unsigned longest = 2048; // under .1 ms
        const auto size = static_cast<unsigned>(member.team->size);
        return std::min(size << std::min(member.late_steals, most_doublings), longest);
    }
    unsigned interval_;
    unsigned next_;
};

template <class Done> void idle_until(Worker &worker, Member &member, Done done) {
    // A worker that could not take the creator saw a long queue. Thieves may have emptied it since:
    // they wake nobody. If it is long still, work is visible.
    if (LOOMP_UNLIKELY(member.throttled != nullptr))
        return;
    if (LOOMP_UNLIKELY(let_enclosing_go_first(worker, member)))
        return;
    if (LOOMP_UNLIKELY(propagates_priorities) && priority_graph_of(*member.team).propagate_some())
        return;
    const bool no_room = oversubscribed();
    const unsigned limit = worker.back_off.looks(spin_limit(no_room), no_room, anything_pending());
    IdlePolling polling(worker);
    const auto wanted = [&] {
        return done() || work_visible(member) || enclosing_goes_first(worker, member);
    };
    LookTurns turns(worker, member);
    for (unsigned spins = 0; spins < limit; ++spins) {
        if (done() || resumable_visible(member) || enclosing_goes_first(worker, member) ||
            (turns.has_turn(spins) && tasks_visible(member)))
            return;
        if (LOOMP_UNLIKELY(anything_pending())) {
            // An idle worker that polls spins about as long as others, however long a poll takes.
            const std::int64_t taken = polling.poll();
            if (worker.back_off.lost_processor(taken))
                break;
            spins += std::max(kLooksPerPoll, static_cast<unsigned>(taken / kNanosecondsPerLook));
        }
        // The thread that we wait for may have lost its processor, to another thread of ours or to
        // another program: after a while, offer ours.
        if (LOOMP_LIKELY(!no_room &&
                         (spins < worker.back_off.pauses_before_yield() || spins % 32 != 0)))
            cpu_relax();
        else if (!worker.back_off.yield())
            break;
    }
    give_back_spares(worker);
    EventCount &event = member.team->event;
    std::int64_t until;
    do {
        if (LOOMP_UNLIKELY(anything_pending())) {
            polling.poll();
            if (wanted())
                return;
        }
        const EventCount::Ticket ticket = prepare_to_look(*member.team);
        if (wanted()) {
            if (event.cancel_look(ticket) && work_visible(member))
                event.notify_one();
            return;
        }
        ++worker.discovery.parks;
        until = LOOMP_UNLIKELY(pollers_registered()) ? polling.sleep_until() : 0;
        polling.rest();
        if (LOOMP_UNLIKELY(awaits_program(worker)))
            until = sleep_until_look(until);
        event.wait_for_work(ticket, member_bit(member), until);
        // The wake-up may have stood for more work than one thread does, or for none of this
        // thread's. Two more threads would hinder those that compute if the processors are taken.
        if (work_visible(member)) {
            event.notify_some(!oversubscribed() && much_work_visible(member) ? 2 : 1);
            return;
        }
    } while (until != 0);
}

template <class Done> void sleep_until(Worker &worker, EventCount &event, Done done) {
    const KeepsError keeps(worker);
    constexpr unsigned looks_between_checks = 256;
    // It takes a processor while it spins, which the threads in regions may need.
    count_active_threads(1);
    unsigned limit = spin_limit(oversubscribed());
    for (unsigned spins = 0; spins < limit; ++spins) {
        if (done()) {
            count_active_threads(-1);
            return;
        }
        cpu_relax();
        if (spins % looks_between_checks == 0)
            limit = spin_limit(oversubscribed());
    }
    count_active_threads(-1);
    give_back_spares(worker);
    worker.rest.begin();
    while (!done()) {
        const EventCount::Ticket ticket = event.prepare_to_wait();
        if (done()) {
            event.cancel_wait();
            break;
        }
        ++worker.discovery.parks;
        event.wait(ticket);
    }
    worker.rest.end();
}

template <class Done> LOOMP_STAYS LOOMP_NOINLINE void schedule_until_slow(Done done) {
    note_modes(*Worker::current());
    const KeepsError keeps(*Worker::current());
    do {
        Worker *worker = Worker::current();
        Member &member = *worker->member;
        if (LOOMP_UNLIKELY(anything_pending()))
            poll_between_tasks();
        // The task taken may belong to the team's next region, which the caller need not be in:
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
                    give_back(member, *task);
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

} // namespace loomp::core
