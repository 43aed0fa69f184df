// The ready tasks of a simulated rank, in the order in which its threads take them.
#pragma once

#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class Order : std::uint8_t {
    fifo,
    lifo,
    critical_path, ///< the task from which the longest path to the end leads, first
    recorded,      ///< the task that began first in the trace
    sends,         ///< tasks that send messages first (preset MA-1, docs/mpi.md)
    early_sends,   ///< the task from which the fewest steps lead to one that sends, first (SA)
};

/// A rank for each task: the scheduler takes the ready task with the greatest rank. Empty for
/// orders that ignore the tasks.
std::vector<Time> ranking(const Trace &trace, Order order);

class ReadyQueue {
  public:
    /// `ranking` belongs to the order and outlives the queue.
    ReadyQueue(Order order, const std::vector<Time> &ranking) : order_(order), ranking_(&ranking) {}

    bool empty() const { return tasks_.empty() && heap_.empty(); }
    void push(Index task);
    /// Inserts a task before all others. An order with a ranking ignores that it was resumed.
    void push_resumed(Index task);
    Index pop();

  private:
    struct Entry {
        Time rank;
        std::uint64_t number;
        Index task;

        bool operator<(const Entry &other) const { // comes later
            return rank != other.rank ? rank < other.rank : number > other.number;
        }
    };

    bool ranked() const { return !ranking_->empty(); }

    Order order_;
    const std::vector<Time> *ranking_;
    std::deque<Index> tasks_;
    std::priority_queue<Entry> heap_;
    std::uint64_t pushed_ = 0;
};

} // namespace loomp::analysis
