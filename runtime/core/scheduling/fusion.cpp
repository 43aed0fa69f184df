#include "runtime/core/scheduling/fusion.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/shared_queues.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/task/task_code.h"

namespace loomp::core {

namespace {

struct TaskKind {
    BatchFn batch;
    void *context;
    unsigned max;
    std::uint8_t itself; ///< the program's kind: another one, of its tasks in a queue
    std::uint8_t queue;  ///< the queue of those
    /// How its tasks run alone: all in one way, that of the compiler that the first one came from.
    Atomic<InvokeFn> alone{nullptr};
};

SpinLock kinds_lock; ///< writers hold it
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(kinds_lock); });
TaskKind kinds[kMaxTaskKinds];
/// Kinds made so far, and one. release: the kind is complete; a user of its number acquires.
Atomic<unsigned> kind_count{1};
/// The number that kind_in_queue() gave out for each kind and queue, or 0. Changed under the lock.
Atomic<std::uint8_t> kinds_in_queues[kMaxTaskKinds][SharedQueues::kQueues];

/// The flags of tasks that run by themselves, whatever their kind.
constexpr TaskFlags kAlone = kExclusive | kPrioritized | kDetachable | kCleanup;

} // namespace

bool runs_by_itself(const Task &task) {
    if ((task.flags & kAlone) != 0)
        return true;
    Atomic<InvokeFn> &word = kinds[task.route.kind()].alone;
    // relaxed: the word is all there is.
    InvokeFn alone = word.load(std::memory_order_relaxed);
    if (LOOMP_UNLIKELY(alone == nullptr) &&
        word.compare_exchange_strong(alone, task.invoke, std::memory_order_relaxed))
        return false;
    return alone != task.invoke;
}

namespace {

void make_each_ready(Task *tasks) {
    while (tasks != nullptr) {
        Task &task = *tasks;
        tasks = task.next;
        queue_ready(task);
    }
}

/// Runs in the place of the first task's own code.
LOOMP_MAY_SWITCH void run_batch(Task &first) {
    const TaskKind &kind = kinds[first.route.kind()];
    // If tasks may have to be discarded, each is looked at by itself.
    if (anything_cancelled(*first.team)) {
        make_each_ready(part_from_batch(first));
        if (!first.has(kCancelled))
            first.invoke(first);
        return;
    }
    // The oldest, which is the last of the chain, comes first.
    void *data[kMaxBatch];
    void **begin = data + kMaxBatch;
    *--begin = first.batch_data;
    for (const Task *task = first.next; task != nullptr; task = task->next)
        *--begin = task->batch_data;
    first.invoke = kind.alone.load(std::memory_order_relaxed); // for threads that ask what it is
    kind.batch(begin, static_cast<std::size_t>(data + kMaxBatch - begin), kind.context);
    first.invoke = run_batch;
    if (LOOMP_UNLIKELY(first.has(kDetachable)))
        return; // the others complete when it does
    // The worker looks for its next task right after the first one has completed as well.
    complete_others(first, Completion::and_next_task);
    Worker &worker = *Worker::current();
    if (worker.completing_parent != first.parent)
        flush_completions(worker);
    // A creator that continues then may look much later.
    if (must_release_creator(worker))
        offer_next_task(*worker.member);
}

void run_whole_batch(Task &task) {
    auto &whole = *static_cast<WholeBatch *>(task.payload());
    whole.batch(whole.data, whole.count, whole.context);
}
[[maybe_unused]] const bool code_offsets_registered =
    (code_lies_at(run_whole_batch, offsetof(WholeBatch, batch)), true);

/// The task that stands for a batch of itself and `others`, which are taken from a BatchQueue.
Task &make_batch(Task &first, Task *others) {
    first.flags &= ~TaskFlags{kFusible};
    first.next = nullptr;
    if (others == nullptr)
        return first;
    first.flags |= kCleanup;
    first.invoke = run_batch;
    first.next = others;
    LOOMP_ASSERT(is_in(first, TaskPhase::created | TaskPhase::ready));
    for (Task *task = others; task != nullptr; task = task->next) {
        task->flags &= ~TaskFlags{kFusible};
        first.flags |= task->flags & kTied; // its code is the batch's
    }
    return first;
}

BatchQueue &batches_of(Member &member) {
    BatchQueue *gathering = member.batches.load(std::memory_order_relaxed);
    if (LOOMP_LIKELY(gathering != nullptr))
        return *gathering;
    gathering = new BatchQueue;
    // release: others see the object made.
    member.batches.store(gathering, std::memory_order_release);
    return *gathering;
}

/// The gathering where the running worker adds `task`, whose slot has room for it. Tasks of the
/// kind that shared the slot till now go to the worker's queue.
BatchQueue &make_room_for(Member &member, const Task &task) {
    BatchQueue &gathering = batches_of(member);
    if (Task *others = gathering.take_if(task.route.kind(), kMaxBatch))
        queue_ready(make_batch(*others, others->next));
    return gathering;
}

/// Idle members look for it from now on.
void add(Member &member, BatchQueue &gathering, Task &task) {
    member.team->note(Team::kGathers);
    const bool is_first = gathering.add(task);
    if (is_first) {
        expect_tasks(*member.team);
        member.team->event.notify_one();
    }
}

/// Leaves others their tasks while these keep coming, until half a batch is there: a thread that
/// takes each as it comes makes its creator pay for the contention, and runs no batches.
void let_grow(const BatchQueue &gathering, unsigned slot) {
    constexpr int pauses = 16; // between looks: some tasks' creation
    unsigned before = gathering.size(slot);
    while (before != 0 && before < kinds[gathering.kind(slot)].max / 2) {
        for (int i = 0; i < pauses; ++i)
            cpu_relax();
        const unsigned now = gathering.size(slot);
        if (now <= before)
            return;
        before = now;
    }
}

/// acquire: pairs with batches_of().
BatchQueue *others_gathering(const Member &member) {
    return member.batches.load(std::memory_order_acquire);
}

} // namespace

namespace {

/// With the lock held. `itself`: 0, or the kind whose tasks in `queue` it stands for.
unsigned add_kind(BatchFn batch, void *context, unsigned max, unsigned itself, unsigned queue) {
    const unsigned kind = kind_count.load(std::memory_order_relaxed);
    if (kind == kMaxTaskKinds)
        return 0;
    kinds[kind].batch = batch;
    kinds[kind].context = context;
    kinds[kind].max = max;
    kinds[kind].itself = static_cast<std::uint8_t>(itself != 0 ? itself : kind);
    kinds[kind].queue = static_cast<std::uint8_t>(queue);
    kind_count.store(kind + 1, std::memory_order_release);
    return kind;
}

} // namespace

unsigned add_task_kind(BatchFn batch, void *context, unsigned max) {
    const SpinGuard guard(kinds_lock);
    return add_kind(batch, context, max, 0, 0);
}

unsigned kind_in_queue(unsigned kind, unsigned queue) {
    Atomic<std::uint8_t> &known = kinds_in_queues[kinds[kind].itself][queue];
    // acquire: the kind is complete.
    if (const unsigned made = known.load(std::memory_order_acquire); LOOMP_LIKELY(made != 0))
        return made;
    const SpinGuard guard(kinds_lock);
    if (const unsigned made = known.load(std::memory_order_relaxed))
        return made;
    const unsigned made = add_kind(kinds[kind].batch, kinds[kind].context, kinds[kind].max,
                                   kinds[kind].itself, queue);
    known.store(static_cast<std::uint8_t>(made), std::memory_order_release);
    return made;
}

unsigned queue_of_kind(unsigned kind) { return kinds[kind].queue; }

bool are_one_kind(unsigned one, unsigned other) { return kinds[one].itself == kinds[other].itself; }

unsigned most_of_kind(unsigned kind) { return kinds[kind].max; }

BatchFn body_of_kind(unsigned kind) { return kinds[kind].batch; }

bool is_of_kind(const Task &task, unsigned kind) {
    if (task.has(kFusible))
        return are_one_kind(task.route.kind(), kind);
    return task.invoke == run_whole_batch &&
           reinterpret_cast<const WholeBatch *>(&task + 1)->kind == kind;
}

void become_batch(Task &task, unsigned kind, void *const *data, std::size_t count) {
    auto &whole = *static_cast<WholeBatch *>(task.payload());
    whole.batch = kinds[kind].batch;
    whole.context = kinds[kind].context;
    whole.kind = kind;
    whole.count = static_cast<std::uint32_t>(count);
    std::copy_n(data, count, whole.data);
    task.invoke = run_whole_batch;
}

Task &make_batch_of(Task *tasks) {
    // A batch is chained from the latest to the first.
    Task *latest = nullptr;
    while (tasks != nullptr) {
        Task *task = std::exchange(tasks, tasks->next);
        task->next = latest;
        latest = task;
    }
    return make_batch(*latest, latest->next);
}

bool is_task_kind(int kind) {
    return kind > 0 && static_cast<unsigned>(kind) < kind_count.load(std::memory_order_acquire) &&
           kinds[kind].itself == kind;
}

Task *part_from_batch(Task &task) {
    if (task.invoke != run_batch)
        return nullptr;
    task.flags &= ~TaskFlags{kCleanup};
    task.invoke = kinds[task.route.kind()].alone.load(std::memory_order_relaxed);
    return std::exchange(task.next, nullptr);
}

void complete_others(Task &first, Completion how) {
    Worker &worker = *Worker::current();
    for (Task *others = part_from_batch(first); others != nullptr;) {
        Task &task = *std::exchange(others, others->next);
        LOOMP_TOOL(empty_task, task);
        transition(task, TaskPhase::ready, TaskPhase::finished);
        if (worker.completing_parent != task.parent)
            flush_completions(worker);
        completion::complete(worker, task, how);
    }
}

void queue_fusible(Task &task) {
    Member &member = *Worker::current()->member;
    // There tasks with dependences are in one queue, those without a priority, too.
    if (LOOMP_UNLIKELY(propagates_priorities) && task.has(kPrioritized))
        leave_without_priority(task);
    if (runs_by_itself(task) || member.team != task.team) {
        task.flags &= ~TaskFlags{kFusible};
        queue_ready(task);
        return;
    }
    BatchQueue &gathering = make_room_for(member, task);
    if (Task *others = gathering.take_if(task.route.kind(), kinds[task.route.kind()].max - 1))
        queue_ready(make_batch(task, others));
    else
        add(member, gathering, task);
}

void spawn_fusible(Worker &worker, Task &task) {
    if (runs_by_itself(task)) {
        task.flags &= ~TaskFlags{kFusible};
        spawn(worker, task);
        return;
    }
    Member &member = *worker.member;
    BatchQueue &gathering = make_room_for(member, task);
    if (Task *others = gathering.take_if(task.route.kind(), kinds[task.route.kind()].max - 1)) {
        spawn_batch(worker, make_batch(task, others));
    } else {
        count_task(task);
        enter_ready(task);
        add(member, gathering, task);
    }
}

Task *GatheredTasks::take(Worker &worker, Member &member) {
    const Team &team = *member.team;
    const int size = team.size;
    // A late member may not be in the team's next region.
    int at = member.num < size ? member.num : 0;
    for (int i = 0; i < size; ++i) {
        Member &other = *team.members[at];
        if (++at == size)
            at = 0;
        BatchQueue *gathering = others_gathering(other);
        if (gathering == nullptr)
            continue;
        for (unsigned slot = 0; slot < BatchQueue::kSlots; ++slot) {
            if (&other != &member)
                let_grow(*gathering, slot);
            if (Task *tasks = gathering->take(slot)) {
                worker.discovery.steals += &other != &member;
                return &make_batch(*tasks, tasks->next);
            }
        }
    }
    return nullptr;
}

bool GatheredTasks::visible(const Member &member) {
    const Team &team = *member.team;
    for (int i = 0; i < team.size; ++i) {
        const BatchQueue *gathering = others_gathering(*team.members[i]);
        if (gathering != nullptr && !gathering->looks_empty())
            return true;
    }
    return false;
}

} // namespace loomp::core
