#include "runtime/core/scheduling/priority.h"

#include <algorithm>
#include <limits>

#include "runtime/core/environment/task_settings.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/sending_kinds.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

PriorityRange priority_range;
bool discovery_watched = false;

void apply_priority_settings() {
    const TaskSettings &s = task_settings();
    constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
    switch (s.priority_value) {
    case PriorityValue::hint:
        priority_range = {0, s.max_task_priority};
        break;
    case PriorityValue::max:
        priority_range = {highest, highest};
        break;
    case PriorityValue::off:
        priority_range = {0, 0};
        break;
    }
    propagates_priorities = s.priority_propagation != PriorityPropagation::none;
    learns_senders = s.priority_preset == PriorityPreset::fa && propagates_priorities;
    note_priority_change();
    discovery_watched = propagates_priorities || s.stats || s.max_tasks != 0;
}

// --- The heap ----------------------------------------------------------------------------------

namespace {
constexpr std::size_t kArity = 4;
constexpr int kLooks = 16; ///< others' queues compared with one's own before it is taken from
} // namespace

void PriorityHeap::push(std::int32_t priority, Task &task) {
    if (items_.empty())
        next_order_ = 0xffffffff;
    else if (LOOMP_UNLIKELY(next_order_ == 0))
        renumber();
    const Item item = {static_cast<std::uint64_t>(static_cast<std::uint32_t>(priority)) << 32 |
                           next_order_--,
                       &task};
    items_.push_back(item);
    std::size_t at = items_.size() - 1;
    while (at != 0) {
        const std::size_t parent = (at - 1) / kArity;
        if (items_[parent].key > item.key)
            break;
        items_[at] = items_[parent];
        at = parent;
    }
    items_[at] = item;
}

Task *PriorityHeap::pop() {
    if (items_.empty())
        return nullptr;
    Task *task = items_[0].task;
    const Item last = items_.back();
    items_.pop_back();
    const std::size_t size = items_.size();
    if (size == 0)
        return task;
    std::size_t at = 0;
    for (;;) {
        const std::size_t first = at * kArity + 1;
        if (first >= size)
            break;
        std::size_t best = first;
        for (std::size_t i = first + 1; i < std::min(first + kArity, size); ++i)
            if (items_[i].key > items_[best].key)
                best = i;
        if (items_[best].key < last.key)
            break;
        items_[at] = items_[best];
        at = best;
    }
    items_[at] = last;
    return task;
}

/// Four thousand million tasks came without the heap ever being empty: those in it are numbered
/// afresh. Sorted they are a heap, too.
void PriorityHeap::renumber() {
    std::sort(items_.begin(), items_.end(),
              [](const Item &a, const Item &b) { return a.key > b.key; });
    next_order_ = 0xffffffff;
    for (Item &item : items_)
        item.key = (item.key & ~std::uint64_t{0xffffffff}) | next_order_--;
}

// --- A member's queue --------------------------------------------------------------------------

void PriorityQueue::push(Task &task) {
    const SpinGuard guard(lock_);
    heap_.push(task.priority, task);
    show();
}

Task *PriorityQueue::take() {
    if (looks_empty())
        return nullptr;
    const SpinGuard guard(lock_);
    Task *task = heap_.pop();
    show();
    return task;
}

namespace {

PriorityQueue &own_queue(Member &member) {
    PriorityQueue *queue = member.prioritized.load(std::memory_order_relaxed);
    if (LOOMP_LIKELY(queue != nullptr))
        return *queue;
    queue = new PriorityQueue;
    // release: thieves see the object made.
    member.prioritized.store(queue, std::memory_order_release);
    return *queue;
}

/// acquire: pairs with own_queue().
PriorityQueue *queue_of(const Member &member) {
    return member.prioritized.load(std::memory_order_acquire);
}

std::int32_t top_of(const PriorityQueue *queue) {
    return queue != nullptr ? queue->top() : PriorityQueue::kNone;
}

} // namespace

// --- A team's queues ---------------------------------------------------------------------------

void queue_prioritized(Member &member, Task &task) {
    if (LOOMP_UNLIKELY(propagates_priorities))
        priority_graph_of(*member.team).push(task);
    else
        own_queue(member).push(task);
}

Task *PrioritizedTasks::take(Worker &worker, Member &member) {
    Team &team = *member.team;
    if (LOOMP_UNLIKELY(propagates_priorities))
        return priority_graph_of(team).take();
    const int size = team.size;
    PriorityQueue *const own = queue_of(member);
    for (;;) {
        PriorityQueue *best = own;
        std::int32_t top = top_of(own);
        // With nothing of one's own, everybody is asked.
        const int looks = top == PriorityQueue::kNone ? size : std::min(size, kLooks);
        int victim = size <= kLooks ? 0 : static_cast<int>(worker.random() % unsigned(size));
        for (int i = 0; i < looks; ++i) {
            PriorityQueue *other = queue_of(*team.members[victim]);
            if (const std::int32_t its = top_of(other); its > top) {
                top = its;
                best = other;
            }
            if (++victim == size)
                victim = 0;
        }
        if (top == PriorityQueue::kNone)
            return nullptr;
        if (Task *task = best->take()) {
            worker.discovery.steals += best != own;
            return task;
        }
    }
}

bool PrioritizedTasks::visible(const Member &member) {
    Team &team = *member.team;
    if (LOOMP_UNLIKELY(propagates_priorities))
        return !priority_graph_of(team).looks_empty();
    for (int i = 0; i < team.size; ++i)
        if (top_of(queue_of(*team.members[i])) != PriorityQueue::kNone)
            return true;
    return false;
}

bool may_run_now(Member &member, const Task &task) {
    if (LOOMP_UNLIKELY((task.flags & (kDetachable | kRedirect | kFusible | kPlaced)) != 0))
        return false;
    std::int32_t top = PriorityQueue::kNone;
    std::size_t size = 0;
    if (LOOMP_UNLIKELY(propagates_priorities)) {
        const PriorityGraph &graph = priority_graph_of(*member.team);
        top = graph.top();
        size = graph.size();
    } else if (const PriorityQueue *queue = queue_of(member)) {
        top = queue->top();
        size = queue->size();
    }
    if (task.priority < top)
        return false;
    if (!task.has(kPrioritized))
        return true;
    // Thieves keep taking from a long queue: not every one that they took is made up for at once,
    // since that costs much more than running a small task.
    constexpr std::int32_t tasks_per_look = 64;
    constexpr std::size_t half = kManyPrioritized / 2;
    const std::size_t enough =
        member.alone ? half : std::min(half, static_cast<std::size_t>(member.ready_limit));
    if (size >= enough) {
        member.priority_inline_budget = tasks_per_look;
        member.inline_budget.raise_to(tasks_per_look);
    } else if (member.priority_inline_budget == 0) {
        return false;
    }
    --member.priority_inline_budget;
    return true;
}

std::size_t prioritized_count(Member &member) {
    if (LOOMP_UNLIKELY(propagates_priorities))
        return priority_graph_of(*member.team).size();
    const PriorityQueue *queue = queue_of(member);
    return queue != nullptr ? queue->size() : 0;
}

} // namespace loomp::core
