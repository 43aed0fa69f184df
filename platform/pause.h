// The pause in a loop that waits for another thread, by loomp's own name. A build that simulates
// the machine can put its own in its place.
#pragma once

namespace loomp::core {

inline __attribute__((always_inline)) void cpu_relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

} // namespace loomp::core
