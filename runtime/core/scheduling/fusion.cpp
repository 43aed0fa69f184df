#include "runtime/core/scheduling/fusion.h"

#include <algorithm>
#include <utility>

#include "platform/common.h"
#include "platform/made_once.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/task/task_code.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// Tasks of one kind are looked for among so many.
constexpr std::uint32_t kDepth = 1024;

InvokeFn own_code(const Task &task) {
    return task_kind(task.route.kind()).alone.load(std::memory_order_relaxed);
}

/// Runs in the place of the first task's own code. The others complete when it does
/// (completion::finish()).
LOOMP_MAY_SWITCH void run_batch(Task &first) {
    // If tasks may have to be discarded, each is looked at by itself.
    if (anything_cancelled(*first.team)) {
        for (Task *others = part_from_batch(first); others != nullptr;)
            queue_ready(*std::exchange(others, others->next));
        if (!first.has(kCancelled))
            first.invoke(first);
        return;
    }
    void *data[kMaxBatch];
    std::size_t count = 0;
    for (const Task *task = first.next; task != nullptr; task = task->next)
        data[count++] = task->batch_data;
    data[count++] = first.batch_data; // the latest
    first.invoke = own_code(first);   // for threads that ask what it is
    const TaskKind &kind = task_kind(first.route.kind());
    kind.batch(data, count, kind.context);
    first.invoke = run_batch;
}

void run_whole_batch(Task &task) {
    auto &whole = *static_cast<WholeBatch *>(task.payload());
    whole.batch(whole.data, whole.count, whole.context);
}
[[maybe_unused]] const bool code_offsets_registered =
    (code_lies_at(run_whole_batch, offsetof(WholeBatch, batch)), true);

bool is_like(const Task &task, unsigned kind) {
    return task.has(kFusible) &&
           (task.route.kind() == kind || are_one_kind(task.route.kind(), kind));
}

} // namespace

Task &make_batch(Task &latest, Task *others) {
    latest.flags &= ~TaskFlags{kFusible};
    latest.next = nullptr;
    if (others == nullptr)
        return latest;
    latest.flags |= kCleanup;
    latest.invoke = run_batch;
    latest.next = others;
    LOOMP_ASSERT(is_in(latest, TaskPhase::created | TaskPhase::ready));
    for (Task *task = others; task != nullptr; task = task->next) {
        task->flags &= ~TaskFlags{kFusible};
        latest.flags |= task->flags & kTied; // its code is the batch's
    }
    return latest;
}

Task &make_batch_of(Task *tasks) {
    Task **latest = &tasks;
    while ((*latest)->next != nullptr)
        latest = &(*latest)->next;
    Task &task = *std::exchange(*latest, nullptr);
    return make_batch(task, tasks);
}

Task *take_batch(ReadyList &list) {
    Task *first = list.pop();
    if (first == nullptr)
        return nullptr;
    if (first->has(kFusible)) {
        const unsigned kind = first->route.kind();
        first->next = list.take(task_kind(kind).max - 1, kDepth,
                                [kind](const Task &task) { return is_like(task, kind); })
                          .first;
    }
    for (Task *task = first; task != nullptr; task = task->next)
        task->flags &= ~TaskFlags{kPlaced};
    return first->has(kFusible) ? &make_batch_of(first) : first;
}

Task *take_rest_of_batch(Member &member, const Task &task) {
    const unsigned kind = task.route.kind();
    return made_once(member.gathered)[slot_of_kind(kind)]
        .take(task_kind(kind).max - 1, kDepth,
              [kind](const Task &other) { return is_like(other, kind); })
        .first;
}

Task *part_from_batch(Task &task) {
    if (task.invoke != run_batch)
        return nullptr;
    task.flags &= ~TaskFlags{kCleanup};
    task.invoke = own_code(task);
    return std::exchange(task.next, nullptr);
}

namespace {

/// acquire: the object is seen made.
GatheredQueues *gathered_of(const Member &member) {
    GatheredQueues *gathered = member.gathered.load(std::memory_order_acquire);
    return gathered == nullptr || gathered->looks_empty() ? nullptr : gathered;
}

/// Leaves others their tasks while these keep coming, until half a batch is there: a thread that
/// takes each as it comes makes its creator pay for the contention, and runs no batches.
void let_grow(ReadyList &list) {
    constexpr int pauses = 16; // between looks: some tasks' creation
    std::uint32_t before = list.size();
    if (before == 0)
        return;
    const unsigned half =
        list.ask_first([](const Task &task) { return task_kind(task.route.kind()).max; }) / 2;
    while (before != 0 && before < half) {
        for (int i = 0; i < pauses; ++i)
            cpu_relax();
        const std::uint32_t now = list.size();
        if (now <= before)
            return;
        before = now;
    }
}

} // namespace

Task *GatheredTasks::take(Worker &worker, Member &member) {
    const Team &team = *member.team;
    const int size = team.size;
    // A late member may not be in the team's next region.
    int at = member.num < size ? member.num : 0;
    for (int i = 0; i < size; ++i) {
        Member &other = *team.members[at];
        if (++at == size)
            at = 0;
        GatheredQueues *gathered = gathered_of(other);
        for (unsigned slot = 0; gathered != nullptr && slot < GatheredQueues::kCount; ++slot) {
            if (&other != &member)
                let_grow((*gathered)[slot]);
            if (Task *task = take_batch((*gathered)[slot])) {
                worker.discovery.steals += &other != &member;
                return task;
            }
        }
    }
    return nullptr;
}

bool GatheredTasks::visible(const Member &member) {
    const Team &team = *member.team;
    for (int i = 0; i < team.size; ++i)
        if (gathered_of(*team.members[i]) != nullptr)
            return true;
    return false;
}

void become_batch(Task &task, unsigned kind, void *const *data, std::size_t count) {
    auto &whole = *static_cast<WholeBatch *>(task.payload());
    whole.batch = task_kind(kind).batch;
    whole.context = task_kind(kind).context;
    whole.kind = kind;
    whole.count = static_cast<std::uint32_t>(count);
    std::copy_n(data, count, whole.data);
    task.invoke = run_whole_batch;
}

bool is_of_kind(const Task &task, unsigned kind) {
    return is_like(task, kind) || (task.invoke == run_whole_batch &&
                                   reinterpret_cast<const WholeBatch *>(&task + 1)->kind == kind);
}

} // namespace loomp::core
