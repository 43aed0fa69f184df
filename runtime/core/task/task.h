// The task descriptor: code, place in the task tree, and state. It is the head of one allocation
// that also holds the front end's part (`payload`) and room for the edges of the task graph.
//
// Lifecycle. Each transition has one door, which calls transition() (below):
//
//   created    allocate_task()            by its creator's thread; copy constructors run in it
//   linked     before link_dependences()  by that thread; predecessors may already be completing.
//                                         Exclusion::park(): it waits for a lock
//   ready      make_ready()               by the thread that brings `predecessors` to zero; a
//                                         worker may then take it from a queue and put it into
//                                         another one (queue_ready())
//   running    execute()                  by the worker that took it from a queue, or by its
//                                         creator's (work_first.h, run_undeferred())
//   suspended  suspend()                  by the task itself; resumed by make_resumable().
//              finish_special()           its code has returned and will run again: it has no
//                                         stack meanwhile
//   finished   finish(): the body has returned. A task whose event is unfulfilled, or that is held,
//              stays so until fulfill(), release_holds(). An empty node becomes finished when it is
//              ready, a member of a batch when the batch has run
//   completed  complete(): successors released, parent and taskgroup told
//   released   release_task(): memory recycled, once the last child is released. A kept task is
//              created or, if it is replayed, ready again instead
//
// An implicit task is running or released.
//
// Memory of descriptors is type-stable: a recycled block is only ever a Task again. So a stale
// pointer to a Task may be read, and `serial` tells that it is stale
// (runtime/core/dependences/successors.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

struct Task;
struct Team;
struct Icvs;
struct TaskGroup;
struct Member;
struct Suspension;
struct ToolTask;
class DependenceMap;
class DependenceSet;

using InvokeFn LOOMP_MAY_SWITCH = void (*)(Task &);

/// An edge of the task graph, kept in the predecessor's list. It lives in the successor's block,
/// which outlives it: the successor cannot complete before every predecessor has let go.
struct Edge {
    Task *successor;
    Edge *next;
};

/// A block chained to a task and freed with it: edges that do not fit behind the payload, or the
/// task's exclusion list (runtime/core/dependences/exclusion.h).
struct AttachedBlock {
    AttachedBlock *next;
    std::uint32_t size_class;
    std::uint32_t count; ///< edges it can hold, or exclusions it holds
    void *contents() { return this + 1; }
};

// Three sets of flags say what a task is, by which queues it goes, and what has become of it. They
// share one word since the steps that every task takes ask for all of them at once, with one test:
// whether a creator's tasks take the fast path (creates_plainly()), whether completing a task is
// more than releasing its successors, whether a task may run where it was created. The word is not
// atomic: it belongs to the creator until the task is visible to others, then to the thread that
// runs or completes the task.

/// The construct's clauses, and its kind. Constant while the task runs, but
/// for kDetachable (hold()) and kTied (tie_running_task()).
enum TaskClause : std::uint32_t {
    kTied = 1u << 0,
    kFinal = 1u << 1,      ///< the final clause, or such a descendant in its team
    kUndeferred = 1u << 2, ///< its creator waits for it
    kMergeable = 1u << 3,
    kDetachable = 1u << 4,
    /// its children and its siblings depend on each other (runtime/core/scheduling/transparent.h)
    kTransparent = 1u << 5,
    kWeak = 1u << 6,           ///< with kTransparent: it does not wait for its dependences itself
    kHasDependences = 1u << 7, ///< may have successors: close the list when it completes
    kTarget = 1u << 9,
    kImplicit = 1u << 10, ///< implicit or initial task, embedded in a Member
    kRunsChildrenInline =
        1u << 11,        ///< tasks met in it run at once: final, or in no parallel region
    kCleanup = 1u << 12, ///< discarded, it is still invoked (with kCancelled), to clean up
};

/// The task's route through the queues. Set before others can see the task, but for kFusible.
enum TaskRoute : std::uint32_t {
    kRedirect = 1u << 13,    ///< an empty node of the graph, completed without running
    kNodeOnly = 1u << 14,    ///< a dependence node on its waiter's stack: resumes it, runs nothing
    kPrioritized = 1u << 15, ///< goes through the queues of runtime/core/scheduling/priority.h
    kFusible = 1u << 16,     ///< may run as part of a batch; cleared when it is taken alone
    kPlaced = 1u << 17,      ///< waits in a shared queue (runtime/core/scheduling/placing.h)
    kPlacesNew = 1u << 18,   ///< so do its children without dependences, and theirs
    kKept = 1u << 19, ///< belongs to a persistent graph (runtime/core/persistent/persistent.h)
    kPropagates =
        1u << 20, ///< known to runtime/core/scheduling/priority_graph.h until it completes
};

/// The task's state and possessions. The thread that runs or completes the task changes them.
enum TaskState : std::uint32_t {
    kStarted = 1u << 21,   ///< its body was entered at least once
    kCancelled = 1u << 22, ///< discarded: its code must not run
    kRequeue = 1u << 23,   ///< an untied task handed its next part to the scheduler
    /// a function is called when its code has returned (runtime/core/scheduling/run_again.h); with
    /// kDetachable
    kTellsReturn = 1u << 24,
    /// until it is submitted: it depends on a set besides its clause
    /// (runtime/core/scheduling/next_task.h)
    kNamesSet = 1u << 25,
    kOwnsIcvs = 1u << 26,  ///< `icvs` is its own, not its parent's
    kExclusive = 1u << 27, ///< mutexinoutset: the first attached block lists the locks
    kExports = 1u << 28,   ///< transparent, with dependences: the first attached block lists them
    kHasTransparent = 1u << 29, ///< its map names proxies of grandchildren
    kPersistent = 1u << 30,     ///< what it creates may belong to a persistent graph
    /// asked something of the next task it creates (runtime/core/scheduling/next_task.h)
    kHasNextRequest = 1u << 31,
    kOnUntied = 1u << 8, ///< run by the front end in its creator's place, where no frame is tied
};

/// A set of any of them.
using TaskFlags = std::uint32_t;

/// Names the event of a detach clause (runtime/core/scheduling/detach_event.h).
using EventHandle = std::uint64_t;

template <class F>
concept TaskFlag =
    std::is_same_v<F, TaskClause> || std::is_same_v<F, TaskRoute> || std::is_same_v<F, TaskState>;
template <TaskFlag A, TaskFlag B> constexpr TaskFlags operator|(A a, B b) {
    return TaskFlags{a} | TaskFlags{b};
}

/// Tasks that no member's deque holds: empty nodes, and those with queues of their own.
inline constexpr TaskFlags kNotForDeque = kRedirect | kNodeOnly | kPrioritized | kFusible | kPlaced;

/// The completion of a detachable task waits for more than its body: the event of its detach
/// clause, and holds that it has put on itself (hold()). The finishing worker, the fulfilling
/// thread and those who release holds race; each does one atomic operation, and the one that leaves
/// `kComplete` completes the task.
///
/// bit  31      kBodyReturned
/// bit  30      kEventHappened; set at the first hold where there is no clause
/// bits 29..0   holds: added by the running task only, so never after kBodyReturned
namespace detach {
inline constexpr std::uint32_t kBodyReturned = 1u << 31;
inline constexpr std::uint32_t kEventHappened = 1u << 30;
inline constexpr std::uint32_t kComplete = kBodyReturned | kEventHappened;
} // namespace detach

// clang-format off
/// The children word: how many children are not yet released, and who waits for that.
///
/// bits 63..32  live: children not released, minus those created since the owner last folded
///              `created` in (so creation costs no atomic access; the field is modulo 2^32)
/// bit  31      kWaitCompleted: the owner waits until live == zombies (taskwait)
/// bit  30      kWaitReleased: the owner's tree must empty (barrier): live == 0
/// bit  29      kFinished: the owner completed; the thread that brings live to 0 releases it. If
///              the owner is implicit: its thread, which loomp did not make, has ended
///              (dissolve_root())
/// bit  28      kWaitGroup: the owner waits at the end of its innermost taskgroup, `group`. The
///              thread that takes the flag may use the group until it gives the flag back or
///              resumes the owner
/// bit  27      kWaitFewer: the owner is throttled until few enough are live
///              (runtime/core/scheduling/throttle.h)
/// bit  26      kUncounted: with kFinished, its parent's zombies are without it
/// bits 25..0   zombies: children that completed but still have live children of their own. At most
///              kMostZombies are counted, and one more for each thread that counts at that moment:
///              those beyond complete for their parent when their own children are released
///
/// Only the thread that runs the owner sets flags or folds. A thread that resumes the owner early
/// takes kWaitFewer back, or the flag of the wait in which the owner is to run a task. Completing
/// children subtract. With a flag set no child is being created, so each condition becomes true at
/// exactly one operation, and the thread that does that operation signals.
// clang-format on
namespace children {
inline constexpr std::uint64_t kOne = 1ull << 32;
inline constexpr std::uint64_t kZombie = 1ull;
inline constexpr std::uint64_t kZombieMask = (1ull << 26) - 1;
inline constexpr std::uint32_t kMostZombies = 1u << 25;
inline constexpr std::uint64_t kUncounted = 1ull << 26;
inline constexpr std::uint64_t kWaitFewer = 1ull << 27;
inline constexpr std::uint64_t kWaitGroup = 1ull << 28;
inline constexpr std::uint64_t kFinished = 1ull << 29;
inline constexpr std::uint64_t kWaitReleased = 1ull << 30;
inline constexpr std::uint64_t kWaitCompleted = 1ull << 31;
/// A flag of these says that all children created are in the word.
inline constexpr std::uint64_t kFolded =
    kUncounted | kWaitFewer | kFinished | kWaitReleased | kWaitCompleted;
inline constexpr std::uint64_t kFlags = kFolded | kWaitGroup;
inline std::uint32_t live(std::uint64_t w) { return static_cast<std::uint32_t>(w >> 32); }
inline std::uint32_t zombies(std::uint64_t w) {
    return static_cast<std::uint32_t>(w & kZombieMask);
}
inline bool all_completed(std::uint64_t w) { return live(w) == zombies(w); }
inline bool all_released(std::uint64_t w) { return live(w) == 0; }
} // namespace children

// Fields that mean different things in different phases of a task's life, or by its flags. Each
// meaning has a name of its own; no other name leads to the field.
//
//   field         meaning                         phase, or flag         written by
//   predecessors  add(), remove(), guard(), set() created, linked        creator; completing
//                 unmet dependences                                      predecessors
//                 permit_children() how many      running, while         the task itself
//                 children a throttled creator    kWaitFewer is set
//                 may have left
//   route         kind()  kind of task            kFusible               creator; shared queues
//                 queue() shared queue            kPlaced, not kFusible  creator; shared queues
//                 begins_on_device()              kTarget, neither       creator
//   waiter,       suspension to resume            running, with a        the task itself
//   batch_data    the program's word for a batch  before, kFusible       creator
//   event         the detach clause's event       before, kDetachable    creator
//   next,         link of a list                  linked, ready;         the list's owner
//                                                 running: parked calls
//   edge_space,   next free inline edge           created                creator
//   below         the interrupted task            running, kUndeferred   its creator's worker
//                 without a frame of the core
//   created,      children not yet counted        running                the task itself
//   barriers_seen barriers of the team            released, kept back    ompt/race_detector.cpp

/// The count of unmet dependences; in a running task, of children.
class PredecessorCount {
  public:
    // --- Created and linked. Completing predecessors subtract, the creator adds the number of
    // edges made. Zero is reached once, by the thread that makes the task ready.

    /// Called before others know the task. A number beyond all edges guards it: predecessors that
    /// complete while edges are made, when the count lacks those made so far, do not find it ready.
    void set(std::int32_t unmet) { word_.store(unmet, std::memory_order_relaxed); }
    /// Adds such a guard to a count that others change.
    void guard(std::int32_t count) { word_.fetch_add(count, std::memory_order_relaxed); }
    /// Both are acq_rel: release publishes the task, or the effects of a predecessor, to the thread
    /// that brings the count to zero; acquire makes those visible to it. True: it is zero.
    LOOMP_INLINE bool add(std::int32_t count) {
        return word_.fetch_add(count, std::memory_order_acq_rel) + count == 0;
    }
    LOOMP_INLINE bool remove(std::int32_t count = 1) {
        return word_.fetch_sub(count, std::memory_order_acq_rel) == count;
    }
    std::int32_t unmet(std::memory_order order) const { return word_.load(order); }

    // --- Running (runtime/core/scheduling/throttle.h). Published by kWaitFewer.

    void permit_children(std::uint32_t count) {
        word_.store(static_cast<std::int32_t>(count), std::memory_order_relaxed);
    }
    std::int32_t permitted_children() const { return word_.load(std::memory_order_relaxed); }

  private:
    Atomic<std::int32_t> word_;
};

/// The number that a task's flags give a meaning to. Copied as a whole.
class RouteNumber {
  public:
    std::uint8_t kind() const { return number_; } ///< runtime/core/scheduling/task_kinds.h
    void set_kind(unsigned kind) { number_ = static_cast<std::uint8_t>(kind); }
    unsigned queue() const { return number_; } ///< runtime/core/scheduling/placing.h
    void set_queue(unsigned queue) { number_ = static_cast<std::uint8_t>(queue); }
    /// The task needs no worker: it begins on a device (runtime/core/queues/target_queue.h).
    bool begins_on_device() const { return number_ == 1; }
    void set_begins_on_device(bool begins) { number_ = begins ? 1 : 0; }

  private:
    std::uint8_t number_;
};

enum class TaskPhase : std::uint8_t {
    released, ///< a block between uses, all zero as to this
    created,
    linked,
    ready,
    running,
    suspended,
    finished,
    completed,
};

/// A set of phases.
class TaskPhases {
  public:
    constexpr TaskPhases(TaskPhase phase) : bits_(1u << static_cast<unsigned>(phase)) {}
    constexpr TaskPhases operator|(TaskPhases other) const {
        return TaskPhases(bits_ | other.bits_);
    }
    constexpr bool holds(TaskPhase phase) const {
        return (bits_ >> static_cast<unsigned>(phase) & 1) != 0;
    }

  private:
    explicit constexpr TaskPhases(unsigned bits) : bits_(bits) {}
    unsigned bits_;
};
constexpr TaskPhases operator|(TaskPhase a, TaskPhase b) { return TaskPhases(a) | b; }

struct alignas(kCacheLine) Task {
    // -- Written by the creator before the task can be seen by others; constant while it runs,
    //    except where noted.
    InvokeFn invoke;
    Task *parent;
    Team *team;
    TaskGroup *group;   ///< innermost taskgroup; moves with taskgroup constructs in its own code
    Icvs *icvs;         ///< replaced by the runner only (runtime/core/team/icv.h)
    DependenceMap *map; ///< its children's; made and used by the runner only
    TaskFlags flags;    ///< creator, then runner
    union {
        std::uint32_t created;       ///< children not yet folded into `children`; runner only
        std::uint32_t barriers_seen; ///< in a block that is kept back
    };
    ToolTask *tool; ///< null unless a tool was told of the task (runtime/core/task/tool.h)

    // -- Touched by others while the task lives.
    Atomic<std::uint64_t> children;
    PredecessorCount predecessors;
    Atomic<std::uint32_t> detach; ///< see namespace detach; 0 unless kDetachable
    /// List of edges to successors, tagged (runtime/core/dependences/successors.h).
    Atomic<std::uint64_t> successors;
    union {
        Suspension
            *waiter;       ///< to be resumed; set before the flag of the children word, or the node
        void *batch_data;  ///< before the task starts
        EventHandle event; ///< before the task starts
    };
    Atomic<std::uint64_t> serial; ///< counts the block's uses; never reset
    std::int32_t priority;
    std::uint8_t size_class;
    RouteNumber route;
    std::uint16_t home; ///< worker whose cache the block came from
    union {
        Task *next;
        Task *below;
        Edge *edge_space;
    };
    AttachedBlock *attached; ///< owner: creator, then whoever completes it; kKept: KeptNode last

#if LOOMP_ASSERTS
    Atomic<TaskPhase> phase; ///< relaxed: what hands the task over orders it
#endif

    void *payload() { return this + 1; }
    static Task *from_payload(void *payload) { return static_cast<Task *>(payload) - 1; }
    LOOMP_INLINE bool has(TaskFlag auto flag) const { return (flags & flag) != 0; }
};
static_assert(LOOMP_ASSERTS || sizeof(Task) == 2 * kCacheLine);

[[noreturn]] void wrong_transition(const Task &task, TaskPhase from, TaskPhase to);

/// Moves the task from one of the phases `from` to another one. Only the one thread that may do so
/// calls it. Builds without assertions have no phases.
LOOMP_INLINE void transition([[maybe_unused]] Task &task, [[maybe_unused]] TaskPhases from,
                             [[maybe_unused]] TaskPhase to) {
#if LOOMP_ASSERTS
    const TaskPhase phase = task.phase.exchange(to, std::memory_order_relaxed);
    if (LOOMP_UNLIKELY(!from.holds(phase)))
        wrong_transition(task, phase, to);
#endif
}

/// For assertions only.
inline bool is_in([[maybe_unused]] const Task &task, [[maybe_unused]] TaskPhases phases) {
#if LOOMP_ASSERTS
    return phases.holds(task.phase.load(std::memory_order_relaxed));
#else
    return true;
#endif
}

} // namespace loomp::core
