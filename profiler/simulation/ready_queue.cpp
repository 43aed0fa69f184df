#include "profiler/simulation/ready_queue.h"

#include <algorithm>
#include <limits>

#include "profiler/graph/graph.h"

namespace loomp::analysis {

namespace {

/// The longest path from each task's begin to the end of the program.
std::vector<Time> paths_to_end(const Trace &trace) {
    const Graph graph = build_graph(trace);
    std::vector<Time> of_task(trace.tasks.size(), 0);
    const auto order = graph.topological_order();
    if (!order)
        return of_task;
    std::vector<Time> paths(graph.nodes.size(), 0);
    for (auto node = order->rbegin(); node != order->rend(); ++node) {
        for (const Edge &edge : graph.edges_of(*node))
            paths[*node] = std::max(paths[*node], paths[edge.to]);
        paths[*node] += graph.nodes[*node].duration;
        const Index task = graph.nodes[*node].task;
        if (task != kNone)
            of_task[task] = std::max(of_task[task], paths[*node]);
    }
    return of_task;
}

/// The tasks that send messages.
std::vector<Index> senders(const Trace &trace) {
    std::vector<Index> tasks;
    for (const Call &call : trace.calls) {
        const auto changes = trace.changes_of(call);
        const bool sends = std::any_of(changes.begin(), changes.end(), [&](const Change &change) {
            const RequestKind kind = trace.requests[change.request].kind;
            return !change.completes &&
                   (kind == RequestKind::send || kind == RequestKind::synchronous_send);
        });
        if (sends && (tasks.empty() || tasks.back() != call.task)) // calls are grouped by task
            tasks.push_back(call.task);
    }
    return tasks;
}

/// Less for each of the `most` steps by dependences that lead to a task that sends; tasks without
/// so short a way come last.
std::vector<Time> nearness_to_sends(const Trace &trace, Time most) {
    std::vector<std::vector<Index>> predecessors(trace.tasks.size());
    if (most > 0)
        for (const Dependence &dependence : trace.dependences)
            predecessors[dependence.to].push_back(dependence.from);
    std::vector<Time> nearness(trace.tasks.size(), -kNever);
    std::vector<Index> reached = senders(trace);
    for (const Index task : reached)
        nearness[task] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) { // breadth-first: the fewest steps
        const Time next = nearness[reached[i]] - 1;
        if (-next > most)
            break;
        for (const Index task : predecessors[reached[i]])
            if (nearness[task] == -kNever) {
                nearness[task] = next;
                reached.push_back(task);
            }
    }
    return nearness;
}

} // namespace

std::vector<Time> ranking(const Trace &trace, Order order) {
    if (order == Order::critical_path)
        return paths_to_end(trace);
    if (order == Order::sends)
        return nearness_to_sends(trace, 0);
    if (order == Order::early_sends)
        return nearness_to_sends(trace, std::numeric_limits<Index>::max());
    if (order != Order::recorded)
        return {};
    std::vector<Time> ranks(trace.tasks.size(), 0);
    for (Index task = 0; task < ranks.size(); ++task)
        if (!trace.segments_of(task).empty())
            ranks[task] = -trace.segments_of(task).front().begin;
    return ranks;
}

void ReadyQueue::push(Index task) {
    if (ranked())
        heap_.push({(*ranking_)[task], ++pushed_, task});
    else
        tasks_.push_back(task);
}

void ReadyQueue::push_resumed(Index task) {
    if (ranked())
        push(task);
    else if (order_ == Order::lifo)
        tasks_.push_back(task);
    else
        tasks_.push_front(task);
}

Index ReadyQueue::pop() {
    if (ranked()) {
        const Index task = heap_.top().task;
        heap_.pop();
        return task;
    }
    const Index task = order_ == Order::lifo ? tasks_.back() : tasks_.front();
    order_ == Order::lifo ? tasks_.pop_back() : tasks_.pop_front();
    return task;
}

} // namespace loomp::analysis
