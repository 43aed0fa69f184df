#include "core/external/timer.h"

#include <atomic>
#include <limits>
#include <utility>

#include "core/base/clock.h"
#include "core/base/locks_at_fork.h"
#include "core/base/spinlock.h"
#include "core/progress/poller.h"
#include "core/scheduling/suspend.h"
#include "core/scheduling/waiting.h"

namespace loomp::core {

namespace {

SpinLock lock; ///< guards the heap, and the poller's time with it
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lock); });
Timer *first = nullptr;

Timer *meld(Timer *a, Timer *b) {
    if (a == nullptr || b == nullptr)
        return a == nullptr ? b : a;
    if (b->due < a->due)
        std::swap(a, b);
    b->beside = a->below;
    a->below = b;
    return a;
}

/// One heap of those in a list: in pairs from the left, then all from the right.
Timer *meld_list(Timer *list) {
    Timer *pairs = nullptr;
    while (list != nullptr) {
        Timer *a = list;
        Timer *b = a->beside;
        list = b == nullptr ? nullptr : b->beside;
        a->beside = nullptr;
        if (b != nullptr)
            b->beside = nullptr;
        Timer *pair = meld(a, b);
        pair->beside = pairs;
        pairs = pair;
    }
    Timer *heap = nullptr;
    while (pairs != nullptr) {
        Timer *next = pairs->beside;
        pairs->beside = nullptr;
        heap = meld(heap, pairs);
        pairs = next;
    }
    return heap;
}

int expire_due(void *);

Poller &timers() {
    static Poller &poller = own_poller(OwnPoller::timers, "timers", expire_due);
    return poller;
}

void tell_poller() { timers().due.store(first->due, std::memory_order_relaxed); }

int expire_due(void *) {
    const auto now = static_cast<std::int64_t>(nanoseconds());
    Timer *expired = nullptr;
    Timer **last = &expired;
    {
        const SpinGuard guard(lock);
        while (first != nullptr && first->due <= now) {
            *last = first;
            last = &first->beside;
            first = meld_list(std::exchange(first->below, nullptr));
        }
        *last = nullptr;
        if (first != nullptr)
            tell_poller();
    }
    int count = 0;
    while (expired != nullptr) {
        Timer &timer = *expired;
        expired = timer.beside;
        timer.expire(timer);
        ++count;
    }
    return count;
}

struct Waiting : Timer {
    Suspension suspension;
};

} // namespace

void start_timer(Timer &timer) {
    timer.below = nullptr;
    timer.beside = nullptr;
    const std::int64_t due = timer.due;
    expect(timers(), 1);
    {
        const SpinGuard guard(lock);
        first = meld(first, &timer);
        tell_poller();
    }
    wake_up_at(due);
}

std::uint64_t wait_for_time(std::uint64_t duration) {
    const std::uint64_t start = nanoseconds();
    if (duration == 0) {
        taskyield();
        return nanoseconds() - start;
    }
    constexpr auto latest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    Waiting waiting;
    waiting.due = static_cast<std::int64_t>(duration < latest - start ? start + duration : latest);
    waiting.expire = [](Timer &self) { make_resumable(static_cast<Waiting &>(self).suspension); };
    suspend_until(waiting.suspension, [&waiting] {
        start_timer(waiting);
        return true;
    });
    return nanoseconds() - start;
}

void keep_time() { wake_up_for(timers()); }

void forget_timers_after_fork() { first = nullptr; }

} // namespace loomp::core
