// Asymmetric store-load fences: the frequent side pays a compiler barrier, the rare side a system
// call (membarrier(2), which interrupts every running thread of the process). Where the kernel has
// no membarrier, or under ThreadSanitizer, both sides are full fences.
//
// Guarantee: if thread A runs {store X; light_fence; load Y} and thread B runs {store Y;
// heavy_fence; load X}, at least one of them reads the other's store.
#pragma once

#include <atomic>

#include "core/common.h"

namespace loomp::core {

/// True when the light side needs a real fence. Written once, before any worker exists.
LOOMP_HIDDEN extern bool light_fence_is_full;

/// Registers the process for membarrier; called once while the process is still single-threaded
/// for loomp.
void initialize_fences();

LOOMP_INLINE void light_fence() {
    if (LOOMP_UNLIKELY(light_fence_is_full))
        std::atomic_thread_fence(std::memory_order_seq_cst);
    else
        std::atomic_signal_fence(std::memory_order_seq_cst);
}

void heavy_fence();

} // namespace loomp::core
