// How many threads are in parallel regions: with more of them than there are processors, who waits
// makes room sooner.
//
// Threads that loomp made are counted with the region that has them. A thread of the program says
// by a word of its own which regions it has begun, since regions of one thread are to cost nobody
// else anything; who wants to know looks at the words of all. A thread counts from its outermost
// region's begin to its end, except while it is alone in its regions and asleep: what waits for
// something outside OpenMP takes no processor.
//
// Exact only where nothing changes meanwhile. Thread safety: all from any thread; a RegionCount is
// changed by its thread.
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
LOOMP_HIDDEN extern Atomic<int> own_threads;     ///< of loomp's, in regions
LOOMP_HIDDEN extern Atomic<int> foreign_workers; ///< that were ever made
LOOMP_HIDDEN extern int processors;              ///< set while there is one thread
/// Where there is room, and where not. Threads that wait meanwhile may see a new one late.
LOOMP_HIDDEN extern Atomic<unsigned> spin_limits[2];
LOOMP_NOINLINE bool looks_oversubscribed(int own_threads);
} // namespace oversubscription

/// At start, when the settings are known.
void initialize_oversubscription();
/// The processors that are available are others now; no thread of loomp's is there yet.
void note_processors();
/// `change` threads of loomp's own entered regions, or left them.
LOOMP_INLINE void count_active_threads(int change) {
    oversubscription::own_threads.fetch_add(change, std::memory_order_relaxed);
}
/// Whether more threads are active than there are processors.
LOOMP_INLINE bool oversubscribed() {
    const int own = oversubscription::own_threads.load(std::memory_order_relaxed);
    const int foreign = oversubscription::foreign_workers.load(std::memory_order_relaxed);
    return LOOMP_UNLIKELY(own + foreign > oversubscription::processors) &&
           oversubscription::looks_oversubscribed(own);
}
/// How long idle threads spin before they sleep.
LOOMP_INLINE unsigned spin_limit(bool no_room) {
    return oversubscription::spin_limits[no_room ? 1 : 0].load(std::memory_order_relaxed);
}
/// From now on waits that begin look so often. Less than 0: as the settings say.
void choose_spin(std::int64_t looks);

} // namespace loomp::core
