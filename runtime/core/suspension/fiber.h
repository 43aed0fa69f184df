// Leaves a stack unchanged and returns to it: the machine part of suspension. Switches use
// Boost.Context's fcontext and inform sanitizers. The floating-point modes stay with the stack; a
// new stack starts with those of the thread that enters it.
//
// The code may be on another thread after a switch (LOOMP_MAY_SWITCH in platform/common.h), and
// compilers do not know that. So functions that switch are not inlined.
#pragma once

#include <cstddef>

#include "runtime/core/suspension/stack.h"
#include "runtime/core/worker/thread_state.h"

namespace loomp::core {

/// The point at which a suspended stack continues. It lives on that stack.
struct Context {
    void *sp = nullptr;         ///< fcontext_t
    FloatingPointModes modes;   ///< if fcontext does not save them
    void *tsan_fiber = nullptr; ///< ThreadSanitizer's fiber of the stack
    const void *asan_bottom = nullptr;
    std::size_t asan_size = 0;
    void *asan_fake_stack = nullptr;
};

/// Leaves the current stack, saving it in `from`, and enters `entry(argument)` on the fresh `to`.
/// Returns after a switch back to `from`.
LOOMP_MAY_SWITCH void switch_to_new(Context &from, Stack &to, void (*entry)(void *),
                                    void *argument);

/// Leaves the current stack, saving it in `from`, and continues `to`.
LOOMP_MAY_SWITCH void switch_to(Context &from, Context &to);

/// Leaves the current stack for ever.
LOOMP_ABANDONS_STACK void leave_to(Context &to);
LOOMP_ABANDONS_STACK void leave_to_new(Stack &to, void (*entry)(void *));

/// Returns whether code may run on another stack without informing a sanitizer: there is none.
bool stacks_are_unwatched();

/// Prepares the calling thread's native stack; each thread calls it once.
void *current_tsan_fiber();

} // namespace loomp::core
