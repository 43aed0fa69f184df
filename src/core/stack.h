// Stacks that code runs on, and switching between them. The pool hands out stacks of one size
// (OMP_STACKSIZE), each with a guard page below; memory is reserved, not committed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/common.h"

namespace loomp::core {

struct ImmediateCall;

/// A pooled stack. The descriptor lies at the stack's own top.
struct alignas(16) Stack {
    Stack *next;
    char *base; ///< lowest usable address; the guard page lies below
    std::size_t size;
    void *tsan_fiber; ///< ThreadSanitizer's handle, or null
    /// Set while the creator of the task at the bottom waits for it (core/immediate.h).
    ImmediateCall *immediate;
    char *top() { return reinterpret_cast<char *>(this); }
};

/// A stack from the pool, or null when the process may have no more mappings (one warning).
/// Thread safety: any thread.
Stack *acquire_stack();
/// Gives a stack back. Nobody runs on it and no frame on it is needed.
void release_stack(Stack *stack);
/// How many stacks exist, in use or pooled.
std::size_t stack_count();
std::size_t pooled_stack_size();

/// Installs the handler that reports stack overflows, and the alternate signal stack it needs, for
/// the calling thread. Keeps the program's own handler for anything else.
void watch_stack_overflow();
/// Undoes the per-thread part before the thread ends.
void unwatch_stack_overflow();

} // namespace loomp::core
