#include "runtime/core/dependences/graph_builder.h"

#include "runtime/core/dependences/access_rule.h"

namespace loomp::core {

namespace {

/// The table names nodes, not tasks: the number of the node, and in which pass it was met.
struct NodeRef {
    std::uint32_t node;
    bool second;
};
TaskRef pack(NodeRef ref) {
    return {nullptr, (std::uint64_t{ref.node} << 1) | std::uint64_t{ref.second}};
}
NodeRef unpack(const TaskRef &ref) {
    return {static_cast<std::uint32_t>(ref.serial >> 1), (ref.serial & 1) != 0};
}

class Planner {
  public:
    Planner(GraphPlan &plan, std::uint32_t tasks) : plan_(plan), last_successor_(tasks) {
        plan_.tasks = plan_.nodes = tasks;
    }

    void apply(std::uint32_t task, const Dependence *dependences, std::uint32_t count) {
        self_ = {task, second_};
        enter_all_named(map_, dependences, count, pack(self_), *this);
    }

    void begin_second_pass() { second_ = true; }

    // -- What the rule asks for (runtime/core/dependences/access_rule.h).
    int after(const TaskRef &ref) {
        add_edge(unpack(ref), self_);
        return 1;
    }
    int after(const TaskSet &set) {
        for (const TaskRef &ref : set)
            after(ref);
        return static_cast<int>(set.size());
    }
    bool collapses(const TaskSet &set) const { return unpack(*(set.end() - 1)).node != self_.node; }
    void named_again() {}
    Access begin(const Dependence &dependence, std::size_t) { return dependence.access; }
    void entered(const DependenceMap::Entry &, Access, bool) {}
    /// Replaces the nodes of `set` by an empty one that waits for them. In the second pass those
    /// of the first only: the others have met in the first pass.
    void collapse(TaskSet &set) {
        TaskSet rest;
        std::uint32_t replaced = 0;
        for (const TaskRef &ref : set)
            if (second_ && unpack(ref).second)
                rest.add(ref);
            else
                ++replaced;
        if (replaced >= kRedirectThreshold) {
            const std::uint32_t node = plan_.nodes++;
            last_successor_.push_back(0);
            for (const TaskRef &ref : set)
                add_edge(unpack(ref), {node, second_});
            // Its successors are ordered after it as after a node of the iteration before.
            rest.add(pack({node, false}));
            set.swap(rest);
        }
        rest.free_storage();
    }

  private:
    void add_edge(NodeRef from, NodeRef to) {
        // What the second pass meets of its own is known from the first.
        if (from.second || (from.node == to.node && from.second == to.second))
            return;
        const std::uint64_t key = (std::uint64_t{to.node} << 1 | std::uint64_t{to.second}) + 1;
        if (last_successor_[from.node] == key)
            return;
        last_successor_[from.node] = key;
        plan_.edges.push_back({from.node, to.node, to.second});
    }

    GraphPlan &plan_;
    DependenceMap map_;
    /// For each node the last one that an edge was made to, plus 1: a second edge between two nodes
    /// comes right after the first, except for rare orders, where it is counted on both sides.
    std::vector<std::uint64_t> last_successor_;
    NodeRef self_ = {}; ///< the task that is being entered
    bool second_ = false;
};

} // namespace

GraphPlan plan_graph(std::span<const GraphTask> tasks, std::span<const Dependence> dependences,
                     bool crossing) {
    GraphPlan plan;
    Planner planner(plan, static_cast<std::uint32_t>(tasks.size()));
    for (int pass = 0; pass < (crossing ? 2 : 1); ++pass) {
        for (std::uint32_t i = 0; i < tasks.size(); ++i)
            planner.apply(i, dependences.data() + tasks[i].first, tasks[i].count);
        planner.begin_second_pass();
    }
    return plan;
}

} // namespace loomp::core
