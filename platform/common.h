// Small vocabulary shared by every file of the core: hints, alignment, assertions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "platform/atomic.h"

#define LOOMP_LIKELY(x) __builtin_expect(!!(x), 1)
#define LOOMP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LOOMP_NOINLINE __attribute__((noinline))
#define LOOMP_COLD __attribute__((noinline, cold))
/// For variables that hot paths read: reached without the global offset table.
#define LOOMP_HIDDEN __attribute__((visibility("hidden")))
/// A function whose frame is never returned from but left, with its stack. ThreadSanitizer must not
/// enter it in its list of calls, which goes on growing when the stack is used again. clang keeps
/// the entry under no_sanitize("thread"); the list of a stack that was left 16,384 times is full,
/// and what follows is written over the sanitizer's own memory.
#if defined(__clang__) && defined(__SANITIZE_THREAD__)
#define LOOMP_ABANDONS_STACK __attribute__((noinline, noreturn, disable_sanitizer_instrumentation))
#else
#define LOOMP_ABANDONS_STACK __attribute__((noinline, noreturn, no_sanitize("thread")))
#endif
#define LOOMP_INLINE inline __attribute__((always_inline))
/// Each thread has one of its own, which no code has to make.
#define LOOMP_THREAD_LOCAL constinit thread_local

/// A function that may return on another thread, or an alias of pointers to such functions.
/// Whatever is a thread's must be found again afterwards: the worker, thread_local variables,
/// errno. Functions that call it are marked, too; tests/codegen/check follows the marks.
#if defined(__clang__)
#define LOOMP_MAY_SWITCH __attribute__((annotate("loomp_may_switch")))
/// Only if it returned true.
#define LOOMP_MAY_SWITCH_IF_TRUE __attribute__((annotate("loomp_may_switch_if_true")))
/// A function that returns on its thread, though it calls marked ones: its frames are tied.
#define LOOMP_STAYS __attribute__((annotate("loomp_stays")))
#else
#define LOOMP_MAY_SWITCH
#define LOOMP_MAY_SWITCH_IF_TRUE
#define LOOMP_STAYS
#endif

namespace loomp::core {

[[noreturn]] void assertion_failed(const char *expression, const char *file, int line);

#ifndef LOOMP_ASSERTS
#define LOOMP_ASSERTS 0
#endif
#if LOOMP_ASSERTS
#define LOOMP_ASSERT(x)                                                                            \
    (LOOMP_LIKELY(x) ? (void)0 : ::loomp::core::assertion_failed(#x, __FILE__, __LINE__))
#else
#define LOOMP_ASSERT(x) ((void)sizeof(!(x)))
#endif

/// What descriptors and entries of tables are laid out for: a cache line of most machines.
inline constexpr std::size_t kCacheLine = 64;
/// How far apart things lie that different threads write often. (A64FX has lines of 256 bytes.)
#if defined(__aarch64__)
inline constexpr std::size_t kFalseSharing = 256;
#else
inline constexpr std::size_t kFalseSharing = 64;
#endif

LOOMP_INLINE void cpu_relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

/// Asks for the line to be written soon: from another core's cache it comes as ours alone.
/// (__builtin_prefetch() asks for a shared copy unless the compiler may assume newer processors.)
LOOMP_INLINE void prefetch_for_write(const void *address) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" ::"m"(*static_cast<const char *>(address)));
#else
    __builtin_prefetch(address, 1);
#endif
}

/// A value that one thread writes and others may read at any time.
template <class T, std::memory_order kLoad, std::memory_order kStore> class SingleWriter {
  public:
    constexpr SingleWriter(T value = {}) : value_(value) {}
    SingleWriter(const SingleWriter &other) : value_(static_cast<T>(other)) {}
    SingleWriter &operator=(const SingleWriter &other) {
        *this = static_cast<T>(other);
        return *this;
    }
    LOOMP_INLINE operator T() const { return value_.load(kLoad); }
    LOOMP_INLINE T operator=(T value) {
        value_.store(value, kStore);
        return value;
    }
    LOOMP_INLINE T operator->() const { return value_.load(kLoad); }
    /// By the one thread that changes it: not read-modify-write operations.
    LOOMP_INLINE T operator+=(T amount) { return *this = static_cast<T>(*this) + amount; }
    LOOMP_INLINE T operator|=(T bits) { return *this = static_cast<T>(*this) | bits; }
    LOOMP_INLINE T operator++() { return *this += 1; }
    LOOMP_INLINE T operator--() { return *this = static_cast<T>(*this) - 1; }

  private:
    Atomic<T> value_;
};

/// Without order: readers tolerate an old value, or are ordered by something else.
template <class T>
using Relaxed = SingleWriter<T, std::memory_order_relaxed, std::memory_order_relaxed>;
/// A thread that reads a value sees all that its writer had written before.
template <class T>
using Published = SingleWriter<T, std::memory_order_acquire, std::memory_order_release>;

/// `to` is a power of two.
constexpr std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) & ~(to - 1); }

} // namespace loomp::core
