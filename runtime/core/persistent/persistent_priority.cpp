// Priorities that are passed along kept edges (LOOMP_PRIORITY_PROPAGATION, presets MA-2, SA and
// FA).
//
// The edges of an iteration are known before it begins. So each kept task's priority is computed
// beforehand, once for all iterations. It is computed again only when a source changes: settings,
// the kinds that are known to send, or a priority clause. The graph of
// runtime/core/scheduling/priority_graph.h, which finds priorities task by task, does not see kept
// tasks. They are queued like other tasks, also those without a priority. So a task counts as
// leading to a send from its own creation on, not only from the sending task's.
//
// Without barriers, priorities also go from an iteration to the previous one, one lower for each
// step back. Nearly every task precedes a send of some later iteration, and tasks that are needed
// earlier come first.
#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/core/environment/task_settings.h"
#include "runtime/core/persistent/persistent_graph.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/sending_kinds.h"

namespace loomp::core {

namespace {

/// The predecessors of each node, by number.
class Preceding {
  public:
    struct Node {
        std::uint32_t number : 31;
        std::uint32_t crosses : 1; ///< it belongs to the previous iteration
    };

    explicit Preceding(const GrowingArray<KeptNode> &nodes) : first_(nodes.size() + 1) {
        std::unordered_map<const Task *, std::uint32_t> number;
        for (std::uint32_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].task != nullptr)
                number.emplace(nodes[i].task, i);
        const auto each = [&](auto use) {
            for (std::uint32_t i = 0; i < nodes.size(); ++i) {
                if (nodes[i].task == nullptr)
                    continue;
                for (const Task *successor : nodes[i].successors_inside())
                    use(Node{i, 0}, number.find(successor)->second);
                for (const Task *successor : nodes[i].successors_crossing())
                    use(Node{i, 1}, number.find(successor)->second);
            }
        };
        each([this](Node, std::uint32_t to) { ++first_[to + 1]; });
        for (std::size_t i = 1; i < first_.size(); ++i)
            first_[i] += first_[i - 1];
        nodes_.resize(first_.back());
        std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
        each([&](Node from, std::uint32_t to) { nodes_[at[to]++] = from; });
    }
    std::span<const Node> of(std::uint32_t node) const {
        return {nodes_.data() + first_[node], first_[node + 1] - first_[node]};
    }

  private:
    std::vector<std::uint32_t> first_;
    std::vector<Node> nodes_;
};

/// Passes priorities to all predecessors of a task, highest first, so that each node is visited
/// once.
void hand_down(const GrowingArray<KeptNode> &nodes, TaskVector<std::int32_t> &priorities) {
    const bool decrement = task_settings().priority_propagation == PriorityPropagation::decrement;
    const Preceding preceding(nodes);
    using Given = std::pair<std::int32_t, std::uint32_t>; // a priority, and the node that has it
    std::priority_queue<Given> work;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (priorities[i] > 0)
            work.emplace(priorities[i], i);
    while (!work.empty()) {
        const auto [priority, node] = work.top();
        work.pop();
        if (priority < priorities[node])
            continue; // it has got a higher one meanwhile
        for (const Preceding::Node before : preceding.of(node)) {
            const std::int32_t wanted = decrement || before.crosses != 0 ? priority - 1 : priority;
            if (priorities[before.number] < wanted) {
                priorities[before.number] = wanted;
                work.emplace(wanted, before.number);
            }
        }
    }
}

bool sends(const KeptNode &node, std::uint64_t kind) {
    // A replayed task has more private data than the recorded one, so it is another kind.
    return is_known_to_send(kind) ||
           (node.is(NodeKind::replayed) && is_known_to_send(sending_kind_of(*node.task)));
}

} // namespace

void renew_priorities(KeptTasks &kept) {
    // relaxed: this thread wrote the data before, or the data does not matter yet.
    kept.priorities_as_of = priority_changes.load(std::memory_order_relaxed);
    if (kept.clauses.empty())
        return;
    kept.priorities.assign(kept.nodes.size(), 0);
    for (std::uint32_t i = 0; i < kept.allocations; ++i) {
        const KeptNode &node = kept.nodes[i];
        if (node.task == nullptr || node.code == nullptr)
            continue;
        const bool known = learns_senders && accesses_of(node).count != 0 &&
                           sends(node, kept.clauses[i].sending_kind);
        kept.priorities[i] =
            known ? std::numeric_limits<std::int32_t>::max() : kept.clauses[i].priority;
    }
    if (propagates_priorities)
        hand_down(kept.nodes, kept.priorities);
    for (std::uint32_t i = 0; i < kept.allocations; ++i) {
        KeptNode &node = kept.nodes[i];
        if (propagates_priorities)
            node.kind |= NodeKind::raised;
        else
            node.kind = static_cast<NodeKind>(node.kind).without(NodeKind::raised);
        if (!node.is(NodeKind::replayed))
            continue;
        node.task->priority = kept.priorities[i];
        const bool queued_by_it = propagates_priorities || kept.priorities[i] != 0;
        node.flags =
            (node.flags & ~TaskFlags{kPrioritized}) | (queued_by_it ? TaskFlags{kPrioritized} : 0u);
        node.task->flags = node.flags;
    }
}

void raise_kept(Task &task, const KeptNode &node) {
    KeptTasks &kept = *node.set;
    const std::size_t i = index_of(node);
    if (LOOMP_UNLIKELY(kept.clauses[i].priority != task.priority)) {
        kept.clauses[i].priority = task.priority;
        kept.priorities_as_of = KeptTasks::kPrioritiesOld;
    }
    task.priority = std::max(task.priority, kept.priorities[i]);
    task.flags |= kPrioritized;
}

} // namespace loomp::core
