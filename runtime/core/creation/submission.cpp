#include "runtime/core/creation/submission.h"

#include <algorithm>

#include "platform/diagnostics.h"
#include "runtime/core/dependences/dependence_list.h"
#include "runtime/core/dependences/dependence_set.h"
#include "runtime/core/dependences/linking.h"
#include "runtime/core/scheduling/cancellation.h"

namespace loomp::core {

namespace {

/// The use of a set in a construct; warns if the set is unfit for it or no longer valid.
class Use {
  public:
    explicit Use(const DependenceSet &set) : set_(set), word_(set.begin_use()) {}
    ~Use() {
        if (LOOMP_UNLIKELY(!DependenceSet::is_usable(word_) || !set_.end_use(word_)))
            tell();
    }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

    const Dependence *data() const { return set_.data(); }
    std::size_t size() const { return DependenceSet::is_usable(word_) ? set_.size() : 0; }

  private:
    LOOMP_COLD static void tell() {
        LOOMP_WARN_ONCE(
            "loomp_next_task_depends: the set was changed or freed before its task construct had "
            "returned; its task may start too early");
    }
    const DependenceSet &set_;
    const std::uint32_t word_;
};

/// A depend clause, then a set, as one list.
class Joined : public DependenceList {
  public:
    Joined(const Dependence *clause, std::size_t count, const Use &set) {
        size_ = count + set.size();
        reserve(size_);
        std::copy_n(set.data(), set.size(), std::copy_n(clause, count, items_));
    }
};

/// Calls `then` with all dependences of a task with kNamesSet.
template <class F>
LOOMP_MAY_SWITCH LOOMP_NOINLINE void with_set(Task &task, const Dependence *clause,
                                              std::size_t count, F then) {
    const Use set(take_named_set(task));
    const Joined all(clause, count, set);
    then(task, all.data(), all.size());
}

/// Defers a weak task in an iteration of a graph that the creator keeps.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void defer_weak(Task &task, const Dependence *dependences,
                                                std::size_t count) {
    if (count != 0 && take_in(task))
        return;
    leave_for_transparent(*task.parent);
    defer_decoded(task, dependences, count);
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

Task &create_generic(Worker &worker, std::size_t payload, TaskFlags flags, TaskCode code) {
    Task &creator = *worker.task;
    NextTaskRequest asked;
    if (LOOMP_UNLIKELY(creator.has(kHasNextRequest)))
        asked = take_next_task(worker);
    Task *task = nullptr;
    if (!creator.has(kPersistent) || ((asked.flags & kWeak) != 0 && takes_weak_in(creator)))
        task = allocate_task(*Worker::current(), creator, payload, flags);
    else if (task = next_kept(creator, payload, flags, code.code); LOOMP_UNLIKELY(task == nullptr))
        task = allocate_kept(*Worker::current(), creator, payload, flags, code);
    apply(asked, *task);
    return *task;
}

Task &create_part(Worker &worker, const Task &pattern, std::size_t payload, TaskCode code) {
    constexpr std::uint32_t its_own =
        kStarted | kKept | kHasDependences | kFusible | kPlaced | kNamesSet | kTransparent | kWeak;
    Task &task = *allocate_child(worker, *worker.task, payload, pattern.flags & ~its_own, code);
    task.invoke = pattern.invoke;
    task.priority = pattern.priority;
    return task;
}

void await_decoded(Task &task, const Dependence *dependences, std::size_t count) {
    if (LOOMP_UNLIKELY(task.has(kNamesSet)))
        return with_set(task, dependences, count, await_decoded);
    if (count == 0)
        return;
    LOOMP_TOOL(dependences, task, dependences, count);
    wait_dependences(dependences, count);
    // Without children or an event, all is done when the task returns.
    if (task.has(kTransparent) && !task.has(kRunsChildrenInline))
        enter_begun_transparent(task, dependences, count);
    else if (task.has(kDetachable))
        enter_begun(task, dependences, count);
}

void defer_decoded(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    if (LOOMP_UNLIKELY(task.has(kNamesSet))) {
        with_set(task, dependences, count, defer_decoded);
    } else if (LOOMP_UNLIKELY(task.has(kWeak)) && takes_weak_in(*task.parent)) {
        defer_weak(task, dependences, count);
    } else if (task.parent->has(kPersistent) || task.has(kKept)) {
        spawn_kept(task, dependences, count);
    } else if (count != 0 && task.has(kTransparent)) {
        spawn_transparent(task, dependences, count);
    } else if (count != 0) {
        spawn(task, dependences, count);
    } else if (is_gathered(task)) {
        spawn_fusible(worker, task);
    } else {
        spawn_placed(worker, task);
    }
}

void submit_part(Task &task, TaskSeries &series, bool copies_bytes) {
    if (runs_in_place(task))
        run_undeferred(task);
    else if (copies_bytes && LOOMP_LIKELY(is_plain(*task.parent, task)))
        spawn_series(*Worker::current(), task, series);
    else
        defer(task, NoClause());
}

void submit_batches(unsigned kind, unsigned queue, void *const *data, std::size_t count) {
    forget_next_task(*Worker::current());
    const TaskCode code{reinterpret_cast<const void *>(task_kind(kind).batch), kNoSelf};
    while (count != 0) {
        Worker &worker = *Worker::current();
        if (LOOMP_UNLIKELY(skips_creation(worker)))
            return;
        const std::size_t some = std::min<std::size_t>(count, task_kind(kind).max);
        Task &task = create(worker, sizeof(WholeBatch) + some * sizeof *data, kTied, code);
        become_batch(task, kind, data, some);
        data += some;
        count -= some;
        if (queue != 0)
            place_in_named(task, queue);
        submit(task, NoClause{});
    }
}

void submit_empty(const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_child(worker, *worker.task, 0, kRedirect | kTied, {nullptr, kNoSelf});
    task.invoke = nullptr;
    LOOMP_TOOL(task_create, task, true);
    // Linked even without any dependence, because no other code runs it.
    if (LOOMP_UNLIKELY(task.parent->has(kPersistent)))
        spawn_kept(task, dependences, count);
    else
        spawn(task, dependences, count);
}

} // namespace loomp::core
