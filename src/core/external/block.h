// A task that blocks until another thread names it. Where core/scheduling/task_signal.h is a word
// that both sides know, here they know the task only.
//
// Protocol: a record in a table says that the task is blocked, or that it was unblocked before it
// blocks. Both sides look and change under one lock; the suspension is entered when its context is
// saved (core/scheduling/suspend.h). So one unblock_task() lets one blocking go on, whichever comes
// first.
//
// Owner of a record: who made it, which is the blocked task, on its stack, or unblock_task().
// Thread safety: any thread.
#pragma once

namespace loomp::core {

struct Task;

/// Suspends the running task until it is unblocked; goes on at once if it has been.
void block_running_task();

/// False: the task has not blocked since it was last unblocked, and this call is lost.
bool unblock_task(Task &task);

/// The code of `task` has ended; the task becomes ready again when it is unblocked, or at once if
/// it has been. By the worker that ran it.
void ready_when_unblocked(Task &task);

/// The child of fork() has none of its parent's but those of the calling thread.
void forget_blocked_after_fork();

} // namespace loomp::core
