#include "runtime/core/scheduling/speculation.h"

#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/suspend.h"

namespace loomp::core {

Speculation::Speculation() : owner_(*Worker::current()->task), outside_(owner_.group) {}

Speculation::~Speculation() {
    owner_.group = outside_;
    if (last() != kUncut)
        end_cancellation(*owner_.team);
}

void Speculation::leave_iteration() {
    if (iterations_.empty() || left_ == begun())
        return;
    // The owner's own tasks in it are counted apart until now.
    iterations_.back()->fold();
    ++left_;
    owner_.group = outside_;
}

int Speculation::next() {
    // No task holds the mutex while it waits: a few instructions.
    const std::lock_guard<SystemMutex> guard(changing_);
    leave_iteration();
    const int number = begun();
    if (number > last_.load(std::memory_order_relaxed))
        return -1;
    auto group = std::make_unique<TaskGroup>();
    group->outer = outside_;
    group->owner = &owner_;
    group->speculation = this;
    group->iteration = number;
    owner_.group = group.get();
    iterations_.push_back(std::move(group));
    return number;
}

void Speculation::wait() {
    {
        const std::lock_guard<SystemMutex> guard(changing_);
        leave_iteration();
    }
    if (owner_.has(kPersistent))
        note_wait(owner_);
    for (const std::unique_ptr<TaskGroup> &iteration : iterations_) {
        TaskGroup &group = *iteration;
        if (group.empty_but_guard())
            continue;
        Suspension suspension;
        group.waiter = &suspension;
        suspend_awaiting(suspension, [&group] { return !group.drop_guard(); });
    }
    flush_completions(*Worker::current());
}

void Speculation::cut_after(int last) {
    const std::lock_guard<SystemMutex> guard(changing_);
    if (last >= last_.load(std::memory_order_relaxed))
        return;
    if (last_.load(std::memory_order_relaxed) == kUncut)
        begin_cancellation(*owner_.team);
    // release: a thread that sees the cut sees what led to it.
    last_.store(last, std::memory_order_release);
    for (auto i = static_cast<std::size_t>(last) + 1; i < iterations_.size(); ++i)
        iterations_[i]->cancelled.store(true, std::memory_order_relaxed);
}

bool Speculation::completed_up_to(int iteration) {
    const std::lock_guard<SystemMutex> guard(changing_);
    while (completed_ < left_ && iterations_[static_cast<std::size_t>(completed_)]->completed())
        ++completed_;
    return iteration < completed_;
}

IterationRef iteration_of(const Task &task) {
    for (const TaskGroup *group = task.group; group != nullptr; group = group->outer)
        if (group->speculation != nullptr)
            return {group->speculation, group->iteration};
    return {nullptr, -1};
}

bool is_cut_off(const Task &task) {
    for (const TaskGroup *group = task.group; group != nullptr; group = group->outer)
        if (group->speculation != nullptr && group->cancelled.load(std::memory_order_relaxed))
            return true;
    return false;
}

} // namespace loomp::core
