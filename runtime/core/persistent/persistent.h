// Persistent task graphs: the runtime keeps the tasks of an iteration with all their edges, and
// reuses them in the next iterations.
//
// A PersistentGraph belongs to the task that creates the iteration's tasks, the producer, and is
// found by its place in the code. The first iteration runs normally, while the allocations,
// payloads and dependences are recorded. Then the complete graph is planned (graph_builder.h), and
// one *kept task* is made for each task. In later iterations the producer's n-th allocation gets
// the n-th kept task (re-execution), or the producer's code does not run at all (replay).
//
// The counter of a kept task. The task's own completion sets `predecessors` to the value for its
// next use, before it releases any successor. The value counts the edges within an iteration, those
// from the previous iteration, and a guard. The producer drops the guard when it has filled the
// payload.
//
// This needs no agreement with the tasks that subtract. An edge u -> v exists because the accesses
// of u and v conflict. So all earlier uses of v precede u in the order of the edges, and v has set
// its counter before u can complete (tests/model/persistent.pml). In replay only tasks without
// predecessors in their own iteration have a guard; the others cannot start before those.
//
// When nothing runs, every counter equals the edges within an iteration plus the guard: the
// previous iteration has subtracted its share.
//
// Deviations. A producer that creates another task than the kept one leaves the graph at that
// point. The tasks launched so far are entered in its table of addresses, which orders further
// tasks after them in the usual way. (Kept tasks accept edges like others.) The remaining kept
// tasks are never launched, and the next iteration is recorded.
//
// A task that the program removes becomes an empty node.
//
// Doubt. A graph may have missed what its program announced (a removal, say): another task was in
// the iteration, or no graph was in use there. Its first iteration in another implicit task may
// differ, too. So such an iteration is compared with the kept one, and a replayed graph is made
// anew. A count of all announcements shows which graphs that concerns.
//
// Thread safety: only the producer's thread, except complete_kept() and release_kept_parent().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/dependences/successors.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

struct KeptTasks;

/// Two allocations match if their outlined code is the same. `self_at`: offset of the payload's
/// word that points into the payload itself.
struct TaskCode {
    const void *code;
    std::uint32_t self_at;
};
inline constexpr std::uint32_t kNoSelf = ~0u;
inline constexpr std::uint32_t kManySelves =
    kNoSelf - 1; ///< several such words, so it cannot be replayed

/// The part of a kept task in its graph: flags, and the number of its successors in the next
/// iteration. Those come first in its list.
class NodeKind {
  public:
    enum Flag : std::uint32_t {
        replayed = 1u << 0, ///< the producer does not fill it; completion restores the payload
        joins = 1u << 1,    ///< empty, made by the plan; it is no child of the producer
        last = 1u << 2,     ///< replayed, without successors in its iteration
        removed = 1u << 3,  ///< launched as an empty task, without code of the program
        starts = 1u << 4,   ///< replayed, with a guard; its list of successors shows its end
        checked = 1u << 5,  ///< spawn_kept() compares its dependences
        watched = 1u << 6,  ///< spawn_kept() must do more than launch()
        raised = 1u << 7,   ///< its priority may be higher than its clause's
    };
    constexpr NodeKind() = default;
    constexpr NodeKind(Flag flag) : bits_(flag) {}
    static constexpr NodeKind with_crossing(std::uint32_t count) {
        NodeKind kind;
        kind.bits_ = count << kFlags;
        return kind;
    }

    constexpr bool has(std::uint32_t any_of) const { return (bits_ & any_of) != 0; }
    constexpr std::uint32_t crossing() const { return bits_ >> kFlags; }
    constexpr NodeKind without(Flag flag) const {
        NodeKind kind = *this;
        kind.bits_ &= ~std::uint32_t{flag};
        return kind;
    }
    friend constexpr NodeKind operator|(NodeKind one, NodeKind other) {
        one.bits_ |= other.bits_;
        return one;
    }

  private:
    static constexpr int kFlags = 8;
    std::uint32_t bits_ = 0;
};

/// One allocation in an iteration. It ends the kept task's chain of attached blocks.
struct KeptNode : AttachedBlock { ///< `count`: successors
    Task *task;                   ///< null: not kept; a new task is made each time
    const void *code;
    Task **successors;
    KeptTasks *set;
    std::int32_t armed;    ///< value of `predecessors` after completion
    std::uint32_t payload; ///< bytes
    TaskFlags flags;       ///< the replayed task's flags
    Relaxed<NodeKind> kind;

    bool is(std::uint32_t any_of) const { return static_cast<NodeKind>(kind).has(any_of); }
    /// Return the successors of the same iteration, and those of the next one.
    std::span<Task *const> successors_inside() const;
    std::span<Task *const> successors_crossing() const;
};
static_assert(sizeof(KeptNode) == kCacheLine);

inline std::span<Task *const> KeptNode::successors_crossing() const {
    return {successors, static_cast<NodeKind>(kind).crossing()};
}

inline std::span<Task *const> KeptNode::successors_inside() const {
    const std::uint32_t crossing = static_cast<NodeKind>(kind).crossing();
    return {successors + crossing, count - crossing};
}

enum PersistentFlag : unsigned {
    kReplay = 1u << 0,
    kNoBarrier = 1u << 1,
    kCheck = 1u << 2,
};

/// Begins an iteration at the place `where`. Returns true if the producer's code must run, followed
/// by end_iteration(). Returns false if the iteration was replayed.
LOOMP_MAY_SWITCH bool begin_iteration(const char *where, unsigned flags);
LOOMP_MAY_SWITCH void end_iteration();
/// Makes the next iteration at `where` a recorded one.
LOOMP_MAY_SWITCH void invalidate_graph(const char *where);
/// Inside an iteration: removes the task that would be created next, for this and all later
/// iterations. Returns false if there is none. Other tasks' graphs are compared at their next use.
LOOMP_MAY_SWITCH bool remove_next_task();
/// Waits for the unfinished tasks of the graph at `where` and frees it.
LOOMP_MAY_SWITCH void free_graph(const char *where);

class PersistentGraph;
class AutomaticGraphs;

/// The graphs of a producer. Owner: its DependenceMap.
class PersistentGraphs {
  public:
    /// In an iteration that uses kept tasks: the node of the next allocation, and the end of the
    /// nodes; otherwise both are null.
    KeptNode *next = nullptr;
    KeptNode *end = nullptr;
    /// The kept task that the producer has allocated and not launched; null: none. clang's programs
    /// evaluate clauses in between, which may wait or create tasks.
    Task *unlaunched = nullptr;
    PersistentGraph *current = nullptr; ///< the producer is in an iteration of it, or it drifts
                                        ///< (its tasks may run between iterations)
    PersistentGraph *first = nullptr;
    AutomaticGraphs *automatic = nullptr; ///< owned (runtime/core/persistent/persistent_auto.cpp)
    unsigned nested = 0; ///< iterations begun inside another one, which run normally
};
void delete_graphs(PersistentGraphs *graphs);
/// The producer, an implicit task, ends. The next region's task in its place finds the graphs
/// again, and compares its first iteration with them. Replayed graphs end, because their private
/// data may point to the old task's frames.
void end_region(PersistentGraphs &graphs);

/// Marks a KeptNode in a chain of attached blocks.
inline constexpr std::uint32_t kNodeClass = ~0u;

inline bool has_ended(const Task &task) {
    // acquire: sees the effects of the last use.
    return (task.successors.load(std::memory_order_acquire) & successors::kPointerMask) ==
           successors::kClosed;
}

/// Returns whether the last use of a kept task and of all tasks below it is over.
LOOMP_INLINE bool is_reusable(const Task &task) {
    return has_ended(task) && task.children.load(std::memory_order_acquire) == 0;
}

/// Sets the fields like allocate_task().
LOOMP_INLINE void refill(Task &task, const Task &producer, TaskFlags flags) {
    transition(task, TaskPhase::completed, TaskPhase::created);
    LOOMP_ASSERT(task.created == 0 && task.map == nullptr);
    open_successors(task);
    task.flags = flags | kKept | kHasDependences |
                 (producer.flags & (kFinal | kRunsChildrenInline | kPlacesNew));
    task.group = producer.group;
    task.icvs = producer.icvs;
    task.priority = 0;
}

// --- For front ends, where the running task has kPersistent --------------------------------------

/// Replaces allocate_task().
LOOMP_MAY_SWITCH Task *allocate_kept(Worker &worker, Task &parent, std::size_t payload,
                                     TaskFlags flags, TaskCode code);
/// Replaces spawn(). The following functions handle nearly all cases.
LOOMP_MAY_SWITCH void spawn_kept(Task &task, const Dependence *dependences, std::size_t count);
/// The creator will run `task` itself.
LOOMP_MAY_SWITCH void meet_undeferred(Task &task);

LOOMP_INLINE KeptNode &node_of(Task &task) {
    AttachedBlock *block = task.attached;
    while (LOOMP_UNLIKELY(block->size_class != kNodeClass))
        block = block->next;
    return *static_cast<KeptNode *>(block);
}

/// Returns the next kept task, if it matches the request and its last use is over; null: call
/// allocate_kept().
LOOMP_INLINE Task *next_kept(const Task &parent, std::size_t payload, TaskFlags flags,
                             const void *code) {
    // Descriptors are prefetched this far ahead of the producer, because other threads have used
    // them last.
    constexpr std::ptrdiff_t ahead = 6;
    PersistentGraphs &graphs = *parent.map->persistent;
    KeptNode *node = graphs.next;
    if (LOOMP_UNLIKELY(node == graphs.end || node->code != code || node->payload != payload ||
                       graphs.unlaunched != nullptr))
        return nullptr;
    Task *task = node->task;
    if (LOOMP_UNLIKELY(task == nullptr || !is_reusable(*task)))
        return nullptr;
    // The nodes have extra entries at their end, so that this read is valid (KeptTasks).
    const auto *later = reinterpret_cast<const char *>(node[ahead].task);
    prefetch_for_write(later);
    prefetch_for_write(later + kCacheLine);
    prefetch_for_write(later + 2 * kCacheLine);
    graphs.next = node + 1;
    graphs.unlaunched = task;
    refill(*task, parent, flags);
    return task;
}

/// Gives a filled kept task the priority that its successors pass to it.
LOOMP_NOINLINE void raise_kept(Task &task, const KeptNode &node);

/// Submits a filled kept task to the scheduler.
LOOMP_INLINE void launch(Worker &worker, Task &task, const KeptNode &node) {
    ++worker.discovery.tasks;
    task.parent->map->persistent->unlaunched = nullptr;
    count_task(task);
    transition(task, TaskPhase::created, TaskPhase::linked);
    if (node.armed == 1 || task.predecessors.remove())
        make_ready(task);
}

/// Launches the task if nothing else is to do. Its dependences must need no comparison, or
/// `same(node)` must find them unchanged. Returns false if spawn_kept() must decide.
template <class Same> LOOMP_INLINE bool launch_if_same(Worker &worker, Task &task, Same same) {
    const KeptNode &node = node_of(task);
    const NodeKind kind = node.kind;
    if (LOOMP_UNLIKELY(kind.has(NodeKind::checked | NodeKind::watched | NodeKind::raised))) {
        if (kind.has(NodeKind::raised))
            raise_kept(task, node);
        if (kind.has(NodeKind::watched) || (kind.has(NodeKind::checked) && !same(node)))
            return false;
    }
    launch(worker, task, node);
    return true;
}

/// Calls allocate_task() or its replacement, for any parent.
LOOMP_MAY_SWITCH LOOMP_INLINE Task *
allocate_child(Worker &worker, Task &parent, std::size_t payload, TaskFlags flags, TaskCode code) {
    return LOOMP_UNLIKELY(parent.has(kPersistent))
               ? allocate_kept(worker, parent, payload, flags, code)
               : allocate_task(worker, parent, payload, flags);
}

// --- For the core --------------------------------------------------------------------------------

/// The running task is about to use its table of addresses.
LOOMP_MAY_SWITCH void enter_kept_accesses(Task &producer);
/// The running task waits for its children, or for some of them.
void note_wait(Task &producer);

/// The running task, which has kPersistent, creates a transparent task. No graph can keep that,
/// because its edges depend on its children's accesses. The iteration continues without its graph.
LOOMP_MAY_SWITCH void leave_for_transparent(Task &producer);
/// Returns whether weak tasks of the running task are part of it, in an iteration that the program
/// declared. Such a task only creates others. So its creator runs its code as its own, and keeps
/// the tasks made there as its own. Their order is that of their creation there. They are not
/// allocated as kept tasks.
bool takes_weak_in(Task &producer);
/// Runs the weak task's code in the creator. Returns false if the task is undeferred, final,
/// untied, or has an event.
LOOMP_MAY_SWITCH bool take_in(Task &task);

/// LOOMP_PERSISTENT=auto. Set once at start.
LOOMP_HIDDEN extern bool persists_automatically;
/// For LOOMP_PERSISTENT=auto: whether a transparent task prevented a graph.
LOOMP_HIDDEN extern Relaxed<bool> met_transparent;
/// For LOOMP_PERSISTENT=auto: all children of the running task have completed, so its next
/// creations may repeat an earlier iteration.
void children_have_completed(Task &producer);

} // namespace loomp::core
