#include "runtime/core/regions/lock.h"

#include <algorithm>

#include "platform/clock.h"
#include "platform/futex.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/regions/lock_waiters.h"
#include "runtime/core/scheduling/enclosing.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

enum class Wait {
    sleep,         ///< no task needs the thread
    sleep_briefly, ///< the holder may need it, but is more likely on another thread
    suspend,
};

Wait how_to_wait(const Worker &worker) {
    // A poll cannot be suspended, and a thread that looks for work runs no task.
    if (worker.task == nullptr || is_polling())
        return Wait::sleep;
    const Member &member = *worker.member;
    const Team &team = *member.team;
    const bool alone = team.size == 1;
    const bool needed = worker.suspended_here.load(std::memory_order_relaxed) > 0 ||
                        must_release_creator(worker) || team.has_met(Team::kParts) ||
                        (alone && team.has_tasks.load(std::memory_order_relaxed));
    if (!needed)
        return Wait::sleep;
    return alone || member.resumable.holds_work() || team.resumable.holds_work()
               ? Wait::suspend
               : Wait::sleep_briefly;
}

/// Each task suspended for a lock takes a stack, and lets its worker start another task that may
/// need the same lock. The more tasks wait, the longer the next one keeps its thread.
std::int64_t brief_sleep(const Worker &worker) {
    constexpr std::int64_t nanoseconds_at_first = 50'000;
    constexpr int tasks_until_twice = 16;
    constexpr int doublings = 5;
    const int waiting = worker.waiting_for_locks.load(std::memory_order_relaxed);
    return nanoseconds_at_first << std::min(waiting / tasks_until_twice, doublings);
}

} // namespace

bool Mutex::take_or_mark(void *mutex) {
    // A contended lock keeps its mark, because others may wait. acq_rel: sees the previous holder's
    // writes; a thread that sees the mark sees the waiters that were entered before.
    return static_cast<Mutex *>(mutex)->word_.exchange(kContended, std::memory_order_acq_rel) ==
           kFree;
}

/// The thread rests meanwhile: if nobody releases the lock, the program hangs. It may sleep on if
/// another thread has taken the lock since, because that one finds the mark.
void Mutex::sleep_while_contended() {
    Worker *const worker = Worker::current_or_null();
    if (worker != nullptr) {
        worker->rest.begin();
        worker->sleeps_for_lock = true;
    }
    do {
        if (const std::int64_t until = sleep_until_look(0))
            futex_wait_until(word_, kContended, until);
        else
            futex_wait(word_, kContended);
        // relaxed: the caller tries to take it, with acquire.
    } while (word_.load(std::memory_order_relaxed) == kContended);
    if (worker != nullptr) {
        worker->sleeps_for_lock = false;
        worker->rest.end();
    }
}

void Mutex::lock_slow() {
    const int limit = oversubscribed() ? 4 : 128;
    int pauses = 1;
    for (int spins = 0; spins < limit; spins += pauses) {
        if (word_.load(std::memory_order_relaxed) == kFree && try_lock())
            return;
        for (int i = 0; i < pauses; ++i)
            cpu_relax();
        pauses = std::min(2 * pauses, 32);
    }
    if (take_or_mark(this))
        return;
    const LockWait waits;
    const KeepsError keeps(*Worker::current());
    bool again = false;
    while (!take_or_mark(this)) {
        const Worker &worker = *Worker::current();
        const Wait wait = how_to_wait(worker);
        if (wait == Wait::sleep) {
            sleep_while_contended();
            continue;
        }
        if (wait == Wait::sleep_briefly) {
            const auto now = nanoseconds();
            futex_wait_until(word_, kContended, now + brief_sleep(worker));
        }
        if (suspend_until_released(this, take_or_mark, again))
            return;
        again = true;
    }
}

void Mutex::wake_waiters() {
    // acquire: pairs with the release of the mark.
    atomic_fence(std::memory_order_acquire);
    futex_wake(word_, 1);
    resume_lock_waiters(this);
}

const void *lock_owner() { return Worker::current()->task; }

void nest_lock(NestLock &lock) {
    const void *self = lock_owner();
    // relaxed: it is equal only if this task wrote it.
    if (lock.owner.load(std::memory_order_relaxed) != self) {
        lock.mutex.lock();
        lock.owner.store(self, std::memory_order_relaxed);
    }
    ++lock.depth;
}

int try_nest_lock(NestLock &lock) {
    const void *self = lock_owner();
    if (lock.owner.load(std::memory_order_relaxed) != self) {
        if (!lock.mutex.try_lock())
            return 0;
        lock.owner.store(self, std::memory_order_relaxed);
    }
    return ++lock.depth;
}

bool nest_unlock(NestLock &lock) {
    if (--lock.depth > 0)
        return false;
    lock.owner.store(nullptr, std::memory_order_relaxed);
    lock.mutex.unlock();
    return true;
}

} // namespace loomp::core
