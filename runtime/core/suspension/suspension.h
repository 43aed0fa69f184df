// A suspended task: the state that its worker left, and the data to continue it
// (runtime/core/scheduling/suspend.h).
#pragma once

#include "runtime/core/suspension/fiber.h"
#include "runtime/core/worker/thread_state.h"

namespace loomp::core {

struct Task;
struct Team;
struct Member;
class Worker;

/// A suspended task, and all frames below it. It lives on the suspended stack.
struct Suspension {
    Context context;
    ThreadState thread_state;
    Task *task = nullptr;  ///< the task on top of the frames
    Member *tie = nullptr; ///< the member to which the frames are tied
    /// The member that must resume it: the tie's, or the one on which its creator waits below it.
    /// Null means any member of `team`.
    Member *resumes_at = nullptr;
    Team *team = nullptr;
    Stack *stack = nullptr; ///< null: the thread's own stack
    Worker *left_from = nullptr;
    Member *left_member = nullptr; ///< that worker's member
    Suspension *next = nullptr;
    /// A task to run on top of the suspended task before that waits again; set by the thread that
    /// resumes it (runtime/core/scheduling/stack_shortage.h).
    Task *on_top = nullptr;
    /// This is a loop that looks for work, left for a task that could continue.
    bool looks_for_work = false;
};

} // namespace loomp::core
