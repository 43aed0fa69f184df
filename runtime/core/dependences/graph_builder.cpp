#include "runtime/core/dependences/graph_builder.h"

#include <algorithm>

#include "runtime/core/dependences/access_rule.h"
#include "runtime/core/dependences/plan_table.h"

namespace loomp::core {

namespace {

class Planner {
  public:
    Planner(GraphPlan &plan, std::uint32_t tasks) : plan_(plan) {
        last_successor_.make(tasks);
        plan_.tasks = plan_.nodes = tasks;
    }

    void apply(std::uint32_t task, KeptDependences::Slice dependences, std::uint32_t count) {
        self_ = {task, second_};
        enter_all_named(table_, dependences, count, self_, *this);
    }
    void prefetch(KeptDependences::Slice dependences, std::uint32_t count) const {
        for (std::uint32_t i = 0; i < count; ++i)
            table_.prefetch(dependences[i].address);
    }

    void begin_second_pass() { second_ = 1; }

    // -- Members that the rule asks for (runtime/core/dependences/access_rule.h).
    int after(NodeRef ref) {
        add_edge(ref, self_);
        return 1;
    }
    int after(const NodeSet &set) {
        for (const NodeRef ref : set)
            after(ref);
        return static_cast<int>(set.size());
    }
    bool collapses(const NodeSet &set) const { return (set.end() - 1)->node != self_.node; }
    void named_again() {}
    Access begin(const Dependence &dependence, std::size_t) { return dependence.access; }
    void entered(const PlanTable::Entry &, Access, bool) {}
    /// Replaces the nodes of `set` by an empty one that waits for them. It replaces only those of
    /// the first pass in the second one: the others have met in the first pass.
    void collapse(NodeSet &set) {
        NodeSet rest;
        std::uint32_t replaced = 0;
        for (const NodeRef ref : set)
            if (second_ && ref.second)
                rest.add(ref);
            else
                ++replaced;
        if (replaced >= kRedirectThreshold) {
            const std::uint32_t node = plan_.nodes++;
            last_successor_.push_back(0);
            for (const NodeRef ref : set)
                add_edge(ref, {node, second_});
            // Its successors are ordered after it as after a node of the iteration before.
            rest.add({node, 0});
            set.swap(rest);
        }
        rest.clear();
    }

  private:
    void add_edge(NodeRef from, NodeRef to) {
        // Edges between nodes of the second pass are known from the first.
        if (from.second || (from.node == to.node && from.second == to.second))
            return;
        const std::uint32_t key = (to.node << 1 | to.second) + 1;
        if (last_successor_[from.node] == key)
            return;
        last_successor_[from.node] = key;
        plan_.edges.push_back({from.node, to.node, to.second});
    }

    GraphPlan &plan_;
    PlanTable table_;
    /// For each node the last one that an edge was made to, plus 1: a second edge between two nodes
    /// comes right after the first, except for rare orders, where it is counted on both sides.
    GrowingArray<std::uint32_t> last_successor_;
    NodeRef self_ = {}; ///< the task that is being entered
    std::uint32_t second_ : 1 = 0;
};

} // namespace

GraphPlan plan_graph(std::span<const std::uint32_t> first, const KeptDependences &dependences,
                     bool crossing) {
    // The entries of a large table are fetched this many tasks before they are used.
    constexpr std::uint32_t ahead = 8;
    const auto tasks = static_cast<std::uint32_t>(first.size() - 1);
    GraphPlan plan;
    plan.edges.reserve(dependences.size() + 64); // more than most graphs have
    Planner planner(plan, tasks);
    for (int pass = 0; pass < (crossing ? 2 : 1); ++pass) {
        for (std::uint32_t i = 0; i < tasks; ++i) {
            const std::uint32_t later = std::min(i + ahead, tasks - 1);
            planner.prefetch(dependences.from(first[later]), first[later + 1] - first[later]);
            planner.apply(i, dependences.from(first[i]), first[i + 1] - first[i]);
        }
        planner.begin_second_pass();
    }
    return plan;
}

} // namespace loomp::core
