#include "core/fusion.h"

#include "core/completion.h"
#include "core/made_once.h"
#include "core/message.h"
#include "core/scheduler.h"
#include "core/taskgroup.h"
#include "loomp/loomp.h"

namespace loomp::core {

namespace {

struct TaskKind {
    const char *name;
    loomp_batch_fn batch;
    void *context;
    unsigned max;
    /// How its tasks run alone: all in one way, that of the compiler that the first one came from.
    std::atomic<InvokeFn> alone{nullptr};
};

SpinLock kinds_lock; ///< of writers
TaskKind kinds[kMaxTaskKinds];
/// Kinds made so far, and one. release: the kind is complete; acquire by who uses its number.
std::atomic<unsigned> kind_count{1};

/// What makes a task run by itself, apart from its kind.
constexpr std::uint32_t kAlone = kExclusive | kPrioritized | kDetachable | kCleanup | kKept;

bool runs_by_itself(const Task &task) {
    if ((task.flags & kAlone) != 0)
        return true;
    InvokeFn alone = nullptr;
    // relaxed: the word is all there is.
    return !kinds[task.kind].alone.compare_exchange_strong(alone, task.invoke,
                                                           std::memory_order_relaxed) &&
           alone != task.invoke;
}

/// In the place of the first task's own code: that, or the batch body for it and those ready now.
void run_batch(Task &first) {
    const TaskKind &kind = kinds[first.kind];
    first.invoke = kind.alone.load(std::memory_order_relaxed);
    // Where tasks may have to be discarded, each is looked at by itself.
    Task *others = anything_cancelled.load(std::memory_order_relaxed)
                       ? nullptr
                       : first.team->fusion.load(std::memory_order_acquire)
                             ->take_more(first.kind, kind.max - 1);
    if (others == nullptr)
        return first.invoke(first);
    void *data[kMaxBatch];
    std::size_t count = 0;
    data[count++] = first.batch_data;
    for (const Task *task = others; task != nullptr; task = task->next)
        data[count++] = task->batch_data;
    kind.batch(data, count, kind.context);
    Worker &worker = *Worker::current();
    while (others != nullptr) {
        Task &task = *others;
        others = task.next;
        LOOMP_TOOL(empty_task, task);
        // The worker looks for its next task right after the first one has completed as well.
        if (worker.completing_parent != task.parent)
            flush_completions(worker);
        completion::complete(worker, task, Completion::and_next_task);
    }
    if (worker.completing_parent != first.parent)
        flush_completions(worker);
}

} // namespace

void FusionQueues::push(Task &task, unsigned batch) {
    Queue &queue = queues_[task.kind];
    task.next = nullptr;
    waiting_.fetch_add(1, std::memory_order_relaxed);
    const SpinGuard guard(queue.lock);
    if (queue.segments.empty() || queue.segments.back().size >= batch) {
        queue.segments.push_back({&task, &task, 1});
    } else {
        Segment &segment = queue.segments.back();
        segment.last->next = &task;
        segment.last = &task;
        ++segment.size;
    }
    queue.size.store(queue.size.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

Task *FusionQueues::take_more(unsigned kind, unsigned most) {
    Queue &queue = queues_[kind];
    if (most == 0 || queue.size.load(std::memory_order_relaxed) == 0)
        return nullptr;
    Task *first = nullptr;
    std::uint32_t taken = 0;
    {
        const SpinGuard guard(queue.lock);
        if (queue.segments.empty())
            return nullptr;
        Segment &segment = queue.segments.front();
        first = segment.first;
        if (segment.size <= most) {
            taken = segment.size;
            queue.segments.pop_front();
        } else if (most == 1) {
            taken = 1;
            segment.first = first->next;
            --segment.size;
            first->next = nullptr;
        } else { // all but the first, which stays
            taken = segment.size - 1;
            Task *rest = first->next;
            first->next = nullptr;
            segment = {first, first, 1};
            first = rest;
        }
        queue.size.store(queue.size.load(std::memory_order_relaxed) - taken,
                         std::memory_order_relaxed);
    }
    waiting_.fetch_sub(taken, std::memory_order_relaxed);
    return first;
}

void FusionQueues::let_grow(unsigned kind) {
    constexpr int pauses = 16; // between looks: some tasks' creation
    const std::atomic<std::uint32_t> &size = queues_[kind].size;
    const std::uint32_t enough = kinds[kind].max / 2;
    std::uint32_t before = size.load(std::memory_order_relaxed);
    while (before != 0 && before < enough) {
        for (int i = 0; i < pauses; ++i)
            cpu_relax();
        const std::uint32_t now = size.load(std::memory_order_relaxed);
        if (now <= before)
            return;
        before = now;
    }
}

Task *FusionQueues::take() {
    if (looks_empty())
        return nullptr;
    const unsigned count = kind_count.load(std::memory_order_acquire);
    const unsigned turn = turn_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned i = 0; i < count; ++i) {
        const unsigned kind = (turn + i) % count;
        let_grow(kind);
        if (Task *task = take_more(kind, 1)) {
            task->flags &= ~std::uint32_t{kFusible};
            task->invoke = run_batch;
            return task;
        }
    }
    return nullptr;
}

bool is_task_kind(int kind) {
    return kind > 0 && static_cast<unsigned>(kind) < kind_count.load(std::memory_order_acquire);
}

void queue_fusible(Task &task) {
    Team &team = *task.team;
    if (runs_by_itself(task)) {
        task.flags &= ~std::uint32_t{kFusible};
        make_ready(task);
        return;
    }
    expect_tasks(team);
    made_once(team.fusion).push(task, kinds[task.kind].max);
    team.event.notify_one();
}

void spawn_fusible(Worker &worker, Task &task) {
    if (runs_by_itself(task)) {
        task.flags &= ~std::uint32_t{kFusible};
        spawn(worker, task);
        return;
    }
    count_task(task);
    FusionQueues &queues = made_once(task.team->fusion);
    queue_fusible(task);
    // Far ahead of those who run them: the creator's thread runs a batch.
    if (LOOMP_UNLIKELY(queues.holds_many()))
        taskyield();
}

} // namespace loomp::core

extern "C" __attribute__((visibility("default"))) int
loomp_task_kind(const char *name, loomp_batch_fn batch, void *context, unsigned max) {
    using namespace loomp::core;
    const char *shown = name != nullptr ? name : "unnamed";
    if (batch == nullptr || max < 2 || max > kMaxBatch) {
        warn("loomp_task_kind: %s: a batch body and a maximum of 2 to %u tasks are needed; its "
             "tasks run one by one",
             shown, kMaxBatch);
        return 0;
    }
    const SpinGuard guard(kinds_lock);
    const unsigned kind = kind_count.load(std::memory_order_relaxed);
    if (kind == kMaxTaskKinds) {
        warn("loomp_task_kind: %s: there are %u kinds already; its tasks run one by one", shown,
             kMaxTaskKinds - 1);
        return 0;
    }
    kinds[kind].name = shown;
    kinds[kind].batch = batch;
    kinds[kind].context = context;
    kinds[kind].max = max;
    kind_count.store(kind + 1, std::memory_order_release);
    return static_cast<int>(kind);
}
