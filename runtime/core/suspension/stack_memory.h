// Memory for stacks: slabs of address space that are divided into stacks.
//
// A slab is one mapping for many stacks. The kernel allows a process some 65,000 mappings. If each
// stack and each guard page were a mapping, 32,000 suspended tasks would be the maximum. There are
// three kinds of guards. The first is a marker in the page table (MADV_GUARD_INSTALL, Linux 6.13),
// which splits no mapping. The second is a protected page, while at least half of the mappings
// remain for the program. The third is a pattern at the stack's end, which is checked whenever a
// task leaves the stack.
//
// Stacks never take more than half of a limited address space (ulimit -v). They also never take
// more than three quarters of the available memory, counting the part that a suspended task usually
// touches.
#pragma once

#include <cstddef>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

struct Stack;

/// The list of all stacks ever made; each links to the previous one.
LOOMP_HIDDEN extern Atomic<Stack *> last_stack_made;

/// Returns a new stack of `size` bytes (of whole pages), or null. Then `why` names the limit and
/// how to raise it. Thread safety: one caller at a time.
Stack *make_stack(std::size_t size, const char *&why);
/// Returns a stack with its own mapping, outside all those limits, because few are made so. Returns
/// null if the system has no memory. Any thread may call it.
Stack *make_lone_stack(std::size_t size);

/// Returns the memory of idle stacks to the system, and sorts them by address; they stay usable.
/// The fewer gaps are between them, the fewer calls of the system it takes: each one interrupts all
/// processors that run the process.
void give_back_memory(Stack **stacks, std::size_t count);

/// Returns the bytes below a guarded stack that fault.
std::size_t guard_size();
/// Returns whether the pattern below a stack without a guard is unchanged.
bool canary_lives(const Stack &stack);

} // namespace loomp::core
