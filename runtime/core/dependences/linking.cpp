#include "runtime/core/dependences/linking.h"

#include <unordered_map>

#include "platform/locks_at_fork.h"
#include "platform/system_mutex.h"
#include "runtime/core/dependences/access_rule.h"
#include "runtime/core/dependences/exclusion.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

constexpr std::uint32_t kEdgesPerBlock = 7; // with the header: two cache lines

/// Hands out the edges of one task while it is being linked.
class EdgeSource {
  public:
    explicit EdgeSource(Task &task, Worker &worker)
        : task_(task), worker_(worker), next_(task.edge_space),
          end_(reinterpret_cast<Edge *>(reinterpret_cast<char *>(&task) +
                                        size_of_class(task.size_class)) -
               1),
          begin_(next_) {}

    /// The edge that push_edge() will fill next.
    Edge *peek() {
        if (LOOMP_UNLIKELY(next_ > end_))
            refill();
        return next_;
    }
    void consume() { ++next_; }
    /// Whether `edge` is one of the task's own (an earlier block's edges are not recognised: the
    /// price is a redundant edge, which is counted twice on both sides and so harmless).
    bool owns(const Edge *edge) const { return edge >= begin_ && edge < next_; }

  private:
    LOOMP_NOINLINE void refill() {
        AttachedBlock *block =
            attach_block(worker_, task_, kEdgesPerBlock * sizeof(Edge), kEdgesPerBlock);
        begin_ = next_ = static_cast<Edge *>(block->contents());
        end_ = next_ + kEdgesPerBlock - 1;
    }
    Task &task_;
    Worker &worker_;
    Edge *next_;
    Edge *end_; ///< the last usable edge
    Edge *begin_;
};

/// Makes `task` wait for `pred`; returns the number of edges made (0 or 1).
LOOMP_INLINE std::int32_t push_edge(const TaskRef &pred, Task &task, EdgeSource &edges,
                                    DiscoveryStats &stats) {
    if (LOOMP_UNLIKELY(pred.task == &task))
        return 0;
    // acquire: pairs with open_successors() for the serial, and with the completer's exchange for
    // the effects of a completed predecessor. A new serial alone may show them: acquire, too.
    std::uint64_t word = pred.task->successors.load(std::memory_order_acquire);
    for (;;) {
        if ((word >> 48) != (pred.serial & 0xffff) ||
            pred.task->serial.load(std::memory_order_acquire) != pred.serial ||
            (word & successors::kPointerMask) == successors::kClosed) {
            ++stats.edges_pruned;
            return 0;
        }
        Edge *head = successors::head(word);
        if (edges.owns(head)) {
            ++stats.edges_merged;
            return 0;
        }
        Edge *edge = edges.peek();
        edge->successor = &task;
        edge->next = head;
        const std::uint64_t desired =
            (word & ~successors::kPointerMask) | reinterpret_cast<std::uint64_t>(edge);
        // release: the completer reads the edge.
        if (LOOMP_LIKELY(pred.task->successors.compare_exchange_strong(
                word, desired, std::memory_order_acq_rel, std::memory_order_acquire))) {
            edges.consume();
            ++stats.edges_made;
            return 1;
        }
    }
}

LOOMP_INLINE std::int32_t push_edges(const TaskSet &preds, Task &task, EdgeSource &edges,
                                     DiscoveryStats &stats) {
    std::int32_t made = 0;
    for (const TaskRef &pred : preds)
        made += push_edge(pred, task, edges, stats);
    return made;
}

// --- For tools that are told of edges ------------------------------------------------------------

SystemMutex tool_edges_mutex;
/// The views of tasks that edges may lead from, until each is deleted. Guarded by
/// `tool_edges_mutex`, under which edges are made and told, too: a predecessor to which an edge was
/// made had not completed, so its view is still here, whatever has become of the task meanwhile.
/// Never destroyed.
std::unordered_map<const Task *, ToolTask *> &tool_views =
    *new std::unordered_map<const Task *, ToolTask *>;
// A child of fork() has a copy of the table that another thread may have been changing.
const LocksAtFork at_fork([] { tool_sees_edges = false; });

/// push_edge(), of which the tool is told.
LOOMP_COLD std::int32_t push_edge_for_tool(const TaskRef &pred, Task &task, EdgeSource &edges,
                                           DiscoveryStats &stats) {
    const std::lock_guard<SystemMutex> guard(tool_edges_mutex);
    const std::int32_t made = push_edge(pred, task, edges, stats);
    if (made == 0 || task.tool == nullptr)
        return made;
    if (const auto view = tool_views.find(pred.task); view != tool_views.end())
        tool_hooks.task_dependence(*view->second, task);
    return made;
}

LOOMP_INLINE TaskRef ref_to(Task &task) {
    return {&task, task.serial.load(std::memory_order_relaxed)};
}

/// Publishes the number of edges made; true if all predecessors have completed meanwhile.
LOOMP_INLINE bool publish_edges(Task &task, std::int32_t made) {
    if (made == 0)
        return true;
    return task.predecessors.add(made);
}

} // namespace

LOOMP_NOINLINE void collapse(TaskSet &set, Task &parent, Worker &worker) {
    Task &node = *allocate_task(worker, parent, 0, kRedirect | kHasDependences | kTied);
    node.invoke = nullptr;
    transition(node, TaskPhase::created, TaskPhase::linked);
    count_task(node);
    if (LOOMP_UNLIKELY(propagates_priorities))
        note_redirect(node, set);
    open_successors(node);
    EdgeSource edges(node, worker);
    const std::int32_t made = push_edges(set, node, edges, worker.discovery);
    node.next = nullptr;
    const TaskRef ref = ref_to(node);
    ++worker.discovery.redirects;
    if (publish_edges(node, made))
        complete_task(node);
    set.set(ref);
}

namespace {

/// The access as far as the order goes. An empty node runs nothing that a lock could guard; what
/// its waiter runs afterwards must not meet the set's members either: it is ordered after them.
LOOMP_NOINLINE Access enter_exclusion(Task &task, Worker &worker, std::size_t at_most) {
    if (task.has(kRedirect) || task.has(kNodeOnly))
        return Access::inout;
    if (!task.has(kExclusive))
        reserve_exclusions(worker, task, at_most);
    return Access::mutexinoutset;
}

// --- Sinks (runtime/core/dependences/access_rule.h)
// ----------------------------------------------------

/// Makes an edge for each order.
class EdgeMaker {
  public:
    EdgeMaker(Task &task, Worker &worker, DependenceMap &map)
        : task_(task), worker_(worker), map_(map), edges_(task, worker) {}
    LOOMP_INLINE int after(const TaskRef &predecessor) {
        return push_edge(predecessor, task_, edges_, worker_.discovery);
    }
    LOOMP_INLINE int after(const TaskSet &predecessors) {
        return push_edges(predecessors, task_, edges_, worker_.discovery);
    }
    /// Returns false if the task named the address before: the node would wait for the task, and
    /// the task for the node.
    bool collapses(const TaskSet &set) const { return (set.end() - 1)->task != &task_; }
    void collapse(TaskSet &set) { core::collapse(set, *task_.parent, worker_); }
    void named_again() { ++worker_.discovery.addresses_merged; }
    LOOMP_INLINE Access begin(const Dependence &dependence, std::size_t left) {
        if (LOOMP_UNLIKELY(dependence.access == Access::mutexinoutset))
            return enter_exclusion(task_, worker_, left);
        return dependence.access;
    }
    LOOMP_INLINE void entered(const DependenceMap::Entry &entry, Access access, bool fresh) {
        if (LOOMP_UNLIKELY(access == Access::mutexinoutset))
            add_exclusion(task_, map_.exclusion_at(entry, fresh));
    }

  protected:
    Task &task_;
    Worker &worker_;
    DependenceMap &map_;
    EdgeSource edges_;
};

/// Makes an edge for each order, and reports it to the tool.
class ToolEdgeMaker : public EdgeMaker {
  public:
    using EdgeMaker::EdgeMaker;
    int after(const TaskRef &predecessor) {
        return push_edge_for_tool(predecessor, task_, edges_, worker_.discovery);
    }
    int after(const TaskSet &predecessors) {
        int made = 0;
        for (const TaskRef &predecessor : predecessors)
            made += after(predecessor);
        return made;
    }
    bool collapses(const TaskSet &) const { return false; }
};

/// The sink for a task that has its edges already.
class NoEdges {
  public:
    int after(const TaskRef &) { return 0; }
    int after(const TaskSet &) { return 0; }
    bool collapses(const TaskSet &) const { return false; }
    void collapse(TaskSet &) {}
    void named_again() {}
    Access begin(const Dependence &dependence, std::size_t) { return dependence.access; }
    void entered(const DependenceMap::Entry &, Access, bool) {}
};

/// Keeps the tasks that an access comes after.
class PredecessorCollector {
  public:
    PredecessorCollector(TaskSet &predecessors, Task &parent)
        : predecessors_(predecessors), parent_(parent) {}
    int after(const TaskRef &task) {
        predecessors_.add(task);
        return 0;
    }
    int after(const TaskSet &tasks) {
        predecessors_.add_all(tasks);
        return 0;
    }
    bool collapses(const TaskSet &) const { return true; }
    void collapse(TaskSet &set) { core::collapse(set, parent_, *Worker::current()); }

  private:
    TaskSet &predecessors_;
    Task &parent_; ///< run by the calling thread
};

/// The sink for a task that has waited for its dependences and begins. It takes no locks, so those
/// of its mutexinoutset come after it.
class NoEdgesOrLocks : public NoEdges {
  public:
    Access begin(const Dependence &dependence, std::size_t) {
        return dependence.access == Access::mutexinoutset ? Access::inout : dependence.access;
    }
};

template <class Sink>
LOOMP_INLINE bool link_by(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &parent = *task.parent;
    if (LOOMP_UNLIKELY(parent.map == nullptr))
        parent.map = new DependenceMap;
    open_successors(task);
    Sink sink(task, worker, *parent.map);
    const int made = enter_all_named(*parent.map, dependences, count, ref_to(task), sink);
    task.next = nullptr;
    return publish_edges(task, made);
}

LOOMP_COLD bool link_for_tool(Task &task, const Dependence *dependences, std::size_t count) {
    // A kept task has another view in each iteration.
    if (task.tool != nullptr && !task.has(kKept)) {
        const std::lock_guard<SystemMutex> guard(tool_edges_mutex);
        tool_views[&task] = task.tool;
    }
    return link_by<ToolEdgeMaker>(task, dependences, count);
}

} // namespace

void delete_tool_view(Task &task) {
    std::unique_lock<SystemMutex> guard(tool_edges_mutex, std::defer_lock);
    if (LOOMP_UNLIKELY(tool_sees_edges)) {
        guard.lock();
        tool_views.erase(&task);
    }
    LOOMP_TOOL(task_delete, task);
    delete task.tool;
    task.tool = nullptr;
}

bool link_dependences(Task &task, const Dependence *dependences, std::size_t count) {
    if (LOOMP_UNLIKELY(tool_sees_edges))
        return link_for_tool(task, dependences, count);
    return link_by<EdgeMaker>(task, dependences, count);
}

void enter_accesses(Task &task, const Dependence *dependences, std::size_t count) {
    NoEdges none;
    enter_all_named(*task.parent->map, dependences, count, ref_to(task), none);
}

void enter_begun(Task &task, const Dependence *dependences, std::size_t count) {
    Task &parent = *task.parent;
    if (parent.map == nullptr)
        parent.map = new DependenceMap;
    task.flags |= kHasDependences;
    open_successors(task);
    NoEdgesOrLocks none;
    enter_all_named(*parent.map, dependences, count, ref_to(task), none);
}

bool link_after(Task &task, const TaskRef &predecessor) {
    Worker &worker = *Worker::current();
    open_successors(task);
    EdgeSource edges(task, worker);
    const std::int32_t made = push_edge(predecessor, task, edges, worker.discovery);
    task.next = nullptr;
    return publish_edges(task, made);
}

void enter_access(DependenceMap::Entry &entry, Access access, Task &task, Task &parent,
                  TaskSet &predecessors) {
    PredecessorCollector collector(predecessors, parent);
    enter_by_rule(entry, access, ref_to(task), collector);
}

void enter_all_memory(DependenceMap &map, Task &task, Task &parent, TaskSet &predecessors) {
    PredecessorCollector collector(predecessors, parent);
    enter_all_by_rule(map, ref_to(task), collector);
}

std::int32_t make_edges(Task &task, const TaskSet &predecessors, Worker &worker) {
    EdgeSource edges(task, worker);
    const std::int32_t made = push_edges(predecessors, task, edges, worker.discovery);
    task.next = nullptr;
    return made;
}

} // namespace loomp::core
