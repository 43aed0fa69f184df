// Sleeping and waking: the kernel's futex, and the event count that a team's idle threads sleep on.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/fence.h"

namespace loomp::core {

/// Sleeps while *word == expected, until woken by a matching bit. May return spuriously.
void futex_wait(Atomic<std::uint32_t> &word, std::uint32_t expected, std::uint32_t bits = ~0u);

/// The same, until `time` at the latest: nanoseconds of the monotonic clock.
void futex_wait_until(Atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t time,
                      std::uint32_t bits = ~0u);

/// Wakes at most `count` sleepers whose bits intersect `bits`.
/// Returns how many it woke.
int futex_wake(Atomic<std::uint32_t> &word, int count, std::uint32_t bits = ~0u);

/// An event count. A thread about to sleep announces itself, looks once more for work, and sleeps
/// only if no notification came in between.
///
/// Invariant (no lost wake-up): a notifier first publishes work W, then reads `sleepers_`; a
/// sleeper first raises `sleepers_`, then looks for W. One of the two sees the other: the accesses
/// are separated on the sleeper's side by a heavy fence and on the notifier's by a light one
/// (platform/fence.h). If the notifier sees the sleeper, it advances `epoch_` before waking, so a
/// sleeper that took its ticket earlier does not block. Verified by tests/model/park.
///
/// notify_one() lets one wake-up be under way at a time: a creator of many small tasks pays for one
/// system call while a sleeper gets up, not for one a task. So who has slept must look for work
/// after wait(), and pass the wake-up on by another notify_one() if there is some. But a sleeper
/// that finds its processor taken gets up late, by another program's time slice. So each
/// sixteenth call that relies on a wake-up looks at the clock, and wakes another sleeper if the
/// wake-up takes too long. This bounds the delay in calls, not in time: at most fifteen calls that
/// come more than kLate after the wake-up began rely on a sleeper that is not up. Without a
/// sixteenth, their work waits for that sleeper, or for a thread that is awake.
///
/// Invariant: a notifier that relies on another's wake-up has published its work before its fence;
/// the sleeper under way ends that state before its own fence and looks after it, so it sees the
/// work. If it turns out that nobody was asleep, the other notifier starts again. How many are
/// under way in truth, late ones among them, does not matter for that.
///
/// Heavy fences interrupt every processor. Where far more threads sleep than there are processors,
/// or notifications are rare, a full fence on both sides costs less: sleepers and notifiers have
/// one from expect_many_sleepers() on. The mark in `sleepers_` tells notifiers; once a heavy fence
/// has published the work of those who did not see it, `both_full_` tells sleepers.
///
/// Thread safety: all methods from any thread.
class EventCount {
  public:
    using Ticket = std::uint32_t;

    EventCount() = default;
    /// `many_sleepers`: expects them from the start.
    explicit EventCount(bool many_sleepers)
        : sleepers_(many_sleepers ? kMany : 0), both_full_(many_sleepers) {}

    /// Sleeper, step 1: announce. Work must be looked for after this and before wait().
    Ticket prepare() {
        sleepers_.fetch_add(1, std::memory_order_relaxed);
        // acquire: what the heavy fence of expect_many_sleepers() published.
        if (both_full_.load(std::memory_order_acquire))
            atomic_fence(std::memory_order_seq_cst);
        else
            heavy_fence();
        // acquire: a notification counted in the ticket has its work visible to the next look.
        return epoch_.load(std::memory_order_acquire);
    }
    /// Sleeper, step 2a: work was found after all.
    void cancel() { sleepers_.fetch_sub(1, std::memory_order_relaxed); }
    /// Sleeper, step 2b: sleep until a notification that came after prepare() and matches `bits`.
    void wait(Ticket ticket, std::uint32_t bits) {
        futex_wait(epoch_, ticket, bits);
        end_wait();
    }
    /// The same, until `time` at the latest, unless that is 0 (futex_wait_until()).
    void wait_until(Ticket ticket, std::uint32_t bits, std::int64_t time) {
        if (time != 0)
            futex_wait_until(epoch_, ticket, time, bits);
        else
            futex_wait(epoch_, ticket, bits);
        end_wait();
    }

    /// Notifier: the work must have been published (release or stronger) before the call.
    LOOMP_INLINE void notify(int count, std::uint32_t bits = ~0u) {
        light_fence();
        if (LOOMP_UNLIKELY(sleepers_.load(std::memory_order_relaxed) > 0))
            notify_slow(count, bits);
    }
    /// The same for work that any one sleeper can do.
    LOOMP_INLINE void notify_one() {
        light_fence();
        if (LOOMP_UNLIKELY(sleepers_.load(std::memory_order_relaxed) > 0))
            notify_one_slow();
    }
    LOOMP_INLINE void notify_all() { notify(0x7fffffff); }
    int sleepers() const { return sleepers_.load(std::memory_order_relaxed) & (kMany - 1); }
    /// Announcing costs less from now on, and notifying more. While others use it, too.
    void expect_many_sleepers();

  private:
    static constexpr int kMany = 1 << 30; ///< mark in `sleepers_`
    static constexpr std::uint32_t kCallsPerLook =
        16; ///< at the clock, which costs more than a call
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
    Atomic<int> sleepers_{0}; ///< with kMany where many are expected
    Atomic<bool> both_full_{false};
    /// How many calls of notify_one() have the wake-up that is under way in common: the one that is
    /// waking a sleeper, which is not up yet, and those that rely on it. 0: none is under way.
    Atomic<std::uint32_t> relying_{0};
    Atomic<std::int64_t> woken_at_{0}; ///< nanoseconds, when it began
};

} // namespace loomp::core
