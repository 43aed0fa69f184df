#include "runtime/core/scheduling/priority_graph.h"

#include <algorithm>
#include <limits>

#include "platform/made_once.h"
#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/scheduling/sending_kinds.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

Relaxed<bool> propagates_priorities = false;
Atomic<std::uint32_t> priority_changes{1};

void note_priority_change() {
    // relaxed: a thread that reads it late hands priorities down an iteration later.
    if (priority_changes.fetch_add(1, std::memory_order_relaxed) + 1 == 0)
        priority_changes.fetch_add(1, std::memory_order_relaxed);
}

PriorityGraph::Node *PriorityGraph::find(const TaskRef &ref) {
    const auto found = nodes_.find(ref.task);
    return found != nodes_.end() && found->second.serial == ref.serial ? &found->second : nullptr;
}

void PriorityGraph::show() {
    top_.store(queue_.empty() ? -1 : queue_.begin()->first.priority, std::memory_order_relaxed);
    size_.store(queue_.size(), std::memory_order_relaxed);
}

void PriorityGraph::set_priority(Task &task, const Node &node, std::int32_t priority) {
    if (node.order != kWaiting) {
        auto entry = queue_.extract({task.priority, node.order});
        entry.key().priority = priority;
        queue_.insert(std::move(entry));
    }
    task.priority = priority;
}

void PriorityGraph::propagate(Task &task, const Node &node) {
    const bool decrement = task_settings().priority_propagation == PriorityPropagation::decrement;
    work_.clear();
    const Node *above = &node;
    std::int32_t its = task.priority;
    for (;;) {
        if (const std::int32_t wanted = decrement ? its - 1 : its; wanted > 0) {
            for (const TaskRef &ref : above->predecessors) {
                Node *below = find(ref);
                if (below == nullptr || ref.task->priority >= wanted)
                    continue;
                set_priority(*ref.task, *below, wanted);
                work_.push_back(ref.task);
            }
        }
        if (work_.empty())
            break;
        Task *next = work_.back();
        work_.pop_back();
        above = &nodes_.find(next)->second;
        its = next->priority;
    }
    show();
}

void PriorityGraph::add(Task &task, const std::vector<TaskRef> &predecessors) {
    const SpinGuard guard(lock_);
    Node &node = nodes_[&task];
    // The number that open_successors() will give it.
    node = {task.serial.load(std::memory_order_relaxed) + 1, predecessors, kWaiting};
    if (task.priority != 0)
        propagate_in_time(task, node);
}

void PriorityGraph::propagate_in_time(Task &task, const Node &node) {
    if (task_settings().priority_when == PriorityWhen::creation) {
        propagate(task, node);
        return;
    }
    // Perhaps no worker is ever idle.
    if (LOOMP_UNLIKELY(pending_.size() >= look_at_pending_)) {
        std::erase_if(pending_, [this](const TaskRef &ref) { return find(ref) == nullptr; });
        look_at_pending_ = std::max<std::size_t>(1024, 2 * pending_.size());
    }
    pending_.push_back({&task, node.serial});
    has_pending_.store(true, std::memory_order_relaxed);
}

void PriorityGraph::favour(std::uint64_t kind) {
    const SpinGuard guard(lock_);
    for (auto &[key, node] : nodes_) {
        Task &task = const_cast<Task &>(*key);
        if (sending_kind_of(task) != kind)
            continue;
        set_priority(task, node, std::numeric_limits<std::int32_t>::max());
        propagate_in_time(task, node);
    }
    show();
}

void PriorityGraph::push(Task &task) {
    const SpinGuard guard(lock_);
    const std::uint64_t order = pushed_++;
    if (const auto found = nodes_.find(&task); found != nodes_.end())
        found->second.order = order;
    queue_.emplace(Key{task.priority, order}, &task);
    show();
}

Task *PriorityGraph::take() {
    if (looks_empty())
        return nullptr;
    const SpinGuard guard(lock_);
    if (queue_.empty())
        return nullptr;
    Task *task = queue_.begin()->second;
    queue_.erase(queue_.begin());
    nodes_.erase(task);
    show();
    return task;
}

void PriorityGraph::forget(const Task &task) {
    const SpinGuard guard(lock_);
    nodes_.erase(&task);
}

bool PriorityGraph::leave(const Task &task) {
    const SpinGuard guard(lock_);
    if (task.priority != 0)
        return false;
    nodes_.erase(&task);
    return true;
}

bool PriorityGraph::propagate_some() {
    if (!has_pending_.load(std::memory_order_relaxed))
        return false;
    constexpr int some = 16; // creators wait for the lock meanwhile
    const SpinGuard guard(lock_);
    int done = 0;
    // The latest first: it reaches furthest, and earlier ones then find their share done.
    while (done < some && !pending_.empty()) {
        const TaskRef ref = pending_.back();
        pending_.pop_back();
        if (const Node *node = find(ref)) {
            propagate(*ref.task, *node);
            ++done;
        }
    }
    has_pending_.store(!pending_.empty(), std::memory_order_relaxed);
    return done != 0;
}

PriorityGraph &priority_graph_of(Team &team) { return made_once(team.priority_graph); }

namespace {

void add_all(std::vector<TaskRef> &to, const TaskSet &set) {
    to.insert(to.end(), set.begin(), set.end());
}

} // namespace

void note_predecessors(Task &task, const Dependence *dependences, std::size_t count) {
    std::vector<TaskRef> predecessors;
    if (DependenceMap *map = task.parent->map) {
        add_all(predecessors, map->all_memory);
        for (std::size_t i = 0; i < count; ++i) {
            const Dependence &dependence = dependences[i];
            if (dependence.all_memory) {
                map->for_each([&](const DependenceMap::Entry &entry) {
                    add_all(predecessors, entry.current);
                });
                continue;
            }
            const DependenceMap::Entry &entry = map->find(dependence.address);
            const bool joins =
                dependence.access != Access::inout && entry.kind == dependence.access;
            add_all(predecessors, joins ? entry.previous : entry.current);
        }
    }
    // Through the team's queue, where its priority can still be changed, even if it has none.
    task.flags |= kPrioritized | kPropagates;
    if (learns_senders && is_known_to_send(sending_kind_of(task)))
        task.priority = std::numeric_limits<std::int32_t>::max();
    priority_graph_of(*task.team).add(task, predecessors);
}

void note_redirect(Task &node, const TaskSet &set) {
    node.flags |= kPropagates;
    priority_graph_of(*node.team).add(node, {set.begin(), set.end()});
}

void forget_predecessors(Task &task) { priority_graph_of(*task.team).forget(task); }

void leave_without_priority(Task &task) {
    if (priority_graph_of(*task.team).leave(task))
        task.flags &= ~(kPrioritized | kPropagates);
}

void note_send() {
    if (LOOMP_LIKELY(!learns_senders))
        return;
    Worker *worker = Worker::current_or_null();
    if (worker == nullptr || worker->task == nullptr || worker->task->has(kImplicit))
        return;
    const Task &task = *worker->task;
    const std::uint64_t kind = sending_kind_of(task);
    if (kind == 0 || !add_sending_kind(kind))
        return;
    note_priority_change();
    // acquire: the graph is seen made.
    if (PriorityGraph *graph = task.team->priority_graph.load(std::memory_order_acquire))
        graph->favour(kind);
}

} // namespace loomp::core
