// Reports a stack overflow with the stack's size and the setting to raise.
#pragma once

#include <cstddef>

namespace loomp::core {

/// Installs the handler that reports stack overflows, and the alternate signal stack it needs, for
/// the calling thread. An existing handler of the program stays instead.
void watch_stack_overflow();
/// Undoes the per-thread part before the thread ends.
void unwatch_stack_overflow();

/// Reports that a stack of `size` bytes is used up. Async-signal-safe.
void report_overflow(std::size_t size);

} // namespace loomp::core
