// Stacks that code runs on. The pool hands out stacks of one size (OMP_STACKSIZE); their memory is
// reserved, not committed, and comes from runtime/core/suspension/stack_memory.h.
//
// Each worker has besides, from its first suspension on, a small stack of its own for the case that
// the pool has no more: on it no task runs, only the loop of
// runtime/core/scheduling/stack_shortage.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/common.h"

namespace loomp::core {

struct WorkFirstCall;
struct Suspension;
class Worker;

/// A stack that code can be switched to. Descriptors lie apart from the stacks, so that the memory
/// of an idle one can be given back whole. They are never given back themselves.
struct Stack {
    Stack *next;
    char *base;       ///< lowest usable address
    char *top;        ///< behind the highest one
    void *tsan_fiber; ///< ThreadSanitizer's handle, or null
    /// Set while the creator of the task at the bottom waits for it
    /// (runtime/core/scheduling/work_first.h).
    WorkFirstCall *work_first_call;
    /// Creators on other stacks that the task at the bottom has had below it, before it waited.
    unsigned depth;
    Worker *owner; ///< of a worker's own stack for shortages; null: a pooled one
    bool guarded;  ///< an access below `base` faults; otherwise a canary lies there
    /// For debuggers (runtime/core/process/debugger.h): what left it last, since it came from the
    /// pool. Not taken back when that goes on.
    const Suspension *left_by;
    Stack *made_before;
    std::size_t size() const { return static_cast<std::size_t>(top - base); }
};

/// A stack from the pool, or null when there can be no more (one warning).
/// Thread safety: any thread.
Stack *acquire_stack();
/// Gives a stack back. Nobody runs on it and no frame on it is needed. A worker's own one: by that
/// worker.
void release_stack(Stack *stack);
/// The worker's own stack for shortages. By its thread, which is not on it.
Stack &stack_for_shortage(Worker &worker);

/// Ends the process with a report if what runs on `stack` has written below it. For a stack without
/// a guard, whenever its task leaves it.
void check_canary(const Stack &stack);

/// Whether the pool has a stack, or may have.
bool stack_to_be_had();

/// How many pooled stacks exist, in use or idle.
std::size_t stack_count();
std::size_t pooled_stack_size();

} // namespace loomp::core
