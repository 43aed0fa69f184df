// The state that the C and C++ libraries and the processor keep for a thread, and on which a task
// relies. It moves with the task's stack. docs/tasks-and-threads.md lists all such state, and the
// state that stays with the thread, with reasons.
//
// Exceptions. Invariant: a new stack has none, and neither has a thread between two stacks. A
// suspended task takes them along and leaves none behind; it restores them when it continues. So a
// task can run by a plain call on its own stack only if its creator has none. A creator with
// exceptions queues its tasks (runtime/core/scheduling/work_first.cpp). Tasks on top of a waiting
// task's frames would see that task's exceptions, which are set aside meanwhile (execute_on_top()).
// Undeferred tasks are calls.
//
// Floating-point modes: the settings of fesetround() and similar functions. Functions preserve them
// by the calling conventions, so they matter only if a task that changed them waits. A stack that
// is left keeps them (runtime/core/suspension/fiber.h); a new one gets those of the thread's
// implicit task (Member::modes).
//
// errno. A suspended task takes it along. A task that waits without suspension, for a lock or while
// tasks run on top, finds it unchanged, too (KeepsError).
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

class Worker;

/// A thread's exceptions, in the layout of the C++ ABI; __cxa_get_globals() returns them.
struct Exceptions {
    void *caught = nullptr; ///< exceptions of the handlers in which the thread is
    unsigned uncaught = 0;  ///< thrown, and not yet in a handler

    bool any() const {
        return LOOMP_UNLIKELY((reinterpret_cast<std::uintptr_t>(caught) | uncaught) != 0);
    }
};

/// Used for every thread until the library's place for them is known; never written.
LOOMP_HIDDEN extern Exceptions no_exceptions;

/// Looks for a C++ library. A program in C may load one at any time, with a plugin. So a thread's
/// first wait in a region repeats this until a library is found.
LOOMP_COLD void look_for_exceptions();

/// Finds a thread's exceptions, after a look has found the library.
using FindExceptions = Exceptions *(*)();
LOOMP_HIDDEN extern Atomic<FindExceptions> exceptions_of_thread;

/// The modes, without the flags that operations raise.
struct FloatingPointModes {
#if defined(__x86_64__)
    std::uint32_t mxcsr;
    std::uint16_t x87;
#elif defined(__aarch64__)
    std::uint64_t fpcr;
#endif

    /// Reads the thread's modes.
    LOOMP_INLINE void note() {
#if defined(__x86_64__)
        asm volatile("stmxcsr %0" : "=m"(mxcsr));
        asm volatile("fnstcw %0" : "=m"(x87));
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(fpcr));
#endif
    }
    /// Sets the thread's modes. A write is slow and a read is not, and they are mostly equal
    /// already.
    LOOMP_INLINE void adopt() const {
        FloatingPointModes now;
        now.note();
        if (LOOMP_UNLIKELY(differ(now)))
            replace(now);
    }

  private:
    bool differ(const FloatingPointModes &other) const {
#if defined(__x86_64__)
        return (((mxcsr ^ other.mxcsr) & ~kFlags) | (x87 ^ other.x87)) != 0;
#elif defined(__aarch64__)
        return fpcr != other.fpcr;
#else
        return false;
#endif
    }
    LOOMP_COLD void replace(const FloatingPointModes &now) const;
#if defined(__x86_64__)
    static constexpr std::uint32_t kFlags = 0x3f;
#endif
};

/// The state that a suspended task takes along besides its stack and the modes.
struct ThreadState {
    Exceptions exceptions;
    int error; ///< errno
};

/// The first step before the switch.
void save_thread_state(Worker &worker, ThreadState &state);
/// The last step after the switch, perhaps on another thread.
void restore_thread_state(const ThreadState &state);

/// Gives the calling thread exceptions that were taken from this or another thread.
void put_back(const Exceptions &exceptions);

} // namespace loomp::core
