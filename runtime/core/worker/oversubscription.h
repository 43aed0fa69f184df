// Counts the threads in parallel regions. If they outnumber the processors, waiting threads yield
// sooner.
//
// The region's count includes the threads that loomp made. A thread outside of the region that
// spins until the next one counts, too. A thread of the program counts its
// regions in its own word, so that a region of one thread costs other threads nothing. A query
// reads all these words. Such a thread counts from its outermost region's begin to its end. It does
// not count while it sleeps alone in its regions, because it takes no processor then.
//
// The result is exact only while nothing changes. Thread safety: all from any thread; only its
// thread changes a RegionCount.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

/// The regions that a thread has begun and not ended.
class RegionCount {
  public:
    LOOMP_INLINE void begin_alone() { regions_ += 1; }
    LOOMP_INLINE void end_alone() { regions_ += 0u - 1; }
    LOOMP_INLINE void begin_with_others() { regions_ += kWithOthers; }
    LOOMP_INLINE void end_with_others() { regions_ += 0u - kWithOthers; }
    bool none() const { return regions_ == 0; }
    bool only_alone() const { return regions_ < kWithOthers; }
    void reset() { regions_ = 0; }

  private:
    static constexpr std::uint32_t kWithOthers = 1u << 16;
    Relaxed<std::uint32_t> regions_ = 0;
};

namespace oversubscription {
LOOMP_HIDDEN extern Atomic<int> own_threads;     ///< loomp's threads in regions
LOOMP_HIDDEN extern Atomic<int> foreign_workers; ///< those that were ever made
LOOMP_HIDDEN extern int processors;              ///< set while there is one thread
/// The limits without and with oversubscription. Waiting threads may see a new one late.
LOOMP_HIDDEN extern Atomic<unsigned> spin_limits[2];
LOOMP_NOINLINE bool looks_oversubscribed(int own_threads);
} // namespace oversubscription

/// Called at start, when the settings are known.
void initialize_oversubscription();
/// Reads the changed number of available processors; loomp has no thread of its own yet.
void note_processors();
/// `change` threads of loomp's own entered regions, or left them.
LOOMP_INLINE void count_active_threads(int change) {
    oversubscription::own_threads.fetch_add(change, std::memory_order_relaxed);
}
/// Returns whether more threads are active than there are processors.
LOOMP_INLINE bool oversubscribed() {
    const int own = oversubscription::own_threads.load(std::memory_order_relaxed);
    const int foreign = oversubscription::foreign_workers.load(std::memory_order_relaxed);
    return LOOMP_UNLIKELY(own + foreign > oversubscription::processors) &&
           oversubscription::looks_oversubscribed(own);
}
/// Returns how often idle threads look for work before they sleep.
LOOMP_INLINE unsigned spin_limit(bool no_room) {
    return oversubscription::spin_limits[no_room ? 1 : 0].load(std::memory_order_relaxed);
}
/// Sets how often later waits look for work; a negative number restores the settings' value.
void choose_spin(std::int64_t looks);

} // namespace loomp::core
