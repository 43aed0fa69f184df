// A suspended task: what its worker left, and what it takes to go on
// (runtime/core/scheduling/suspend.h).
#pragma once

#include "runtime/core/suspension/fiber.h"
#include "runtime/core/worker/thread_state.h"

namespace loomp::core {

struct Task;
struct Team;
struct Member;
class Worker;

/// A suspended task, and all frames below it. Lives on the suspended stack.
struct Suspension {
    Context context;
    ThreadState thread_state;
    Task *task = nullptr;  ///< on top of the frames
    Member *tie = nullptr; ///< of the frames
    /// Where it must resume: at the tie's, or where its creator waits below it. Null: on any member
    /// of `team`.
    Member *resumes_at = nullptr;
    Team *team = nullptr;
    Stack *stack = nullptr; ///< null: a thread's own
    Worker *left_from = nullptr;
    Member *left_member = nullptr; ///< of that worker
    Suspension *next = nullptr;
    /// Set when it is resumed to run that task on top of it, before it waits again: by who resumes
    /// it (runtime/core/scheduling/stack_shortage.h).
    Task *on_top = nullptr;
    /// A loop that looks for work, and was left for a task that could go on.
    bool looks_for_work = false;
};

} // namespace loomp::core
