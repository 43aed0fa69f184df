// Small vocabulary of every file of the core: hints, alignment, assertions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "platform/atomic.h"
#include "platform/pause.h"

#define LOOMP_LIKELY(x) __builtin_expect(!!(x), 1)
#define LOOMP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LOOMP_NOINLINE __attribute__((noinline))
#define LOOMP_COLD __attribute__((noinline, cold))
/// For variables that hot paths read: the code reaches them without the global offset table.
#define LOOMP_HIDDEN __attribute__((visibility("hidden")))
/// Marks a function whose frame never returns: the task abandons it together with its stack.
/// ThreadSanitizer must not record the call. Its list of calls grows each time such a stack is used
/// again; after 16,384 times it is full and overwrites the sanitizer's own memory. clang records
/// the call even under no_sanitize("thread").
#if defined(__clang__) && defined(__SANITIZE_THREAD__)
#define LOOMP_ABANDONS_STACK __attribute__((noinline, noreturn, disable_sanitizer_instrumentation))
#else
#define LOOMP_ABANDONS_STACK __attribute__((noinline, noreturn, no_sanitize("thread")))
#endif
#define LOOMP_INLINE inline __attribute__((always_inline))
/// Each thread has one of its own, which no code has to make.
#define LOOMP_THREAD_LOCAL constinit thread_local

/// A function that may return on another thread, or an alias of pointers to such functions. Callers
/// must look up data of the thread again afterwards: the worker, thread_local variables, errno.
/// Functions that call it are marked, too; tests/codegen/check follows the marks.
#if defined(__clang__)
#define LOOMP_MAY_SWITCH __attribute__((annotate("loomp_may_switch")))
/// The function switches threads only if it returned true.
#define LOOMP_MAY_SWITCH_IF_TRUE __attribute__((annotate("loomp_may_switch_if_true")))
/// A function that returns on its own thread, though it calls marked ones, because its frames are
/// tied.
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

/// The size of a cache line on most machines; descriptors and table entries are laid out for it.
inline constexpr std::size_t kCacheLine = 64;
/// The distance between data that different threads write often. (A64FX has lines of 256 bytes.)
#if defined(__aarch64__)
inline constexpr std::size_t kFalseSharing = 256;
#else
inline constexpr std::size_t kFalseSharing = 64;
#endif

/// Prefetches the line for a write: a line in another core's cache comes as an exclusive copy.
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
    /// Only the writing thread calls this, so it needs no read-modify-write operation.
    LOOMP_INLINE T operator+=(T amount) { return *this = static_cast<T>(*this) + amount; }
    LOOMP_INLINE T operator|=(T bits) { return *this = static_cast<T>(*this) | bits; }
    LOOMP_INLINE T operator++() { return *this += 1; }
    LOOMP_INLINE T operator--() { return *this = static_cast<T>(*this) - 1; }

  private:
    Atomic<T> value_;
};

/// Without order: readers tolerate an old value, or something else orders them.
template <class T>
using Relaxed = SingleWriter<T, std::memory_order_relaxed, std::memory_order_relaxed>;
/// A thread that reads a value sees everything its writer wrote before.
template <class T>
using Published = SingleWriter<T, std::memory_order_acquire, std::memory_order_release>;

/// `to` is a power of two.
constexpr std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) & ~(to - 1); }

} // namespace loomp::core
