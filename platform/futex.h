// Sleeping and waking: the kernel's futex, and the event count on which a team's idle threads
// sleep.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/fence.h"

namespace loomp::core {

/// Sleeps while *word == expected, until woken by a matching bit. May return spuriously.
void futex_wait(Atomic<std::uint32_t> &word, std::uint32_t expected, std::uint32_t bits = ~0u);

/// Sleeps like futex_wait(), but at most until `time`: nanoseconds of the monotonic clock.
void futex_wait_until(Atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t time,
                      std::uint32_t bits = ~0u);

/// Wakes at most `count` sleepers whose bits intersect `bits`.
/// Returns how many it woke.
int futex_wake(Atomic<std::uint32_t> &word, int count, std::uint32_t bits = ~0u);

/// An event count. A thread about to sleep announces itself, looks once more for work, and sleeps
/// only if no notification came in between.
///
/// There are two kinds of notifications, and two kinds of sleepers. notify_all() is rare, and
/// passes a full fence. notify_one() comes with each task, so it passes a light fence
/// (platform/fence.h). It is for work that any looker can do and sees in its last look. A waiter
/// (prepare_to_wait()) relies on notify_all() alone; a looker (prepare_to_look()) relies on both.
///
/// Invariant (no lost wake-up): a notifier first publishes work W, then reads `sleepers_`; a
/// sleeper first raises `sleepers_`, then looks for W. At least one of the two sees the other,
/// since each passes a full fence in between. If the notifier sees the sleeper, it advances
/// `epoch_` before the wake-up, so a sleeper with an earlier ticket does not block.
/// tests/model/park and tests/weak/event_count verify this.
///
/// A heavy fence, which a light one needs as its counterpart, interrupts every processor that runs
/// the process. So only the first looker passes one, on behalf of all. A notifier that reads no
/// sleeper has read `sleepers_` before that looker raised it, so the heavy fence publishes its work
/// to that looker. Other lookers may have gone to sleep without seeing it. Therefore the first one
/// either takes work that it sees, or notifies another looker (cancel_look()). It need not pass the
/// heavy fence while no notify_one() can come.
///
/// notify_one() allows one wake-up at a time. A creator of many small tasks pays one system call
/// while a sleeper gets up, not one per task. A woken thread must look for work after wait(), and
/// call notify_one() again if it finds some. If the sleeper's processor is taken, it gets up late,
/// by another program's time slice. So each sixteenth call that relies on a wake-up reads the
/// clock, and wakes another sleeper if the wake-up takes too long. This bounds the delay in calls,
/// not in time. At most fifteen calls later than kLate after the wake-up began rely on a sleeper
/// that is not up. Without a sixteenth call, their work waits for that sleeper or for an awake
/// thread. If there is much work, a woken thread wakes two (notify_some()), so the number of those
/// that are up doubles in the time that one takes.
///
/// Invariant: a notifier that relies on another's wake-up has published its work before its fence.
/// The sleeper that gets up ends that state before its own fence and looks after it, so it sees the
/// work. If no thread was asleep, the other notifier starts again. The actual number of wake-ups in
/// progress, late ones among them, does not matter for that.
///
/// Thread safety: all methods from any thread.
class EventCount {
  public:
    struct Ticket {
        std::uint32_t epoch;
        bool is_first; ///< the looker that passed the heavy fence for all
    };

    /// Waiter, step 1: announces the sleep. The caller looks for what notify_all() announces after
    /// this and before wait().
    Ticket prepare_to_wait() {
        sleepers_.fetch_add(kWaiter, std::memory_order_relaxed);
        atomic_fence(std::memory_order_seq_cst);
        return ticket(false);
    }
    /// Looker, step 1: announces the sleep. The caller looks for all work after this and before
    /// wait(). `may_get_work`: whether notify_one() may be called. If it is false, a thread that
    /// calls notify_one() later has synchronised with the call of `may_get_work`.
    template <class MayGetWork> Ticket prepare_to_look(MayGetWork may_get_work) {
        const std::uint64_t before = sleepers_.fetch_add(kLooker, std::memory_order_relaxed);
        atomic_fence(std::memory_order_seq_cst);
        const bool is_first = before % kWaiter == 0;
        if (is_first && may_get_work())
            heavy_fence();
        return ticket(is_first);
    }
    /// Step 2a: the last look found something.
    void cancel_wait() { sleepers_.fetch_sub(kWaiter, std::memory_order_relaxed); }
    /// Returns whether the caller must call notify_one() if work is visible.
    bool cancel_look(Ticket ticket) {
        const std::uint64_t before = sleepers_.fetch_sub(kLooker, std::memory_order_relaxed);
        return ticket.is_first && before % kWaiter > 1;
    }
    /// Step 2b: sleeps until a notification that came after step 1.
    void wait(Ticket ticket) {
        futex_wait(epoch_, ticket.epoch);
        end(kWaiter);
    }
    /// Sleeps until a notification that came after step 1 and matches `bits`, but at most until
    /// `time`, unless that is 0 (futex_wait_until()).
    void wait_for_work(Ticket ticket, std::uint32_t bits, std::int64_t time) {
        if (time != 0)
            futex_wait_until(epoch_, ticket.epoch, time, bits);
        else
            futex_wait(epoch_, ticket.epoch, bits);
        end(kLooker);
    }

    /// Notifier: the caller must have published the work (release or stronger) before.
    LOOMP_INLINE void notify_all(std::uint32_t bits = ~0u) {
        atomic_fence(std::memory_order_seq_cst);
        notify_all_after_fence(bits);
    }
    /// Does what notify_all() does. The caller has passed a full fence since it published the work.
    LOOMP_INLINE void notify_all_after_fence(std::uint32_t bits = ~0u) {
        if (LOOMP_UNLIKELY(sleepers_.load(std::memory_order_relaxed) > 0))
            notify_all_slow(bits);
    }
    /// Notifies of work that any single looker can do, and sees.
    LOOMP_INLINE void notify_one() { notify_some(1); }
    /// Notifies up to `count` lookers at a time, because there may be work for all of them.
    LOOMP_INLINE void notify_some(int count) {
        light_fence();
        if (LOOMP_UNLIKELY(sleepers_.load(std::memory_order_relaxed) > 0))
            notify_some_slow(count);
    }
    int sleepers() const {
        const std::uint64_t word = sleepers_.load(std::memory_order_relaxed);
        return static_cast<int>(word % kWaiter + word / kWaiter);
    }

  private:
    static constexpr std::uint64_t kLooker = 1;
    static constexpr std::uint64_t kWaiter = std::uint64_t{1} << 32;
    static constexpr std::uint32_t kCallsPerLook =
        16; ///< every sixteenth call reads the clock, which costs more than a call
    /// Nanoseconds. A sleeper with a processor of its own is up much sooner.
    static constexpr std::int64_t kLate = 200'000;
    Ticket ticket(bool is_first) const {
        // acquire: a notification counted in the ticket has its work visible to the next look.
        return {epoch_.load(std::memory_order_acquire), is_first};
    }
    void end(std::uint64_t kind) {
        sleepers_.fetch_sub(kind, std::memory_order_relaxed);
        relying_.store(0, std::memory_order_relaxed);
        atomic_fence(std::memory_order_seq_cst);
    }
    LOOMP_NOINLINE void notify_all_slow(std::uint32_t bits);
    LOOMP_NOINLINE void notify_some_slow(int count);
    bool may_wake();

    alignas(kFalseSharing) Atomic<std::uint32_t> epoch_{0};
    Atomic<std::uint64_t> sleepers_{0}; ///< lookers, and waiters in units of kWaiter
    /// How many calls of notify_one() share the wake-up in progress: the call that wakes a sleeper
    /// and the calls that rely on it. 0: no wake-up is in progress.
    Atomic<std::uint32_t> relying_{0};
    Atomic<std::int64_t> woken_at_{0}; ///< nanoseconds; when that wake-up began
};

} // namespace loomp::core
