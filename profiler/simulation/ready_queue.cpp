#include "profiler/simulation/ready_queue.h"

#include <algorithm>

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

} // namespace

std::vector<Time> ranking(const Trace &trace, Order order) {
    if (order == Order::critical_path)
        return paths_to_end(trace);
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
