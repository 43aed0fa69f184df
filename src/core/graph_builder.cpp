#include "core/graph_builder.h"

namespace loomp::core {

namespace {

/// The same bound as for graphs that are discovered once (dependence.cpp).
constexpr std::uint32_t kRedirectThreshold = 4;

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
        const std::uint32_t number = map_.next_link_number();
        const NodeRef self{task, second_};
        for (std::uint32_t i = 0; i < count; ++i) {
            const Dependence &dependence = dependences[i];
            if (dependence.all_memory) {
                order_after(map_.all_memory, self);
                map_.for_each([&](DependenceMap::Entry &e) { order_after(e.current, self); });
                map_.clear();
                map_.all_memory.set(pack(self));
                continue;
            }
            DependenceMap::Entry &entry = map_.find(dependence.address);
            if (entry.seen_by == number && dependence.access <= entry.seen)
                continue;
            entry.seen_by = number;
            entry.seen = dependence.access;
            access(entry, dependence.access, self);
        }
    }

    void begin_second_pass() { second_ = true; }

  private:
    void access(DependenceMap::Entry &entry, Access access, NodeRef self) {
        const bool is_set = access != Access::inout;
        if (is_set && entry.kind == access) {
            order_after(entry.previous, self);
            entry.current.add(pack(self));
            return;
        }
        if (is_set && entry.current.size() >= kRedirectThreshold &&
            unpack(*(entry.current.end() - 1)).node != self.node)
            collapse(entry.current);
        order_after(entry.current, self);
        if (is_set)
            entry.previous.swap(entry.current);
        entry.current.set(pack(self));
        entry.kind = access;
    }

    void order_after(const TaskSet &set, NodeRef self) {
        for (const TaskRef &ref : set)
            add_edge(unpack(ref), self);
    }

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

    GraphPlan &plan_;
    DependenceMap map_;
    /// For each node the last one that an edge was made to, plus 1: a second edge between two nodes
    /// comes right after the first, except for rare orders, where it is counted on both sides.
    std::vector<std::uint64_t> last_successor_;
    bool second_ = false;
};

} // namespace

GraphPlan plan_graph(const std::vector<GraphTask> &tasks,
                     const std::vector<Dependence> &dependences, bool crossing) {
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
