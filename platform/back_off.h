// BackOff: when a waiting thread yields its processor, and when it sleeps instead.
//
// A yield (sched_yield) helps if the awaited thread lost its processor to this thread. If another
// program computes there, each yield costs a whole time slice, or several. A sleeping thread
// continues as soon as it is woken. So after an expensive yield a thread sleeps without yielding
// for a time in proportion to that yield. A polling thread does so, too, when it finds that it lost
// its processor. Polls are often system calls, which offer the processor to that program.
//
// Owner: the worker; no other thread reads it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/clock.h"
#include "platform/common.h"
#include "platform/threads.h"

namespace loomp::core {

/// A waiting thread looks for work this many times before its first yield, if it seems to have its
/// processor for itself.
inline constexpr unsigned kPausesBeforeYield = 2000;

/// A look for work of a thread that waits and the pause after it, roughly; the clock is not read
/// while it spins.
inline constexpr std::uint64_t kNanosecondsPerLook = 20;

class BackOff {
  public:
    /// Returns how often the wait that begins looks for work, at most `limit`, which the settings
    /// allow. `no_room`: more of our threads are active than there are processors. `polls`: the
    /// wait polls, which takes longer than a look.
    unsigned looks(unsigned limit, bool no_room, bool polls) {
        if (LOOMP_LIKELY(impatient_until_ == 0))
            return limit;
        if (nanoseconds() >= impatient_until_) {
            impatient_until_ = 0;
            return limit;
        }
        return std::min(limit, no_room ? 0 : polls ? kLooksOfPolls : kPausesBeforeYield);
    }

    /// Called after a short action that took `taken` nanoseconds. Returns true if another program
    /// had the processor meanwhile; then this wait and the next ones should sleep.
    bool lost_processor(std::int64_t taken) {
        if (LOOMP_LIKELY(taken < kLongNanoseconds))
            return false;
        impatient_until_ = nanoseconds() + kImpatience * std::min(taken, kLongestNanoseconds);
        return true;
    }

    /// Returns whether waits that begin now should sleep.
    bool impatient() const {
        return LOOMP_UNLIKELY(impatient_until_ != 0) && nanoseconds() < impatient_until_;
    }

    /// Returns how many looks for work a wait makes before its first yield.
    unsigned pauses_before_yield() const {
        return shares_processor_ ? kPausesOnSharedProcessor : kPausesBeforeYield;
    }

    /// Yields the processor. Returns false if that took so long that the wait should sleep.
    LOOMP_COLD bool yield() {
        const std::int64_t before = nanoseconds();
        offer_processor();
        const std::int64_t taken = nanoseconds() - before;
        shares_processor_ = false;
        if (lost_processor(taken))
            return false;
        // Another thread ran and waits, too: perhaps the one that this wait is for.
        shares_processor_ = taken > kNobodyRanNanoseconds;
        return true;
    }

  private:
    /// Longer than other waiting threads take to yield the processor back.
    static constexpr std::int64_t kLongNanoseconds = 500'000;
    /// The process may have been stopped meanwhile, for any time.
    static constexpr std::int64_t kLongestNanoseconds = 100'000'000;
    /// A yield is shorter if no other thread waits for the processor.
    static constexpr std::int64_t kNobodyRanNanoseconds = 1000;
    static constexpr unsigned kPausesOnSharedProcessor = 32;
    static constexpr unsigned kLooksOfPolls = 64;
    /// Yields that are expensive take at most one part in so many of the time.
    static constexpr std::int64_t kImpatience = 64;

    bool shares_processor_ = false; ///< another thread ran for a short time during the last yield
    std::int64_t impatient_until_ = 0; ///< nanoseconds of the clock; 0: it is patient
};

} // namespace loomp::core
