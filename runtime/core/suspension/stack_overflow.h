// Reports a stack overflow with the stack's size and the setting to raise.
#pragma once

#include <cstddef>

namespace loomp::core {

class Worker;

/// Gives the calling thread, whose worker is `worker`, the alternate signal stack on which an
/// overflow can be reported, if it has none. The first call installs the handler, on top of the
/// program's own: a library that starts earlier finds none of ours, and gets every signal that is
/// not an overflow.
void watch_stack_overflow(Worker &worker);
/// Takes the alternate signal stack away before the thread ends.
void unwatch_stack_overflow(Worker &worker);

/// Reports that a stack of `size` bytes is used up. Async-signal-safe.
void report_overflow(std::size_t size);

} // namespace loomp::core
