#include "core/throttle.h"

#include "core/completion.h"
#include "core/message.h"
#include "core/settings.h"
#include "core/suspend.h"
#include "core/task_budget.h"
#include "core/team.h"

namespace loomp::core {

std::atomic<int> creators_held_back{0};

namespace {

/// Takes the flag back; true for the one who has to resume the creator.
bool take_flag(Task &task) {
    // acq_rel: `waiter` was stored before the flag.
    return (task.children.fetch_and(~children::kWaitFewer, std::memory_order_acq_rel) &
            children::kWaitFewer) != 0;
}

bool few_enough(const Task &task, std::uint64_t word) {
    return static_cast<std::int32_t>(children::live(word)) <=
           task.predecessors.load(std::memory_order_relaxed);
}

/// Suspends the running task until at most `few` of its children are left.
void wait_for_fewer(Worker &worker, std::uint32_t few) {
    Task &task = *worker.task;
    Suspension suspension;
    struct Argument {
        Task &task;
        Suspension &suspension;
    } argument{task, suspension};
    // Published by the flag.
    task.predecessors.store(static_cast<std::int32_t>(few), std::memory_order_relaxed);
    creators_held_back.fetch_add(1, std::memory_order_relaxed);
    suspend(
        suspension,
        [](void *p) {
            auto &a = *static_cast<Argument *>(p);
            Task &task = a.task;
            task.waiter = &a.suspension;
            // acquire: children's effects.
            std::uint64_t word = task.children.load(std::memory_order_acquire);
            do {
                if (few_enough(task, word))
                    return false;
                // release: the waiter and the number. From then on the task may go on, be held
                // back again, and end: it is not to be looked at.
            } while (!task.children.compare_exchange_weak(word, word | children::kWaitFewer,
                                                          std::memory_order_acq_rel,
                                                          std::memory_order_acquire));
            return true;
        },
        &argument);
    creators_held_back.fetch_sub(1, std::memory_order_relaxed);
    task.predecessors.store(0, std::memory_order_relaxed);
}

std::uint32_t unfinished_children(const Task &task) {
    return task.created + children::live(task.children.load(std::memory_order_relaxed));
}

void hold_back(Worker &worker, std::uint32_t unfinished) {
    flush_completions(worker);
    fold_created(*worker.task);
    ++worker.discovery.held_back;
    wait_for_fewer(worker, unfinished / 2);
}

} // namespace

LOOMP_COLD void hold_back_for_memory(Worker &worker) {
    worker.task_blocks.clear_over_budget();
    worker.attached_blocks.clear_over_budget();
    const Task &task = *worker.task;
    const std::uint32_t unfinished = unfinished_children(task);
    // Creators with little go on, so that there is always one whose children complete; but all of
    // them together cannot take much more than the bound.
    constexpr std::size_t of_one = 256;
    const std::size_t entries = task.map != nullptr ? task.map->size() : 0;
    if (unfinished * of_one + entries * (4 * sizeof(DependenceMap::Entry)) <
        task_memory_bound() / (2 * worker_count()))
        return;
    static std::atomic<bool> told{false};
    if (settings().task_memory == 0 && !told.exchange(true, std::memory_order_relaxed))
        warn("tasks take %zu MiB, a quarter of the memory there is: creators of tasks wait until "
             "others complete (LOOMP_TASK_MEMORY sets another bound)",
             reserved_for_tasks() >> 20);
    hold_back(worker, unfinished);
}

LOOMP_COLD void hold_back_for_number(Worker &worker) {
    const std::uint32_t unfinished = unfinished_children(*worker.task);
    if (unfinished >= static_cast<std::uint32_t>(settings().max_tasks))
        hold_back(worker, unfinished);
}

void let_creator_go_on(Task &creator) {
    if ((creator.children.load(std::memory_order_relaxed) & children::kWaitFewer) != 0 &&
        take_flag(creator))
        make_resumable(*creator.waiter);
}

LOOMP_COLD void fewer_children(Task &parent, std::uint64_t word) {
    if (few_enough(parent, word) && take_flag(parent))
        make_resumable(*parent.waiter);
}

} // namespace loomp::core
