// Asymmetric store-load fences: the frequent side pays a compiler barrier, the rare side a system
// call (membarrier(2), which interrupts every running thread of the process). Both sides are full
// fences under ThreadSanitizer, or if the kernel has no membarrier.
//
// Guarantee: if thread A runs {store X; light_fence; load Y} and thread B runs {store Y;
// heavy_fence; load X}, at least one of them reads the other's store.
//
// The kernel may refuse membarrier later (a seccomp filter, no memory). Light fences are then full,
// and heavy ones pause until every thread knows that. If an A has not seen the change yet, its
// store becomes visible long before the pause ends. Store buffers drain in less than a microsecond.
// A thread that loses its processor meanwhile passes a full fence.
#pragma once

#include "platform/atomic.h"

#include "platform/common.h"

namespace loomp::core {

/// True if the light side needs a real fence. It never returns to false once other threads exist.
LOOMP_HIDDEN extern Atomic<bool> light_fence_is_full;

/// Registers the process for membarrier. Called once, while loomp has a single thread.
void initialize_fences();

LOOMP_INLINE void light_fence() {
    // relaxed: the guarantee above tolerates a late view.
    if (LOOMP_UNLIKELY(light_fence_is_full.load(std::memory_order_relaxed)))
        atomic_fence(std::memory_order_seq_cst);
    else
        std::atomic_signal_fence(std::memory_order_seq_cst);
}

void heavy_fence();

} // namespace loomp::core
