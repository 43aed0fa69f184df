// Suspending a task: its worker leaves the stack as it is, takes another, and goes on scheduling
// there (DESIGN 3).
//
// Protocol. suspend() switches away first and only then, from the new stack, runs `arm`, which
// makes the suspension known to whoever will resume it. So nobody can resume a context that is not
// saved yet. If arm() finds the awaited condition true it returns false and the task goes on at
// once. Otherwise exactly one party calls make_resumable(), once.
#pragma once

#include <atomic>

#include "core/fiber.h"
#include "core/spinlock.h"

namespace loomp::core {

struct Task;
struct Team;
struct Member;
class Worker;

/// A suspended task, and all frames below it. Lives on the suspended stack.
struct Suspension {
    Context context;
    Task *task = nullptr;  ///< on top of the frames
    Member *tie = nullptr; ///< where it must resume; null: on any member of `team`
    Team *team = nullptr;
    Stack *stack = nullptr; ///< null: a thread's own
    Worker *left_from = nullptr;
    Suspension *next = nullptr;
    /// Set instead of a switch when the task had to wait on its own stack (no stacks left).
    std::atomic<bool> resumed_in_place{false};
    bool in_place = false;
    /// A loop that looks for work, and left off for a task that could go on.
    bool looks_for_work = false;
};

/// First come, first served list of resumable suspensions. Any thread adds and takes; a lock of a
/// few instructions guards it, and nobody takes the lock to find it empty.
class ResumeList {
  public:
    void push(Suspension &suspension);
    Suspension *pop() {
        if (LOOMP_LIKELY(first_.load(std::memory_order_relaxed) == nullptr))
            return nullptr;
        return pop_slow();
    }
    bool empty() const { return first_.load(std::memory_order_relaxed) == nullptr; }
    /// Whether anything is there but loops that look for work.
    bool holds_work() { return LOOMP_UNLIKELY(!empty()) && holds_work_slow(); }

  private:
    LOOMP_NOINLINE Suspension *pop_slow();
    LOOMP_NOINLINE bool holds_work_slow();
    SpinLock lock_;
    std::atomic<Suspension *> first_{nullptr}; ///< written under lock_
    Suspension *last_ = nullptr;
};

/// The same for tasks.
class SharedTaskList {
  public:
    void push(Task &task);
    Task *pop() {
        if (LOOMP_LIKELY(first_.load(std::memory_order_relaxed) == nullptr))
            return nullptr;
        return pop_slow();
    }
    bool empty() const { return first_.load(std::memory_order_relaxed) == nullptr; }

  private:
    LOOMP_NOINLINE Task *pop_slow();
    SpinLock lock_;
    std::atomic<Task *> first_{nullptr}; ///< written under lock_
    Task *last_ = nullptr;
};

using ArmFn = bool (*)(void *argument);

/// Suspends the running task until make_resumable(suspension). `suspension` and `argument` live in
/// the caller's frame. The caller may continue on another thread: re-read Worker::current().
/// `first`: a task for the worker to run first.
void suspend(Suspension &suspension, ArmFn arm, void *argument, Task *first = nullptr);

/// Whether the running task's worker would find nothing to do if the task were suspended now, and
/// no poller anything to look for. Out of date at once. False where no task runs, and where threads
/// that have nothing to do are to sleep at once.
bool would_idle();

/// Lets a suspended task go on. Called exactly once per armed suspension, from any thread; the
/// suspension must not be touched afterwards.
void make_resumable(Suspension &suspension);

/// Leaves the running task resumable; its worker goes on with `first`, or whatever it finds.
void yield(Task *first);
/// Leaves the running task resumable and continues `other`, taken from a list; or what created the
/// running task, where that has been waiting for it. `looks_for_work`: that is all the running task
/// does.
void yield_to(Suspension &other, bool looks_for_work = false);

} // namespace loomp::core
