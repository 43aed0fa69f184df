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
/// Invariant (no lost wake-up): a notifier first publishes work W, then reads `sleepers_`; a
/// sleeper first raises `sleepers_`, then looks for W. At least one of the two sees the other. A
/// heavy fence separates the sleeper's accesses, a light one the notifier's (platform/fence.h). If
/// the notifier sees the sleeper, it advances `epoch_` before the wake-up, so a sleeper with an
/// earlier ticket does not block. tests/model/park verifies this.
///
/// notify_one() allows one wake-up at a time. A creator of many small tasks pays one system call
/// while a sleeper gets up, not one per task. A woken thread must look for work after wait(), and
/// call notify_one() again if it finds some. If the sleeper's processor is taken, it gets up late,
/// by another program's time slice. So each sixteenth call that relies on a wake-up reads the
/// clock, and wakes another sleeper if the wake-up takes too long. This bounds the delay in calls,
/// not in time. At most fifteen calls later than kLate after the wake-up began rely on a sleeper
/// that is not up. Without a sixteenth call, their work waits for that sleeper or for an awake
/// thread.
///
/// Invariant: a notifier that relies on another's wake-up has published its work before its fence.
/// The sleeper that gets up ends that state before its own fence and looks after it, so it sees the
/// work. If no thread was asleep, the other notifier starts again. The actual number of wake-ups in
/// progress, late ones among them, does not matter for that.
///
/// Heavy fences interrupt every processor. A full fence on both sides costs less if far more
/// threads sleep than there are processors, or if notifications are rare. Sleepers and notifiers
/// use full fences after expect_many_sleepers(). The mark in `sleepers_` informs notifiers. A heavy
/// fence then publishes the work of those that did not see the mark, and `both_full_` informs
/// sleepers.
///
/// Thread safety: all methods from any thread.
class EventCount {
  public:
    using Ticket = std::uint32_t;

    EventCount() = default;
    /// `many_sleepers`: behaves as after expect_many_sleepers() from the start.
    explicit EventCount(bool many_sleepers)
        : sleepers_(many_sleepers ? kMany : 0), both_full_(many_sleepers) {}

    /// Sleeper, step 1: announces the sleep. The caller looks for work after this and before
    /// wait().
    Ticket prepare() {
        sleepers_.fetch_add(1, std::memory_order_relaxed);
        // acquire: the heavy fence of expect_many_sleepers() published earlier work.
        if (both_full_.load(std::memory_order_acquire))
            atomic_fence(std::memory_order_seq_cst);
        else
            heavy_fence();
        // acquire: a notification counted in the ticket has its work visible to the next look.
        return epoch_.load(std::memory_order_acquire);
    }
    /// Sleeper, step 2a: the last look found work.
    void cancel() { sleepers_.fetch_sub(1, std::memory_order_relaxed); }
    /// Sleeper, step 2b: sleeps until a notification that came after prepare() and matches `bits`.
    void wait(Ticket ticket, std::uint32_t bits) {
        futex_wait(epoch_, ticket, bits);
        end_wait();
    }
    /// Sleeps like wait(), but at most until `time`, unless that is 0 (futex_wait_until()).
    void wait_until(Ticket ticket, std::uint32_t bits, std::int64_t time) {
        if (time != 0)
            futex_wait_until(epoch_, ticket, time, bits);
        else
            futex_wait(epoch_, ticket, bits);
        end_wait();
    }

    /// Notifier: the caller must have published the work (release or stronger) before.
    LOOMP_INLINE void notify(int count, std::uint32_t bits = ~0u) {
        light_fence();
        if (LOOMP_UNLIKELY(sleepers_.load(std::memory_order_relaxed) > 0))
            notify_slow(count, bits);
    }
    /// Notifies of work that any single sleeper can do.
    LOOMP_INLINE void notify_one() {
        light_fence();
        if (LOOMP_UNLIKELY(sleepers_.load(std::memory_order_relaxed) > 0))
            notify_one_slow();
    }
    LOOMP_INLINE void notify_all() { notify(0x7fffffff); }
    int sleepers() const { return sleepers_.load(std::memory_order_relaxed) & (kMany - 1); }
    /// Makes announcing cheaper and notifying dearer. Other threads may use the event count
    /// meanwhile.
    void expect_many_sleepers();

  private:
    static constexpr int kMany = 1 << 30; ///< the mark in `sleepers_`
    static constexpr std::uint32_t kCallsPerLook =
        16; ///< every sixteenth call reads the clock, which costs more than a call
    /// Nanoseconds. A sleeper with a processor of its own is up much sooner.
    static constexpr std::int64_t kLate = 200'000;
    void end_wait() {
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
        relying_.store(0, std::memory_order_relaxed);
        atomic_fence(std::memory_order_seq_cst);
    }
    LOOMP_NOINLINE void notify_slow(int count, std::uint32_t bits);
    LOOMP_NOINLINE void notify_one_slow();
    bool somebody_sleeps();
    bool may_wake();

    alignas(kFalseSharing) Atomic<std::uint32_t> epoch_{0};
    Atomic<int> sleepers_{0}; ///< includes kMany if many sleepers are expected
    Atomic<bool> both_full_{false};
    /// How many calls of notify_one() share the wake-up in progress: the call that wakes a sleeper
    /// and the calls that rely on it. 0: no wake-up is in progress.
    Atomic<std::uint32_t> relying_{0};
    Atomic<std::int64_t> woken_at_{0}; ///< nanoseconds; when that wake-up began
};

} // namespace loomp::core
