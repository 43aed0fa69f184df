// The edges of a graph, grouped by the node that they leave. Graphs have millions of edges, so they
// are kept in five bytes each, without that node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class EdgeKind : std::uint8_t {
    order,      ///< between a task's code and calls
    request,    ///< from a start to its completion
    dependence, ///< from OpenMP
    message,
    synchronous, ///< from a receive's start to a synchronous send's completion
    collective,
    creation, ///< from a task's creator
    wait,     ///< from the tasks or threads that are waited for
    turn,     ///< from the task that had a mutex before
};

struct Edge {
    Index from;
    Index to;
    EdgeKind kind;
};

class Edges {
  public:
    /// Makes an Edge of each place.
    class Iterator {
      public:
        using difference_type = std::ptrdiff_t;
        using value_type = Edge;
        using reference = Edge;
        using pointer = void;
        using iterator_category = std::input_iterator_tag;

        Iterator(const Edges &edges, Index node, Index at) : edges_(&edges), node_(node), at_(at) {
            find_node();
        }
        Edge operator*() const { return {node_, edges_->to_[at_], edges_->kinds_[at_]}; }
        Iterator &operator++() {
            ++at_;
            find_node();
            return *this;
        }
        bool operator==(const Iterator &other) const { return at_ == other.at_; }

      private:
        void find_node() {
            while (node_ + 1 < edges_->first_.size() && edges_->first_[node_ + 1] <= at_)
                ++node_;
        }

        const Edges *edges_;
        Index node_; ///< that the edge leaves
        Index at_;
    };
    class Range {
      public:
        Range(Iterator begin, Iterator end, std::size_t size)
            : begin_(begin), end_(end), size_(size) {}
        Iterator begin() const { return begin_; }
        Iterator end() const { return end_; }
        std::size_t size() const { return size_; }

      private:
        Iterator begin_;
        Iterator end_;
        std::size_t size_;
    };

    Edges() = default;
    /// `visit(add)` calls `add(edge)` for each edge, the same ones each time. It is called twice,
    /// so there is no second copy of them.
    template <class Visit> Edges(std::size_t nodes, Visit visit) : first_(nodes + 1, 0) {
        visit([&](const Edge &edge) { ++first_[edge.from + 1]; });
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        to_.resize(first_.back());
        kinds_.resize(first_.back());
        std::vector<Index> next(first_.begin(), first_.end() - 1);
        visit([&](const Edge &edge) { put(next[edge.from]++, edge); });
        std::vector<Edge> some; // of one node
        for (Index node = 0; node < nodes; ++node) {
            if (first_[node + 1] - first_[node] < 2)
                continue;
            const Range range = of(node);
            some.clear();
            std::copy(range.begin(), range.end(), std::back_inserter(some));
            std::sort(some.begin(), some.end(),
                      [](const Edge &a, const Edge &b) { return a.to < b.to; });
            for (Index i = 0; i < some.size(); ++i)
                put(first_[node] + i, some[i]);
        }
    }

    std::size_t size() const { return to_.size(); }
    Iterator begin() const { return {*this, 0, 0}; }
    Iterator end() const {
        return {*this, static_cast<Index>(first_.size()), static_cast<Index>(size())};
    }
    /// The edges that leave the node, sorted by the node that they lead to.
    Range of(Index node) const {
        const Index first = first_[node];
        const Index last = first_[node + 1];
        return {{*this, node, first}, {*this, node, last}, last - first};
    }
    /// The position of each node's first edge; one more than nodes.
    const std::vector<Index> &first() const { return first_; }

  private:
    void put(Index at, const Edge &edge) {
        to_[at] = edge.to;
        kinds_[at] = edge.kind;
    }

    std::vector<Index> first_;
    std::vector<Index> to_;
    std::vector<EdgeKind> kinds_;
};

} // namespace loomp::analysis
