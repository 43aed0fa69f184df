// Asymmetric store-load fences: the frequent side pays a compiler barrier, the rare side a system
// call (membarrier(2), which interrupts every running thread of the process). Where the kernel has
// no membarrier, or under ThreadSanitizer, both sides are full fences.
//
// Guarantee: if thread A runs {store X; light_fence; load Y} and thread B runs {store Y;
// heavy_fence; load X}, at least one of them reads the other's store.
//
// Where the kernel refuses membarrier later (a seccomp filter, no memory), light fences are full
// from then on, and heavy ones pause until every thread knows that: an A that has not seen it yet
// has made its store known long before the pause ends, since buffers of stores drain in less than a
// microsecond, and a thread that loses its processor in between passes a full fence.
#pragma once

#include "platform/atomic.h"

#include "platform/common.h"

namespace loomp::core {

/// Whether the light side needs a real fence. Never back to false once there are other threads.
LOOMP_HIDDEN extern Atomic<bool> light_fence_is_full;

/// Registers the process for membarrier; called once while the process is still single-threaded
/// for loomp.
void initialize_fences();

LOOMP_INLINE void light_fence() {
    // relaxed: see above.
    if (LOOMP_UNLIKELY(light_fence_is_full.load(std::memory_order_relaxed)))
        atomic_fence(std::memory_order_seq_cst);
    else
        std::atomic_signal_fence(std::memory_order_seq_cst);
}

void heavy_fence();

} // namespace loomp::core
