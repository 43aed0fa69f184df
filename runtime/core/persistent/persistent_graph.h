// What persistent*.cpp share: what is noted of the recorded iteration, the kept tasks, and the
// graph with its state. See persistent.h for who may touch what.
#pragma once

#include <memory>
#include <vector>

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "runtime/core/dependences/graph_builder.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

/// The record of an iteration that runs in the ordinary way.
struct Recording {
    struct Entry {
        Task *task; ///< to recognise it when it is spawned; it may be gone by then
        TaskCode code;
        InvokeFn invoke;
        std::uint32_t payload;
        TaskFlags flags;
        std::int32_t priority;
        bool deferred; ///< a task of the graph
        bool run_by_creator;
        std::size_t image; ///< offset in `images`
        GraphTask accesses;
        const void *codeptr; ///< where tools are told that it was created
        std::uint64_t sending_kind;
        RouteNumber route;
    };
    std::vector<Entry> entries;
    std::vector<Dependence> dependences;
    std::vector<char> images;  ///< payloads, for replay
    std::size_t waited_at = 0; ///< number of entries at the last wait inside the iteration; 0: none
    const char *unfit = nullptr;        ///< why no graph can be made of it
    const char *unfit_replay = nullptr; ///< why it cannot be replayed

    void clear();
    Entry *find(const Task &task);
};

/// Of a kept task that is replayed, under a tool: it is told of the creations of an iteration when
/// that begins, perhaps while the task runs for one before. Guarded by KeptTasks::tools_lock.
struct KeptTool {
    const void *codeptr = nullptr;  ///< of the task construct
    std::vector<ToolTask *> to_run; ///< the next use's first; the present one has Task::tool
};

/// The kept tasks of one graph and their edges.
///
/// Freed when none of them is in use any more; a graph that is left or whose producer ends hands
/// them to retire().
struct KeptTasks {
    KeptTasks() = default;
    ~KeptTasks();
    KeptTasks(const KeptTasks &) = delete;
    KeptTasks &operator=(const KeptTasks &) = delete;

    /// Whether all launched ones have completed and let go of their children.
    bool idle() const;

    /// One for each allocation of an iteration, then the joins, then some for next_kept() to look
    /// at.
    std::vector<KeptNode> nodes;
    std::vector<Task *> successors;
    std::vector<std::uint32_t> first_dependence; ///< of nodes; one more than allocations
    std::vector<Dependence> dependences;
    std::vector<Task *> starts; ///< replayed: the tasks with a guard
    /// What an allocation's priority comes from, besides those after it.
    struct Clause {
        std::int32_t priority; ///< of its clause, as it was last met
        std::uint64_t sending_kind;
    };
    std::vector<Clause> clauses;
    std::vector<std::int32_t> priorities; ///< of nodes, when they are propagated
    static constexpr std::uint32_t kPrioritiesOld = 0;
    std::uint32_t priorities_as_of = kPrioritiesOld; ///< `priority_changes` then
    SpinLock tools_lock;
    std::vector<KeptTool> tools; ///< of nodes that are replayed; empty without a tool
    std::uint32_t allocations = 0;
    std::uint32_t kept = 0; ///< tasks among the allocations
    std::uint32_t lasts = 0;
    std::uint64_t launched = 0; ///< replayed iterations
    /// NodeKind::last tasks completed: relaxed but for the last touch of a replayed iteration
    /// (release).
    Atomic<std::uint64_t> lasts_done{0};
    /// Empty nodes that are ready, and not done with; replayed tasks that have completed, and whose
    /// children are not released. Each touches the graph once more, perhaps when all tasks have
    /// completed.
    Atomic<std::uint32_t> outstanding{0};
    KeptTasks *next_retired = nullptr;
};

/// The node's number in its graph.
inline std::size_t index_of(const KeptNode &node) {
    return static_cast<std::size_t>(&node - node.set->nodes.data());
}

/// The dependences of one of the allocations, as kept.
struct KeptAccesses {
    const Dependence *first;
    std::uint32_t count;
};
inline KeptAccesses accesses_of(const KeptNode &node) {
    const KeptTasks &set = *node.set;
    const std::uint32_t *at = set.first_dependence.data() + index_of(node);
    return {set.dependences.data() + at[0], at[1] - at[0]};
}

/// Before an iteration: whether priorities were handed down as they are to be now.
inline bool has_current_priorities(const KeptTasks &kept) {
    return kept.priorities_as_of == priority_changes.load(std::memory_order_relaxed);
}
/// Hands priorities down along the kept edges (runtime/core/persistent/persistent_priority.cpp). By
/// the producer; of a graph that is replayed, only where nothing runs.
LOOMP_COLD void renew_priorities(KeptTasks &kept);

/// Tells the tool of the tasks of an iteration, which is about to be replayed. By the producer.
LOOMP_COLD void tell_of_replay(Task &producer, KeptTasks &kept);

/// Frees `kept`, now or when its tasks have completed.
void retire(std::unique_ptr<KeptTasks> kept);

/// Makes the kept tasks for what `recording` noted. `replayed`: their payloads are restored by
/// completion. `crossing`: iterations are not separated by barriers. `checked`: dependences too.
std::unique_ptr<KeptTasks> keep(Worker &worker, Task &producer, const Recording &recording,
                                bool replayed, bool crossing, bool checked);

class PersistentGraph {
  public:
    enum class State {
        recording, ///< the next iteration, or the one in progress, is noted
        ready,     ///< nothing of the graph runs
        executing, ///< the producer's code is in an iteration that uses the kept tasks
        drifting,  ///< between iterations, kept tasks may be running
        left,      ///< in an iteration that deviated: for its rest, tasks are made anew
        unusable,  ///< no graph can be made
    };

    PersistentGraph(const char *where, unsigned flags, PersistentGraphs &owner)
        : where(where), flags(flags), owner(owner) {}

    /// Number of allocations of this iteration so far.
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
    bool automatic = false; ///< found, not asked for: says nothing, is kept when left
    bool inside = false;    ///< between begin and end of an iteration
    bool warned = false;
    bool replays = false;
    bool unsynced = false;     ///< tasks outside the graph may be in the way of the next iteration
    unsigned failures = 0;     ///< iterations left in a row
    std::uint32_t entered = 0; ///< allocations below it are in the producer's table
    bool entering = false;     ///< the table has anything of the graph
    Recording recording;
    std::unique_ptr<KeptTasks> kept;
    TaskGroup *launched_group = nullptr; ///< what replayed tasks last had
    Icvs *launched_icvs = nullptr;
    PersistentGraph *next = nullptr;
};

/// Tasks cannot be kept because of one that is transparent. One line a process says so, of graphs
/// that the program asked for.
void note_transparent(bool automatic);
/// Whether the producer's tasks cannot, or need not, be kept.
bool needs_no_graph(const Worker &worker, const Task &producer, unsigned flags);
/// Whether the producer's creations are looked at.
void intercept(Task &producer, bool on);
/// The graph whose iteration the producer is in, or that drifts.
inline PersistentGraph &current_of(Task &producer) { return *producer.map->persistent->current; }
/// Waits until all tasks have completed: nothing drifts, and the table names nothing that matters.
LOOMP_MAY_SWITCH void come_to_rest(Task &producer, PersistentGraph &graph);
/// The program does something else than was kept: from here on, tasks are made anew.
LOOMP_NOINLINE void leave(Task &producer, PersistentGraph &graph, const char *how);
/// Launches the removed tasks that are next: they come by themselves.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void launch_removed(Task &producer, PersistentGraph &graph);

/// At the first creation of what may be an iteration: makes the graph that begins with it current.
bool choose_automatic(Task &producer, std::size_t payload, const void *code);
/// The producer, whose tasks have completed, says itself what its iterations are.
void stop_automatic(Task &producer, PersistentGraphs &graphs);
void delete_automatic(AutomaticGraphs *automatic);

} // namespace loomp::core
