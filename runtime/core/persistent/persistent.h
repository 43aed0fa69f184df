// Persistent task graphs: the tasks of an iteration are kept, with all their edges, and
// used again by the next ones.
//
// A PersistentGraph belongs to the task that creates the iteration's tasks, the producer, and is
// found by the place in its code. The first iteration runs as any code does, while the allocations,
// payloads and dependences are noted; then the complete graph is planned (graph_builder.h) and one
// *kept task* made for each task. In later iterations the n-th allocation of the producer gets the
// n-th kept task (re-execution), or the producer's code is not run at all (replay).
//
// The counter of a kept task. `predecessors` is set by the task's own completion, before it
// releases anybody, to the value for its next use: the edges within an iteration, those from the
// iteration before, and a guard that the producer drops when it has filled the payload. This needs
// no agreement with those who subtract: an edge u -> v exists since both access something in
// conflict, so all earlier uses of v come before u in the order that the edges enforce, and v has
// set its counter before u can complete (tests/model/persistent.pml). In replay only the tasks
// without predecessors in their own iteration have a guard: the others cannot start before those.
//
// When nothing runs, every counter equals the edges within an iteration plus the guard: the
// iteration before has subtracted its share.
//
// Deviations. A producer that creates something else than was kept leaves the graph at that point:
// what it has launched so far is entered in its table of addresses, so that further tasks are
// ordered after it in the usual way (kept tasks accept edges like any other), the remaining kept
// tasks are never launched, and the next iteration is recorded.
//
// A task that the program removes becomes an empty node.
//
// Thread safety: the producer's thread only, except complete_kept() and release_kept_parent().
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

/// What makes two allocations the same one: the outlined code. `self_at`: offset of the word in the
/// payload that points into the payload itself.
struct TaskCode {
    const void *code;
    std::uint32_t self_at;
};
inline constexpr std::uint32_t kNoSelf = ~0u;
inline constexpr std::uint32_t kManySelves = kNoSelf - 1; ///< several words: it cannot be replayed

/// How a kept task takes part in its graph: flags, and the number of its successors in the next
/// iteration. Those come first in its list.
class NodeKind {
  public:
    enum Flag : std::uint32_t {
        replayed = 1u << 0, ///< not refreshed by the producer: completion restores the payload
        joins = 1u << 1,    ///< empty, made by the plan: not one of the producer's children
        last = 1u << 2,     ///< replayed, without successors in its iteration
        removed = 1u << 3,  ///< launched as an empty task without the program's doing
        starts = 1u << 4,   ///< replayed, with a guard: its list of successors tells its end
        checked = 1u << 5,  ///< spawn_kept() compares its dependences
        watched = 1u << 6,  ///< spawn_kept() has more to do than launch()
        raised = 1u << 7,   ///< its priority may be higher than its clause says
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

/// Of one allocation in an iteration. It ends the kept task's chain of attached blocks.
struct KeptNode : AttachedBlock { ///< `count`: successors
    Task *task;                   ///< null: not kept, made anew each time
    const void *code;
    Task **successors;
    KeptTasks *set;
    std::int32_t armed;    ///< value of `predecessors` after completion
    std::uint32_t payload; ///< bytes
    TaskFlags flags;       ///< of the task when replayed
    Relaxed<NodeKind> kind;

    bool is(std::uint32_t any_of) const { return static_cast<NodeKind>(kind).has(any_of); }
    /// The successors of the same iteration, and those of the next one.
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

/// Begins an iteration at the place `where`; true: the producer's code is to be run, then
/// end_iteration() to be called. False: it was replayed.
LOOMP_MAY_SWITCH bool begin_iteration(const char *where, unsigned flags);
LOOMP_MAY_SWITCH void end_iteration();
/// The next iteration at `where` is recorded anew.
LOOMP_MAY_SWITCH void invalidate_graph(const char *where);
/// Inside an iteration: the task that would be created next exists no longer, from now on.
/// False if there is none.
LOOMP_MAY_SWITCH bool remove_next_task();
/// Waits for what is left of the graph at `where` and frees it.
LOOMP_MAY_SWITCH void free_graph(const char *where);

class PersistentGraph;
class AutomaticGraphs;

/// The graphs of a producer. Owner: its DependenceMap.
class PersistentGraphs {
  public:
    /// In an iteration that uses kept tasks: the node of the next allocation, and the end of those;
    /// otherwise both null.
    KeptNode *next = nullptr;
    KeptNode *end = nullptr;
    /// The kept task that the producer has allocated and not launched; null: none.
    const Task *unlaunched = nullptr;
    PersistentGraph *current = nullptr; ///< inside an iteration of it, or it drifts
    PersistentGraph *first = nullptr;
    AutomaticGraphs *automatic = nullptr; ///< owned (runtime/core/persistent/persistent_auto.cpp)
    unsigned nested = 0;                  ///< iterations begun inside one: run in the ordinary way
};
void delete_graphs(PersistentGraphs *graphs);
/// The implicit task that is the producer ends; the next region's task in its place finds the
/// graphs again, but not those that are replayed: their private data may point to its frames.
void end_region(PersistentGraphs &graphs);

/// Marks a KeptNode in a chain of attached blocks.
inline constexpr std::uint32_t kNodeClass = ~0u;

inline bool has_ended(const Task &task) {
    // acquire: the last use's effects.
    return (task.successors.load(std::memory_order_acquire) & successors::kPointerMask) ==
           successors::kClosed;
}

/// Whether a kept task's last use is over, and that of all below it.
LOOMP_INLINE bool is_reusable(const Task &task) {
    return has_ended(task) && task.children.load(std::memory_order_acquire) == 0;
}

/// As allocate_task() leaves it.
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

/// In the place of allocate_task().
LOOMP_MAY_SWITCH Task *allocate_kept(Worker &worker, Task &parent, std::size_t payload,
                                     TaskFlags flags, TaskCode code);
/// In the place of spawn(). Nearly always the next functions serve.
LOOMP_MAY_SWITCH void spawn_kept(Task &task, const Dependence *dependences, std::size_t count);
/// Its creator will run `task` itself.
LOOMP_MAY_SWITCH void meet_undeferred(Task &task);

LOOMP_INLINE KeptNode &node_of(Task &task) {
    AttachedBlock *block = task.attached;
    while (LOOMP_UNLIKELY(block->size_class != kNodeClass))
        block = block->next;
    return *static_cast<KeptNode *>(block);
}

/// The next kept task, if it is the one asked for and its last use is over; null: allocate_kept().
LOOMP_INLINE Task *next_kept(const Task &parent, std::size_t payload, TaskFlags flags,
                             const void *code) {
    // How far ahead of the producer descriptors are fetched: others have used them last.
    constexpr std::ptrdiff_t ahead = 6;
    PersistentGraphs &graphs = *parent.map->persistent;
    KeptNode *node = graphs.next;
    if (LOOMP_UNLIKELY(node == graphs.end || node->code != code || node->payload != payload))
        return nullptr;
    Task *task = node->task;
    if (LOOMP_UNLIKELY(task == nullptr || !is_reusable(*task)))
        return nullptr;
    // Behind the last nodes there is room to look at (KeptTasks).
    const auto *later = reinterpret_cast<const char *>(node[ahead].task);
    prefetch_for_write(later);
    prefetch_for_write(later + kCacheLine);
    prefetch_for_write(later + 2 * kCacheLine);
    graphs.next = node + 1;
    graphs.unlaunched = task;
    refill(*task, parent, flags);
    return task;
}

/// Gives a filled kept task the priority that those after it hand down.
LOOMP_NOINLINE void raise_kept(Task &task, const KeptNode &node);

/// Hands a filled kept task over to the scheduler.
LOOMP_INLINE void launch(Worker &worker, Task &task, const KeptNode &node) {
    ++worker.discovery.tasks;
    task.parent->map->persistent->unlaunched = nullptr;
    count_task(task);
    transition(task, TaskPhase::created, TaskPhase::linked);
    if (node.armed == 1 || task.predecessors.remove())
        make_ready(task);
}

/// The same, if that is all there is to do, and the task's dependences need not be compared or
/// `same(node)` finds that they are as they were; otherwise false, and spawn_kept() is to decide.
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

/// allocate_task(), whatever the parent.
LOOMP_MAY_SWITCH LOOMP_INLINE Task *
allocate_child(Worker &worker, Task &parent, std::size_t payload, TaskFlags flags, TaskCode code) {
    return LOOMP_UNLIKELY(parent.has(kPersistent))
               ? allocate_kept(worker, parent, payload, flags, code)
               : allocate_task(worker, parent, payload, flags);
}

// --- For the core --------------------------------------------------------------------------------

/// The running task is about to use its table of addresses.
LOOMP_MAY_SWITCH void enter_kept_accesses(Task &producer);
/// It waits for its children, or for some of them.
void note_wait(Task &producer);

/// The running task, which has kPersistent, creates a transparent task, whose edges depend on what
/// its children will access: no graph can keep it. The iteration goes on without its graph.
LOOMP_MAY_SWITCH void leave_for_transparent(Task &producer);
/// Whether weak tasks of the running task are part of it: in an iteration that the program
/// declared. Such a task only creates others, so its creator runs its code as its own, and keeps
/// the tasks made there as its own: they come in the order in which they would be created in that
/// place. They are not allocated as kept tasks are.
bool takes_weak_in(Task &producer);
/// Does so. False: the task is none of those, since it is undeferred, final, untied, or has an
/// event.
LOOMP_MAY_SWITCH bool take_in(Task &task);

/// LOOMP_PERSISTENT=auto. Set once at start.
LOOMP_HIDDEN extern bool persists_automatically;
/// With that: whether a transparent task kept something from being kept.
LOOMP_HIDDEN extern Relaxed<bool> met_transparent;
/// With that: all children of the running task have completed, so what it creates next may be an
/// iteration that it has created before.
void children_have_completed(Task &producer);

} // namespace loomp::core
