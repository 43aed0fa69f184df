// BackOff: when a waiting thread offers its processor, and when it sleeps instead.
//
// Offering (sched_yield) finds the thread waited for, if that one has lost its processor to this
// thread. But where another program computes, the offer costs a whole time slice, at every wait;
// a thread that sleeps is back at once when it is woken. So after an expensive offer a thread
// sleeps without one for a number of waits, more of them each time. A thread that polls, and finds
// that it lost its processor meanwhile, does the same: polls are system calls as often as not, and
// take from a program that computes what they offer it.
//
// Owner: the worker; no other thread looks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sched.h>

#include "platform/clock.h"
#include "platform/common.h"

namespace loomp::core {

/// Looks for work that a waiting thread does before it first offers its processor to others.
inline constexpr unsigned kPausesBeforeYield = 2000;

/// A look for work of a thread that waits and the pause after it, roughly; the clock is not read
/// while it spins.
inline constexpr std::uint64_t kNanosecondsPerLook = 20;

class BackOff {
  public:
    /// How many looks for work the wait that begins is worth, of the `limit` that the settings
    /// allow. `no_room`: more threads of ours are active than there are processors. `polls`: it
    /// polls meanwhile, which takes longer than a look.
    unsigned looks(unsigned limit, bool no_room, bool polls) {
        if (LOOMP_LIKELY(impatient_waits_ == 0))
            return limit;
        --impatient_waits_;
        return std::min(limit, no_room ? 0 : polls ? kLooksOfPolls : kPausesBeforeYield);
    }

    /// After what takes an instant, and took so many nanoseconds. True: the processor was another
    /// program's meanwhile, and this wait and the next ones had better sleep.
    bool lost_processor(std::int64_t taken) {
        if (LOOMP_LIKELY(taken < kLongNanoseconds))
            return false;
        impatient_waits_ = penalty_;
        penalty_ = std::min(2 * penalty_, kLastPenalty);
        return true;
    }

    /// The waits that begin now had better sleep.
    bool impatient() const { return impatient_waits_ != 0; }

    /// Offers the processor; false: it took so long that the wait had better sleep.
    LOOMP_COLD bool yield() {
        const std::int64_t before = nanoseconds();
        sched_yield();
        if (lost_processor(nanoseconds() - before))
            return false;
        penalty_ = kFirstPenalty;
        return true;
    }

  private:
    /// Longer than it takes others that wait, too, to offer the processor back.
    static constexpr std::int64_t kLongNanoseconds = 500'000;
    static constexpr unsigned kLooksOfPolls = 64;
    static constexpr std::uint32_t kFirstPenalty = 16;
    static constexpr std::uint32_t kLastPenalty = 1024;

    std::uint32_t impatient_waits_ = 0;
    std::uint32_t penalty_ = kFirstPenalty;
};

} // namespace loomp::core
