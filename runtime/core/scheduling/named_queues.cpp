#include "runtime/core/scheduling/named_queues.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

Atomic<bool> queues_have_orders{false};

namespace {

struct NamedQueue {
    const char *name;
    int place;
};
SpinLock names_lock; ///< writers hold it
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(names_lock); });
NamedQueue named[kMostNamed];
/// Queues made so far, and one. release: the queue is described; a user of its number acquires.
Atomic<unsigned> count_of_named{1};

/// False where it is there already.
bool append(QueueOrder &order, unsigned queue) {
    if (std::find(order.queues, order.queues + order.count, queue) != order.queues + order.count)
        return false;
    order.queues[order.count++] = static_cast<std::uint8_t>(queue);
    return true;
}

unsigned find_named(const char *name) {
    const unsigned count = named_count();
    for (unsigned queue = 1; queue < count; ++queue)
        if (std::strcmp(named[queue].name, name) == 0)
            return queue;
    return 0;
}

ReadyList &list_of(SharedQueues &queues, unsigned queue) { return queues[kPartQueues + queue]; }

/// Takes from the order's queues from `from` to before `to`.
Task *take_in(SharedQueues &queues, const QueueOrder &order, unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i)
        if (Task *task = take_batch(list_of(queues, order.queues[i])))
            return task;
    return nullptr;
}

/// Takes a task for a worker of that place, from any of these queues; returns null if there is
/// none.
Task *take_named(SharedQueues &queues, int place) {
    const unsigned count = named_count();
    // The queues of its place come first, then those of none, then those of others.
    for (int turn = 0; turn < 3; ++turn)
        for (unsigned queue = 1; queue < count; ++queue) {
            const int of_queue = named[queue].place;
            const int turn_of_queue = of_queue < 0 ? 1 : of_queue == place ? 0 : 2;
            if (turn_of_queue != turn)
                continue;
            if (Task *task = take_batch(list_of(queues, queue)))
                return task;
        }
    return nullptr;
}

} // namespace

unsigned named_count() { return count_of_named.load(std::memory_order_acquire); }

unsigned named_queue(const char *name, int place) {
    if (const unsigned queue = find_named(name))
        return queue;
    const std::size_t size = std::strlen(name) + 1;
    auto *copy = static_cast<char *>(std::memcpy(new char[size], name, size));
    unsigned queue = 0;
    {
        const SpinGuard guard(names_lock);
        queue = find_named(name);
        if (queue == 0 && named_count() < kMostNamed) {
            queue = named_count();
            named[queue] = {std::exchange(copy, nullptr), place};
            count_of_named.store(queue + 1, std::memory_order_release);
        }
    }
    delete[] copy;
    return queue;
}

bool set_queue_order(Worker &worker, const int *queues, int count) {
    QueueOrder order;
    bool others = false;
    for (int i = 0; i < count; ++i) {
        if (queues[i] == static_cast<int>(kOtherTasks)) {
            if (std::exchange(others, true))
                return false;
            order.first = order.count;
        } else if (queues[i] < 0 || queues[i] >= static_cast<int>(named_count()) ||
                   !append(order, static_cast<unsigned>(queues[i]))) {
            return false;
        }
    }
    delete std::exchange(worker.queue_order, count > 0 ? new QueueOrder(order) : nullptr);
    if (count > 0) {
        queues_have_orders.store(true, std::memory_order_relaxed);
        // Regions that begin later see the above. The thread will be back in the enclosing ones.
        for (Member *member = worker.member; member != nullptr; member = member->team->parent)
            member->team->note(Team::kOrders);
    }
    return true;
}

std::uint32_t merge_named(SharedQueues &queues, unsigned to, unsigned from) {
    const ReadyList::Taken all =
        list_of(queues, from).take(0xffffffff, 0xffffffff, [](const Task &) { return true; });
    list_of(queues, to).push_all(all);
    // A thread whose last look came in between saw none of them.
    if (all.count != 0)
        Worker::current()->member->team->event.notify_one();
    return all.count;
}

Task *PlacedTasks::take(Worker &worker, Member &member) {
    SharedQueues *queues = filled_queues(member);
    if (queues == nullptr)
        return nullptr;
    const unsigned count = std::min(machine_parts().count(), kPartQueues);
    const unsigned part = machine_parts().of_place(member.place);
    for (unsigned i = 0; i < count; ++i)
        if (Task *task = take_batch((*queues)[(part + i) % count]))
            return task;
    if (worker.queue_order == nullptr)
        return take_named(*queues, member.place);
    // The worker may have been in another team when it got its order, while this region was
    // suspended: its next look sees the mark.
    member.team->note(Team::kOrders);
    return nullptr;
}

Task *NamedFirst::take(Worker &worker, Member &member) {
    const QueueOrder *order = worker.queue_order;
    SharedQueues *queues = filled_queues(member);
    if (order == nullptr || queues == nullptr)
        return nullptr;
    return take_in(*queues, *order, 0, order->first);
}

bool NamedFirst::visible(const Member &member) {
    const QueueOrder *order = member.worker->queue_order;
    SharedQueues *queues = filled_queues(member);
    if (order == nullptr || queues == nullptr)
        return false;
    for (unsigned i = 0; i < order->first; ++i)
        if (!list_of(*queues, order->queues[i]).looks_empty())
            return true;
    return false;
}

Task *NamedLast::take(Worker &worker, Member &member) {
    const QueueOrder *order = worker.queue_order;
    SharedQueues *queues = filled_queues(member);
    if (order == nullptr || queues == nullptr)
        return nullptr; // without an order, it took from all of them before it stole
    Task *task = take_in(*queues, *order, order->first, order->count);
    // Those that the order does not name come last.
    return task != nullptr ? task : take_named(*queues, member.place);
}

std::uint32_t take_from_named(Worker &worker, unsigned queue, unsigned kind, std::uint32_t most) {
    Member &member = *worker.member;
    SharedQueues *queues = filled_queues(member);
    if (queues == nullptr)
        return 0;
    const ReadyList::Taken taken =
        list_of(*queues, queue).take(most, 0xffffffff, [kind](const Task &task) {
            return kind == 0 || is_of_kind(task, kind);
        });
    for (Task *rest = taken.first; rest != nullptr;) {
        Task *first = rest;
        // Those of its kind that come right behind it.
        Task *last = first;
        for (unsigned left = first->has(kFusible) ? task_kind(first->route.kind()).max - 1 : 0;
             left > 0 && last->next != nullptr && last->next->has(kFusible) &&
             are_one_kind(last->next->route.kind(), first->route.kind());
             --left)
            last = last->next;
        rest = std::exchange(last->next, nullptr);
        for (Task *task = first; task != nullptr; task = task->next)
            task->flags &= ~TaskFlags{kPlaced};
        enqueue(member, first->has(kFusible) ? make_batch_of(first) : *first);
    }
    return taken.count;
}

} // namespace loomp::core
