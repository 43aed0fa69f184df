// Leaving a stack as it is and coming back to it: the machine part of suspension.
// Switching uses Boost.Context's fcontext; sanitizers are told. The floating-point modes stay with
// the stack; a new one has those of the stack it is entered from.
//
// The code may be on another thread after a switch (LOOMP_MAY_SWITCH in platform/common.h), and
// compilers do not know that. So functions that switch are not inlined.
#pragma once

#include <cstddef>

#include "runtime/core/suspension/stack.h"
#include "runtime/core/worker/thread_state.h"

namespace loomp::core {

/// Where a suspended stack continues. Lives on that stack.
struct Context {
    void *sp = nullptr;         ///< fcontext_t
    FloatingPointModes modes;   ///< where fcontext does not keep them
    void *tsan_fiber = nullptr; ///< the fiber to switch ThreadSanitizer to
    const void *asan_bottom = nullptr;
    std::size_t asan_size = 0;
    void *asan_fake_stack = nullptr;
};

/// Leaves the current stack, saving it in `from`, and enters `entry(argument)` on the fresh `to`.
/// Returns when somebody switches back to `from`.
LOOMP_MAY_SWITCH void switch_to_new(Context &from, Stack &to, void (*entry)(void *),
                                    void *argument);

/// Leaves the current stack, saving it in `from`, and continues `to`.
LOOMP_MAY_SWITCH void switch_to(Context &from, Context &to);

/// Leaves the current stack for ever.
LOOMP_ABANDONS_STACK void leave_to(Context &to);
LOOMP_ABANDONS_STACK void leave_to_new(Stack &to, void (*entry)(void *));

/// Whether code may be called on another stack without a word to anybody: no sanitizer watches.
bool stacks_are_unwatched();

/// Prepares the calling thread's native stack; called once by each thread.
void *current_tsan_fiber();

} // namespace loomp::core
