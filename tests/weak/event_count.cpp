// Sleeping and waking: EventCount of platform/futex.h and event_count.cpp, with the fences of
// platform/fence.h and fence.cpp, under relacy (model.h); and a team's docks, whose sleepers rely
// on notify_all() alone.
//
// Invariant (no lost wake-up): a thread that sleeps was notified of nothing that it waits for.
// Otherwise it sleeps for ever, a deadlock. Light fences are compiler barriers in the scenarios
// "asymmetric" and full fences in the others.
#include "model.h"

#include "platform/event_count.cpp"
#include "platform/fence.cpp"
#include "platform/futex.cpp"

namespace loomp::weak {
namespace {

using namespace core;

struct State {
    EventCount event;
    EventCount dock;
    /// As Team::has_tasks (runtime/core/team/team.h).
    Atomic<int> has_tasks{0};
    /// Units of work: stored by the one notifier, as a deque's bottom.
    Atomic<int> published{0};
    Atomic<int> taken{0};
    Atomic<int> second{0};
    int contents[4] = {};
};
State *state;

void before_asymmetric() {
    light_fence_is_full.store(false, std::memory_order_relaxed);
    state = new State;
}
void before_full() {
    light_fence_is_full.store(true, std::memory_order_relaxed);
    state = new State;
}
void after() {
    WEAK_CHECK(state->event.sleepers() == 0);
    WEAK_CHECK(state->dock.sleepers() == 0);
    delete state;
}

bool work_visible() {
    return state->published.load(std::memory_order_acquire) >
           state->taken.load(std::memory_order_relaxed);
}

bool take() {
    int taken = state->taken.load(std::memory_order_relaxed);
    while (taken < state->published.load(std::memory_order_acquire))
        if (state->taken.compare_exchange_weak(taken, taken + 1, std::memory_order_relaxed)) {
            WEAK_CHECK(state->contents[taken] == taken + 1);
            return true;
        }
    return false;
}

void publish(int unit) {
    state->contents[unit] = unit + 1;
    state->published.store(unit + 1, std::memory_order_release);
}

bool always() { return true; }

bool tells_of_tasks() {
    int expected = 0;
    return !state->has_tasks.compare_exchange_strong(expected, 0, std::memory_order_acq_rel,
                                                     std::memory_order_relaxed);
}

/// It does the same as idle_until() of runtime/core/scheduling/scheduler.h.
void consume(bool (*may_get_work)()) {
    while (!take()) {
        const EventCount::Ticket ticket = state->event.prepare_to_look(may_get_work);
        if (work_visible()) {
            if (state->event.cancel_look(ticket) && work_visible())
                state->event.notify_one();
            continue;
        }
        state->event.wait_for_work(ticket, 1, 0);
        if (work_visible())
            state->event.notify_one();
    }
    // The wake-up of this thread may stand for other sleepers, too.
    state->event.notify_one();
}

/// Two consumers leave with one unit each.
void work(int number) {
    if (number != 0)
        return consume(always);
    publish(0);
    state->event.notify_one();
    publish(1);
    state->event.notify_one();
}

/// A thread waits for something else, which has come: it sleeps for nobody else any more.
void leave() {
    const EventCount::Ticket ticket = state->event.prepare_to_look(always);
    if (state->event.cancel_look(ticket) && work_visible())
        state->event.notify_one();
}

void leaver(int number) {
    switch (number) {
    case 0:
        publish(0);
        state->event.notify_one();
        break;
    case 1:
        consume(always);
        break;
    default:
        leave();
    }
}

/// The region's first task: until then, no looker passes a heavy fence.
void first_task(int number) {
    if (number != 0)
        return consume(tells_of_tasks);
    // This does what expect_tasks() does.
    if (state->has_tasks.load(std::memory_order_acquire) == 0)
        state->has_tasks.exchange(1, std::memory_order_acq_rel);
    publish(0);
    state->event.notify_one();
    publish(1);
    state->event.notify_one();
}

/// Two notifiers of all, each of something else: a sleeper leaves when it has seen both.
void all(int number) {
    switch (number) {
    case 0:
        publish(0);
        state->event.notify_all();
        break;
    case 1:
        state->second.store(1, std::memory_order_release);
        state->event.notify_all(1);
        break;
    default:
        for (;;) {
            const auto done = [] {
                return state->published.load(std::memory_order_acquire) == 1 &&
                       state->second.load(std::memory_order_acquire) == 1;
            };
            if (done())
                break;
            const EventCount::Ticket ticket = state->event.prepare_to_wait();
            if (done()) {
                state->event.cancel_wait();
                break;
            }
            state->event.wait(ticket);
        }
        WEAK_CHECK(state->contents[0] == 1);
    }
}

/// Two forks as announce_fork() (runtime/core/regions/teams.cpp) makes them, and a docked member
/// that only the second includes, as in serve() (thread.cpp there): each fork is one word, after
/// the description of its region.
void dock(int number) {
    constexpr int size_of_second = 2;
    if (number == 0) {
        publish(0);
        state->dock.notify_all();
        state->contents[1] = 2;
        state->published.store(size_of_second, std::memory_order_release);
        state->dock.notify_all();
        return;
    }
    const auto included = [] {
        return state->published.load(std::memory_order_acquire) >= size_of_second;
    };
    while (!included()) {
        const EventCount::Ticket ticket = state->dock.prepare_to_wait();
        if (included()) {
            state->dock.cancel_wait();
            break;
        }
        state->dock.wait(ticket);
    }
    WEAK_CHECK(state->contents[1] == 2);
}

constexpr Scenario kScenarios[] = {
    {"all, asymmetric", 3, before_asymmetric, all, after, Search::random, 30000},
    {"all", 3, before_full, all, after, Search::random, 30000},
    {"dock, asymmetric", 2, before_asymmetric, dock, after, Search::random, 30000},
    {"dock", 2, before_full, dock, after, Search::random, 20000},
    {"work, asymmetric", 3, before_asymmetric, work, after, Search::random, 40000},
    {"work", 3, before_full, work, after, Search::random, 30000},
    {"leaver, asymmetric", 3, before_asymmetric, leaver, after, Search::random, 40000},
    {"first task, asymmetric", 3, before_asymmetric, first_task, after, Search::random, 40000},
};

} // namespace
const std::span<const Scenario> scenarios = kScenarios;
} // namespace loomp::weak
