// The state that the C and C++ libraries and the processor keep for a thread, and a task relies on:
// it goes with the stack that the task is on. docs/tasks-and-threads.md lists all such state, also
// what stays with the thread, and why.
//
// Exceptions. Invariant: a stack that is new has none, and neither has a thread between two stacks.
// A task that suspends takes them along and leaves none behind; when it goes on, it puts them back.
// So a task that is run by a plain call on a stack of its own needs a creator without any: one that
// has some queues its tasks (runtime/core/scheduling/work_first.cpp). Tasks that run on top of a
// waiting one's frames would see that one's, which are set aside meanwhile (execute_on_top()).
// Undeferred tasks are calls.
//
// Floating-point modes: what fesetround() and the like set. Functions preserve them by the calling
// conventions, so they matter where a task waits that has changed them. A stack that is left keeps
// them (runtime/core/suspension/fiber.h); a new one gets those of the thread's implicit task
// (Member::modes).
//
// errno. Who suspends takes it along. Who waits without being suspended, for a lock or while tasks
// run on top, finds it as it was, too (KeepsError).
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

class Worker;

/// A thread's exceptions, as the C++ ABI keeps them and __cxa_get_globals() returns them.
struct Exceptions {
    void *caught = nullptr; ///< those of the handlers that the thread is in
    unsigned uncaught = 0;  ///< thrown, and not yet in a handler

    bool any() const {
        return LOOMP_UNLIKELY((reinterpret_cast<std::uintptr_t>(caught) | uncaught) != 0);
    }
};

/// Stands for a thread's as long as nobody knows where the library keeps them; never written.
LOOMP_HIDDEN extern Exceptions no_exceptions;

/// Whether there is a C++ library now. A program in C may open one at any time, with a plugin: so
/// this is repeated where a thread first waits in a region, until there is one.
LOOMP_COLD void look_for_exceptions();

/// Where a thread's are, once a look has found the library.
using FindExceptions = Exceptions *(*)();
LOOMP_HIDDEN extern Atomic<FindExceptions> exceptions_of_thread;

/// The modes, not the flags that operations raise.
struct FloatingPointModes {
#if defined(__x86_64__)
    std::uint32_t mxcsr;
    std::uint16_t x87;
#elif defined(__aarch64__)
    std::uint64_t fpcr;
#endif

    /// Reads the thread's.
    LOOMP_INLINE void note() {
#if defined(__x86_64__)
        asm volatile("stmxcsr %0" : "=m"(mxcsr));
        asm volatile("fnstcw %0" : "=m"(x87));
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(fpcr));
#endif
    }
    /// Makes them the thread's. Writing is slow, reading is not, and mostly they are.
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

/// Before the switch, first of all.
void save_thread_state(Worker &worker, ThreadState &state);
/// After it, perhaps on another thread, last of all.
void restore_thread_state(const ThreadState &state);

/// Gives the calling thread exceptions that were taken from it or another one.
void put_back(const Exceptions &exceptions);

} // namespace loomp::core
