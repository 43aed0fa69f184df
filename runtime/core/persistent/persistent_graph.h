// Shared by persistent*.cpp: the recording of an iteration, the kept tasks, and the graph with its
// state. persistent.h describes which thread may use what.
#pragma once

#include <memory>
#include <vector>

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "runtime/core/dependences/graph_builder.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

/// The record of an iteration that runs normally.
struct Recording {
    struct Entry { ///< a large iteration has many: one cache line
        Task
            *task; ///< recognises the task when it is spawned; the task may no longer exist by then
        TaskCode code;
        InvokeFn invoke;
        std::size_t image; ///< offset in `images`
        struct {
            std::uint32_t first; ///< in `dependences`
            std::uint32_t count;
        } accesses;
        std::uint32_t payload;
        TaskFlags flags;
        std::int32_t priority;
        RouteNumber route;
        bool deferred; ///< a task of the graph
        bool run_by_creator;
    };
    static_assert(sizeof(Entry) == kCacheLine);
    /// Only tools and the propagation of priorities use this part of an entry.
    struct Origin {
        const void *codeptr; ///< the reported address of its creation, for tools
        std::uint64_t sending_kind;
    };
    GrowingArray<Entry> entries;
    GrowingArray<Origin> origins; ///< one per entry, or none
    KeptDependences dependences;
    GrowingArray<char> images; ///< payloads, for replay
    std::size_t submitted = 0; ///< number of entries up to the last submitted one
    std::size_t waited_at =
        0; ///< number of entries at the last wait inside the iteration; 0: no wait
    const char *unfit = nullptr;        ///< the reason why no graph can be made
    const char *unfit_replay = nullptr; ///< the reason why it cannot be replayed

    void clear();
    Entry *find(const Task &task);
};

/// A replayed kept task's data for a tool. The tool sees the creations of an iteration when that
/// begins, perhaps while the task still runs for an earlier one. Guarded by KeptTasks::tools_lock.
struct KeptTool {
    const void *codeptr = nullptr; ///< the task construct's
    std::vector<ToolTask *>
        to_run; ///< the next use's data comes first; Task::tool has the present one's
};

/// The kept tasks of one graph and their edges.
///
/// Freed when none of them is in use. retire() takes them when the graph is left or its producer
/// ends.
struct KeptTasks {
    KeptTasks() = default;
    ~KeptTasks();
    KeptTasks(const KeptTasks &) = delete;
    KeptTasks &operator=(const KeptTasks &) = delete;

    /// Returns whether all launched ones have completed and released their children.
    bool idle() const;

    /// One for each allocation of an iteration, then the joins, then some extra entries that
    /// next_kept() may read.
    GrowingArray<KeptNode> nodes;
    GrowingArray<Task *> successors;
    GrowingArray<std::uint32_t> first_dependence; ///< one per allocation, and one more
    KeptDependences dependences;
    TaskVector<Task *> starts; ///< replayed: the tasks with a guard
    /// The sources of an allocation's priority, besides its successors.
    struct Clause {
        std::int32_t priority; ///< the last value of its clause
        std::uint64_t sending_kind;
    };
    TaskVector<Clause> clauses;          ///< one per allocation, or none: no task has a priority
    TaskVector<std::int32_t> priorities; ///< one per node, if they are propagated
    static constexpr std::uint32_t kPrioritiesOld = 0;
    std::uint32_t priorities_as_of = kPrioritiesOld; ///< value of `priority_changes` at that time
    SpinLock tools_lock;
    std::vector<KeptTool> tools; ///< one per replayed node; empty without a tool
    std::uint32_t allocations = 0;
    std::uint32_t kept = 0; ///< tasks among the allocations
    std::uint32_t lasts = 0;
    std::uint64_t launched = 0; ///< replayed iterations
    /// Counts completed NodeKind::last tasks: relaxed except for the last access in a replayed
    /// iteration (release).
    Atomic<std::uint64_t> lasts_done{0};
    /// Counts ready empty nodes that are not finished, and replayed tasks that have completed but
    /// have unreleased children. Each accesses the graph once more, perhaps after all tasks have
    /// completed.
    Atomic<std::uint32_t> outstanding{0};
    KeptTasks *next_retired = nullptr;
};

/// The node's number in its graph.
inline std::size_t index_of(const KeptNode &node) {
    return static_cast<std::size_t>(&node - node.set->nodes.data());
}

/// The kept dependences of an allocation.
struct KeptAccesses {
    KeptDependences::Slice first;
    std::uint32_t count;
};
inline KeptAccesses accesses_of(const KeptNode &node) {
    const KeptTasks &set = *node.set;
    const std::uint32_t *at = set.first_dependence.data() + index_of(node);
    return {set.dependences.from(at[0]), at[1] - at[0]};
}

/// Returns, before an iteration, whether its priorities are up to date.
inline bool has_current_priorities(const KeptTasks &kept) {
    return kept.priorities_as_of == priority_changes.load(std::memory_order_relaxed);
}
/// Passes priorities along the kept edges (runtime/core/persistent/persistent_priority.cpp). The
/// producer calls it; for a replayed graph, only while nothing runs.
LOOMP_COLD void renew_priorities(KeptTasks &kept);

/// Reports the tasks of an iteration to the tool, before its replay. The producer calls it.
LOOMP_COLD void tell_of_replay(Task &producer, KeptTasks &kept);

/// Frees `kept`, now or when its tasks have completed.
void retire(std::unique_ptr<KeptTasks> kept);

/// Makes the kept tasks from `recording`, whose dependences they take. `replayed`: completion
/// restores their payloads. `crossing`: no barriers separate iterations. `checked`: also keeps
/// dependences.
std::unique_ptr<KeptTasks> keep(Worker &worker, Task &producer, Recording &recording, bool replayed,
                                bool crossing, bool checked);

class PersistentGraph {
  public:
    enum class State {
        recording, ///< the next iteration, or the current one, is recorded
        ready,     ///< nothing of the graph runs
        executing, ///< the producer is in an iteration that uses the kept tasks
        drifting,  ///< between iterations; kept tasks may be running
        left,      ///< the iteration deviated: new tasks are made for its rest
        unusable,  ///< no graph can be made
    };

    static constexpr std::uint32_t kNew = 0; ///< its task has not used it

    PersistentGraph(const char *where, unsigned flags, PersistentGraphs &owner)
        : where(where), flags(flags), owner(owner) {}

    /// Returns the number of allocations of this iteration so far.
    std::uint32_t cursor() const {
        return state == State::executing
                   ? static_cast<std::uint32_t>(owner.next - kept->nodes.data())
               : kept != nullptr ? kept->allocations
                                 : 0;
    }
    void start(std::uint32_t at) {
        owner.next = kept->nodes.data() + at;
        owner.end = kept->nodes.data() + kept->allocations;
    }
    /// Leaves the state `executing`.
    void stop(State next_state) {
        owner.next = owner.end = nullptr;
        state = next_state;
    }

    const char *where;
    unsigned flags;
    PersistentGraphs &owner;
    State state = State::recording;
    bool automatic = false; ///< found automatically: prints nothing, and is kept when left
    bool inside = false;    ///< between begin and end of an iteration
    bool warned = false;
    bool replays = false;
    bool doubted = false;       ///< this iteration is compared with the kept one, without a message
    std::uint32_t as_of = kNew; ///< value of `announced_changes` when it was last recorded or used
    bool unsynced = false;      ///< tasks outside the graph may conflict with the next iteration
    unsigned failures = 0;      ///< deviating iterations in a row
    std::uint32_t entered = 0;  ///< allocations below this number are in the producer's table
    bool entering = false;      ///< the table has entries of the graph
    Recording recording;
    std::unique_ptr<KeptTasks> kept;
    TaskGroup *launched_group = nullptr; ///< the group and ICVs of the last replay
    Icvs *launched_icvs = nullptr;
    PersistentGraph *next = nullptr;
};

/// A transparent task prevents tasks from being kept. Warns once per process, for graphs that the
/// program requested.
void note_transparent(bool automatic);
/// Returns whether the producer's tasks cannot, or need not, be kept.
bool needs_no_graph(const Worker &worker, const Task &producer, unsigned flags);
/// Sets whether the producer's creations are intercepted.
void intercept(Task &producer, bool on);
/// Returns the graph whose iteration the producer is in, or that drifts.
inline PersistentGraph &current_of(Task &producer) { return *producer.map->persistent->current; }
/// Waits until all tasks have completed: no graph drifts, and the table has no relevant entry.
LOOMP_MAY_SWITCH void come_to_rest(Task &producer, PersistentGraph &graph);
/// The program deviates from the graph: new tasks are made from here on.
LOOMP_NOINLINE void leave(Task &producer, PersistentGraph &graph, const char *how);
/// Launches the removed tasks that are next, because the program does not create them.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void launch_removed(Task &producer, PersistentGraph &graph);

/// Called at the first creation of a possible iteration: makes the graph that begins with it
/// current.
bool choose_automatic(Task &producer, std::size_t payload, const void *code);
/// The producer, whose tasks have completed, declares its iterations itself.
void stop_automatic(Task &producer, PersistentGraphs &graphs);
void delete_automatic(AutomaticGraphs *automatic);

} // namespace loomp::core
