// Stack overflows are told as such: the stack's size and the setting to raise.
#pragma once

#include <cstddef>

namespace loomp::core {

/// Installs the handler that reports stack overflows, and the alternate signal stack it needs, for
/// the calling thread. Keeps the program's own handler for anything else.
void watch_stack_overflow();
/// Undoes the per-thread part before the thread ends.
void unwatch_stack_overflow();

/// Says that a stack of `size` bytes is used up. Async-signal-safe.
void report_overflow(std::size_t size);

} // namespace loomp::core
