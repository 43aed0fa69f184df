#include "core/creation/submission.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "core/base/diagnostics.h"
#include "core/dependences/dependence_set.h"
#include "core/scheduling/cancellation.h"

namespace loomp::core {

namespace {

/// All that a task with kNamesSet depends on: its depend clause, then the set, which is taken off
/// the task. In the frame of the construct.
class WithSet {
  public:
    WithSet(Task &task, const Dependence *clause, std::size_t count)
        : set_(take_named_set(task)), word_(set_.begin_use()), first_(clause), size_(count) {
        if (!DependenceSet::is_usable(word_) || set_.size() == 0)
            return;
        first_ = set_.data();
        size_ = set_.size();
        if (count != 0)
            join(clause, count);
    }
    ~WithSet() {
        if (joined_ != inline_)
            std::free(joined_);
        if (!DependenceSet::is_usable(word_) || !set_.end_use(word_))
            tell();
    }
    WithSet(const WithSet &) = delete;
    WithSet &operator=(const WithSet &) = delete;

    const Dependence *data() const { return first_; }
    std::size_t size() const { return size_; }

  private:
    void join(const Dependence *clause, std::size_t count) {
        size_ += count;
        if (size_ > std::size(inline_)) {
            joined_ = static_cast<Dependence *>(std::malloc(size_ * sizeof(Dependence)));
            if (joined_ == nullptr)
                fatal("out of memory: a task with %zu dependences", size_);
        }
        std::copy_n(first_, set_.size(), std::copy_n(clause, count, joined_));
        first_ = joined_;
    }
    static void tell() {
        static std::atomic<bool> told{false};
        if (!told.exchange(true, std::memory_order_relaxed))
            warn("loomp_next_task_depends: the set was changed or freed before its task construct "
                 "had returned; its task may start too early");
    }

    const DependenceSet &set_;
    const std::uint32_t word_; ///< of the set, when it was first looked at
    const Dependence *first_;
    std::size_t size_;
    Dependence inline_[16];
    Dependence *joined_ = inline_;
};

void submit_with_set(Task &task, const Dependence *clause, std::size_t count) {
    const WithSet all(task, clause, count);
    submit_decoded(task, all.data(), all.size());
}

} // namespace

bool skips_creation(Worker &worker) {
    const Task &creator = *worker.task;
    if (LOOMP_LIKELY(!anything_cancelled(*creator.team)) || creator.has(kPersistent) ||
        !discards_slow(creator))
        return false;
    take_next_task(worker);
    return true;
}

Task &new_unusual_task(Worker &worker, std::size_t payload, std::uint32_t flags, TaskCode code) {
    const AskedOfNext asked = take_next_task(worker);
    Task &creator = *worker.task;
    Task *task = nullptr;
    if (!creator.has(kPersistent)) {
        task = allocate_task(worker, creator, payload, flags);
    } else {
        task = next_kept(creator, payload, flags, code.code);
        if (LOOMP_UNLIKELY(task == nullptr))
            task = allocate_kept(worker, creator, payload, flags, code);
    }
    apply(asked, *task);
    return *task;
}

Task &new_part(Worker &worker, const Task &pattern, std::size_t payload, TaskCode code) {
    constexpr std::uint32_t its_own =
        kStarted | kKept | kHasDependences | kFusible | kPlaced | kNamesSet;
    Task &task = *allocate_child(worker, *worker.task, payload,
                                 (pattern.flags & ~its_own) | kTaskloopChild, code);
    task.invoke = pattern.invoke;
    task.priority = pattern.priority;
    return task;
}

bool runs_in_place(Task &task) {
    const Task &creator = *task.parent;
    if (LOOMP_LIKELY(!creator.has(kIncludes) && !task.has(kUndeferred)))
        return false;
    if (creator.has(kPersistent))
        meet_undeferred(task);
    task.flags = (task.flags & ~std::uint32_t{kFusible | kPlaced}) | kUndeferred;
    return true;
}

void await_decoded(Task &task, const Dependence *dependences, std::size_t count) {
    if (LOOMP_UNLIKELY(task.has(kNamesSet))) {
        const WithSet all(task, dependences, count);
        return await_decoded(task, all.data(), all.size());
    }
    LOOMP_TOOL(dependences, task, dependences, count);
    wait_dependences(dependences, count);
    if (task.has(kTransparent))
        enter_begun_transparent(task, dependences, count);
}

void submit_decoded(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    if (task.parent->has(kPersistent) || (task.flags & (kKept | kNamesSet)) != 0) {
        if (LOOMP_UNLIKELY(task.has(kNamesSet)))
            submit_with_set(task, dependences, count);
        else
            spawn_kept(task, dependences, count);
    } else if (count != 0 && task.has(kTransparent)) {
        spawn_transparent(task, dependences, count);
    } else if (count != 0) {
        spawn(task, dependences, count);
    } else if (task.has(kFusible)) {
        spawn_fusible(worker, task);
    } else {
        spawn_placed(worker, task);
    }
}

void submit_empty(const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_child(worker, *worker.task, 0, kRedirect | kTied, {nullptr, kNoSelf});
    task.invoke = nullptr;
    LOOMP_TOOL(task_create, task, true);
    // Linked also without any dependence: nothing runs it.
    if (LOOMP_UNLIKELY(task.parent->has(kPersistent)))
        spawn_kept(task, dependences, count);
    else
        spawn(task, dependences, count);
}

} // namespace loomp::core
