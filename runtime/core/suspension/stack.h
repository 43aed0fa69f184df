// Stacks for code. The pool provides stacks of one size (OMP_STACKSIZE). Their memory is reserved,
// not committed, and comes from runtime/core/suspension/stack_memory.h.
//
// Each worker also gets a small stack of its own at its first suspension, for a shortage of pooled
// stacks. No task runs on it, only the loop of runtime/core/scheduling/stack_shortage.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/common.h"

namespace loomp::core {

struct WorkFirstCall;
struct Suspension;
class Worker;

/// A stack to which code can switch. Descriptors lie apart from the stacks, so that all the memory
/// of an idle stack can return to the system. Descriptors are never freed.
struct Stack {
    Stack *next;
    char *base;       ///< lowest usable address
    char *top;        ///< one past the highest one
    void *tsan_fiber; ///< ThreadSanitizer's handle, or null
    /// Set while the creator of the bottom task waits for it
    /// (runtime/core/scheduling/work_first.h).
    WorkFirstCall *work_first_call;
    /// How many tasks ran within tasks, each on its own stack, below the bottom task before it
    /// waited.
    unsigned depth;
    Worker *owner; ///< set for a worker's own stack for shortages; null: a pooled one
    bool guarded;  ///< an access below `base` faults; otherwise a canary lies there
    /// For debuggers (runtime/core/process/debugger.h): the latest suspension that left it since it
    /// came from the pool. It stays set after that suspension continues.
    const Suspension *left_by;
    Stack *made_before;
    std::size_t size() const { return static_cast<std::size_t>(top - base); }
};

/// Returns a stack from the pool, or null when no more are possible (one warning). Thread safety:
/// any thread.
Stack *acquire_stack();
/// Returns a stack to the pool. It runs no code and its frames are no longer needed. A worker's own
/// stack is released by that worker.
void release_stack(Stack *stack);
/// Returns one of the calling worker's spare stacks, or one from the pool, or null.
Stack *take_stack(Worker &worker);
/// Gives what only this worker's thread could use to others: blocks that it has freed, and its
/// spare stacks. The thread calls it before it sleeps or ends.
void give_back_spares(Worker &worker);
/// Returns the worker's own stack for shortages. Its thread calls this on another stack.
Stack &stack_for_shortage(Worker &worker);

/// Ends the process with a report if code on `stack` has written below it. Called when a task
/// leaves a stack without a guard.
void check_canary(const Stack &stack);

/// Returns whether the pool has a stack, or may have one.
bool stack_to_be_had();

/// Returns how many pooled stacks exist, in use or idle.
std::size_t stack_count();
/// Fixed by the first call.
std::size_t pooled_stack_size();
/// Sets the size of all stacks and threads that loomp makes; too late once the size is fixed. One
/// thread of the program calls it.
void choose_stack_size(std::size_t size);

} // namespace loomp::core
