// Memory for stacks: slabs of address space from which stacks are cut one after the other.
//
// A slab is one mapping for many stacks: the kernel allows a process some 65,000 mappings, and a
// mapping a stack, with its guard page another, would end at 32,000 suspended tasks. Guards come in
// three kinds: a marker in the page table (MADV_GUARD_INSTALL, Linux 6.13), which splits no
// mapping; else a protected page, for as many stacks as leave the program half of its mappings;
// else a pattern at the stack's end, which is looked at whenever a task leaves the stack.
//
// Stacks never take more than half of a limited address space (ulimit -v), nor more than three
// quarters of the memory that is there, counting what a suspended task usually touches.
#pragma once

#include <cstddef>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

struct Stack;

/// All that were ever made, each with the one before.
LOOMP_HIDDEN extern Atomic<Stack *> last_stack_made;

/// A new stack of `size` bytes (of whole pages), or null; then `why` says which limit was met, and
/// what would raise it. Thread safety: one caller at a time.
Stack *make_stack(std::size_t size, const char *&why);
/// The same with a mapping of its own, outside of all those limits: few are made so. Null when the
/// system has no memory. From any thread.
Stack *make_lone_stack(std::size_t size);

/// Gives the memory of an idle stack back to the system; the stack can be used again.
void give_back_memory(const Stack &stack);

/// Bytes below a guarded stack that fault.
std::size_t guard_size();
/// Whether the pattern below a stack without a guard is as it was made.
bool canary_lives(const Stack &stack);

} // namespace loomp::core
