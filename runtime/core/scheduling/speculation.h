// A series of iterations whose tasks are created ahead, before it is known how many there are to
// be: once it is known, those of later iterations are cut off (thesis of R. Pereira, 7.2.4).
//
// Each iteration is a taskgroup of its own, which its creator opens and leaves without waiting; so
// tasks know theirs, and nested ones, too, and a cut makes unstarted ones be discarded as any
// cancelled taskgroup's. The creator waits for all at the end.
//
// Owner: the task that constructed it and creates the iterations.
// Thread safety: iteration_of(), is_cut_off() and what is marked: any thread, while it lives; the
// rest the owner.
#pragma once

#include <climits>
#include <memory>
#include <vector>

#include "platform/atomic.h"
#include "platform/system_mutex.h"
#include "runtime/core/scheduling/taskgroup.h"

namespace loomp::core {

class Speculation {
  public:
    static constexpr int kUncut = INT_MAX;

    /// The running task's.
    Speculation();
    ~Speculation();
    Speculation(const Speculation &) = delete;
    Speculation &operator=(const Speculation &) = delete;

    /// Whether `task` is the owner.
    bool is_of(const Task &task) const { return &task == &owner_; }
    /// Begins the next iteration and returns its number, from 0; -1 if it has been cut off.
    int next();
    /// No further iteration comes; waits for the tasks of all.
    LOOMP_MAY_SWITCH void wait();
    /// How many were begun.
    int begun() const { return static_cast<int>(iterations_.size()); }

    /// [any] Iterations after `last` are cut off; the earliest cut counts.
    void cut_after(int last);
    /// [any] The last that is not cut off, or kUncut.
    int last() const { return last_.load(std::memory_order_acquire); }
    /// [any] Whether the tasks of all iterations up to `iteration` have completed and no more of
    /// them will be created.
    bool completed_up_to(int iteration);

  private:
    void leave_iteration();

    Task &owner_;
    TaskGroup *const outside_; ///< the owner's group around it
    SystemMutex changing_;     ///< guards the following two and the groups' `cancelled`
    std::vector<std::unique_ptr<TaskGroup>> iterations_;
    int left_ = 0;      ///< iterations that the owner creates no more tasks in
    int completed_ = 0; ///< those among them, from the first on, seen to be complete
    Atomic<int> last_{kUncut};
};

struct IterationRef {
    Speculation *speculation; ///< null: the task is in none
    int number;
};
/// The innermost iteration that the task belongs to.
IterationRef iteration_of(const Task &task);
/// Whether an iteration that the task belongs to has been cut off.
bool is_cut_off(const Task &task);

} // namespace loomp::core
