// Atomic variables by loomp's own names. The runtime and the MPI layer use no others, so a build
// that simulates the machine can replace them. Operations and memory orders are those of
// std::atomic.
#pragma once

#include <atomic>

namespace loomp {

template <class T> using Atomic = std::atomic<T>;
template <class T> using AtomicRef = std::atomic_ref<T>;
using AtomicFlag = std::atomic_flag;

inline __attribute__((always_inline)) void atomic_fence(std::memory_order order) {
    std::atomic_thread_fence(order);
}

} // namespace loomp
