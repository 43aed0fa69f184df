// A team: the threads that execute a parallel region, and what they share. A member is one
// thread's place in one team.
//
// A team object and its threads outlive the region: the primary keeps it and forks it again
// ("hot team"). Fields are written by the primary between regions, published by `fork_epoch`, and
// read by members during the region, except those that are atomic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "platform/atomic.h"
#include "platform/futex.h"
#include "platform/spinlock.h"
#include "runtime/core/queues/deque.h"
#include "runtime/core/queues/target_queue.h"
#include "runtime/core/queues/waiting_lists.h"
#include "runtime/core/suspension/suspension.h"
#include "runtime/core/task/task.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/barrier.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::core {

class Worker;
class PriorityQueue;
class BatchQueue;
class PriorityGraph;
class SharedQueues;

/// Threads that share thread-limit-var: those that descend from one initial thread (or one team of
/// a teams construct).
struct ContentionGroup {
    Atomic<int> busy{1}; ///< threads now in its regions
    int team_num = 0;    ///< in the league of the enclosing teams construct
    int num_teams = 1;
    int thread_limit = 0x7fffffff; ///< of the group
};

/// How many new tasks a member runs at once before it looks again how many are ready. In between it
/// looks now and then at suspended tasks that may continue.
class InlineBudget {
  public:
    /// Takes one; false: the member must look how many tasks are ready.
    LOOMP_INLINE bool take() {
        if (!allows_more())
            return false;
        --left_;
        return true;
    }
    LOOMP_INLINE bool allows_more() const { return left_ > 1; }
    /// Whether there has been no budget since the last look.
    bool is_closed() const { return left_ == 0; }
    /// At most as many as are left, and as may run until suspended tasks have been looked at twice.
    std::uint64_t at_once() const {
        return std::min<std::uint64_t>(static_cast<std::uint32_t>(left_), 2 * (poll_mask_ + 1));
    }
    /// So many more have run.
    void spend(std::int32_t count) { left_ = std::max(1, left_ - count); }
    void set(std::int32_t count) { left_ = count; }
    void raise_to(std::int32_t count) { left_ = std::max(left_, count); }
    void close() { left_ = 0; }
    void lift() { left_ = std::numeric_limits<std::int32_t>::max(); }

    /// Whether it is time to look at suspended tasks.
    LOOMP_INLINE bool polls() const {
        return (static_cast<std::uint32_t>(left_) & poll_mask_) == 0;
    }
    void poll_after_each() { poll_mask_ = 0; }
    void poll_half_as_often() {
        if (poll_mask_ < kMostPollMask)
            poll_mask_ = 2 * poll_mask_ + 1;
    }

  private:
    static constexpr std::uint32_t kMostPollMask = 15;
    std::int32_t left_ = 0;
    /// Tasks between two looks at suspended ones, less one: 0, 1, 3, ...
    std::uint32_t poll_mask_ = kMostPollMask;
};

struct alignas(kFalseSharing) Member {
    Team *team = nullptr;
    Worker *worker = nullptr;
    int num = 0;             ///< omp_get_thread_num()
    Relaxed<int> place = -1; ///< read by thieves, perhaps late
    int place_first =
        0; ///< place-partition-var: this and the next place_count - 1 places, wrapping
    int place_count = 0;

    /// The ready task this worker runs next; not visible to thieves, so set only by a worker that
    /// is about to look for its next task, and never while a task runs.
    Task *successor_slot = nullptr;
    ResumeList resumable; ///< suspended tasks tied to this member that may go on
    /// Others need not see more independent tasks than these in `ready`; -1 if the member is alone.
    /// Fixed during a region.
    std::int64_t ready_limit = 0;
    InlineBudget inline_budget;
    std::uint64_t last_look = 0; ///< nanoseconds, where there is a poller
    /// New tasks with a priority to be run at once before the next look at how many wait.
    std::int32_t priority_inline_budget = 0;
    /// No other thread is in the team, and new tasks run at once. Fixed during a region.
    bool alone = false;
    /// A task of this member that created too many ready tasks and goes on when few are left.
    Suspension *throttled = nullptr;
    WorkState work; ///< the worksharing construct it is in
    /// Of nonmonotonic dynamic loops, by the slot of the construct. Shared with all members.
    alignas(kFalseSharing) ChunkShare shares[kWorkSlots];
    DoacrossState doacross;        ///< of that construct, or of the doacross nest around it
    bool arriving_at_join = false; ///< which barrier arrive_for() means; set before kWaitReleased
    void *front_end = nullptr;     ///< belongs to the front end whose region this is
    std::uint64_t hire_word = 0;   ///< the team's fork word when its thread joined
    bool untied_first = false;     ///< whom take_resumable_in_turn() prefers next
    bool in_region = false;        ///< its implicit task has begun and not ended; its worker only
    /// The implicit task's, as it left them when it last waited; its worker only.
    FloatingPointModes modes;

    /// The region that its thread has begun as the primary and not ended
    /// (runtime/core/scheduling/enclosing.h); others read it late. Published: the team may have
    /// been made for it, by that thread.
    Published<Team *> nested = nullptr;

    Task implicit;
    TaskDeque ready;
    /// Its thread sleeps here while it is in no region. Only a region's begin notifies it.
    EventCount dock{/*many_sleepers=*/true};
    Atomic<PriorityQueue *> prioritized{nullptr}; ///< made by its first task with a priority
    Atomic<BatchQueue *> batches{nullptr};        ///< made by its first fusible task
};

/// By which the member is woken; shared with others in teams of more than 32.
inline std::uint32_t member_bit(const Member &member) { return 1u << (member.num & 31); }

/// The member whose implicit task `task` is.
inline Member *member_of_implicit(Task &task) {
    return reinterpret_cast<Member *>(reinterpret_cast<char *>(&task) -
                                      __builtin_offsetof(Member, implicit));
}

/// How a front end enters a region's code: `num` is the member's number.
using RegionBody = void (*)(void *data, Member &member);

struct alignas(kFalseSharing) Team {
    // -- Constant during a region. A member that still looks for work after the previous region
    //    may read `size` late, and then that many of `members`: it is written after them.
    Published<int> size = 0;
    int level = 0;             ///< omp_get_level() inside
    int active_level = 0;      ///< omp_get_active_level() inside
    Relaxed<int> capacity = 0; ///< members that have a thread; late ones look whether it is 1
    int reserved = 0;          ///< room in `members`
    Published<Member **> members = nullptr;
    RegionBody body = nullptr;
    void *data = nullptr;
    Member *parent = nullptr;    ///< the primary's membership in the enclosing team; null: root
    Task *parent_task = nullptr; ///< the task that met the construct
    Worker *primary = nullptr;
    Icvs icvs; ///< implicit tasks start with these
    ContentionGroup *contention = nullptr;
    Member *parent_tie = nullptr;  ///< of the frames below the region
    const void *codeptr = nullptr; ///< where the construct was met, for tools
    int tool_flags = 0;            ///< ParallelEvent
    ToolData tool_data = {};
    std::uint64_t work_base = 0; ///< sequence number of the region's first worksharing construct
    ProcBind bind = ProcBind::false_;
    TaskGroup *initial_group = nullptr; ///< that implicit tasks start in
    FloatingPointModes modes;           ///< that the other members start with
    bool is_league = false;             ///< stands for a teams region
    bool shows_affinity = false;        ///< members print where they run (affinity_format.h)
    Team *next_cached = nullptr;
    void *front_end = nullptr; ///< belongs to the front end whose region this is

    // -- Shared.
    /// Changed by the primary to start a region. Counts the forks in units of kFork, with the
    /// region's size below: read as one, or a late member could join a region that it is not in, or
    /// the next one before it is described. Members of the last region wait for any other word in
    /// its join; the others are docked, and wait for one that includes them. So of the docked
    /// members a fork has to wake those from the last region's size on. tests/model/dock.pml
    alignas(kFalseSharing) Atomic<std::uint64_t> fork_word{0};
    Atomic<int> leaving{0}; ///< threads that have not left it yet
    /// Set by the first explicit task of a region that is queued or may be, cleared by the primary
    /// at its end: while false, nobody looks into deques.
    Atomic<bool> has_tasks{false};
    Atomic<bool> cancelled{false}; ///< cancel parallel
    /// cancel for/sections: holds until the barrier that ends the construct.
    Atomic<bool> work_cancelled{false};
    Barrier barrier;  ///< of explicit and implicit barriers inside the region
    Barrier join;     ///< the region's end
    EventCount event; ///< idle members sleep here, those in the join of the last region too
    WorkRing work;
    Atomic<void *> copyprivate{nullptr};
    ResumeList resumable;     ///< suspended untied tasks that may go on, on any member
    SharedTaskList inbox;     ///< tasks made ready by threads outside the team
    TargetQueue targets;      ///< ready tasks that need no worker
    SharedTaskList unstarted; ///< ready tasks for which no stack was left
                              ///< (runtime/core/scheduling/stack_shortage.h)
    Atomic<SharedQueues *> shared{nullptr}; ///< made by its first ready kPlaced task
    /// Why a task may not be taken or run like any other, in one word, which is read for each:
    /// kPriorities, once a member has queued one with a priority; kOrders, where threads look into
    /// queues in an order of their own (runtime/core/scheduling/named_queues.h); and kCancellation
    /// for the region and for each taskgroup of its tasks that is cancelled and has not ended.
    Atomic<std::uint32_t> unusual{0};
    static constexpr std::uint32_t kPriorities = 1;
    static constexpr std::uint32_t kOrders = 2;
    static constexpr std::uint32_t kCancellation = 4;
    // relaxed: what they tell of is found where it is, with orders of its own.
    bool tasks_need_a_look() const {
        return (unusual.load(std::memory_order_relaxed) & ~kOrders) != 0;
    }
    bool is_taken_from_unusually() const {
        return (unusual.load(std::memory_order_relaxed) & (kPriorities | kOrders)) != 0;
    }
    bool has_orders() const { return (unusual.load(std::memory_order_relaxed) & kOrders) != 0; }
    bool has_priorities() const {
        return (unusual.load(std::memory_order_relaxed) & kPriorities) != 0;
    }
    void note_priorities() {
        if (!has_priorities())
            unusual.fetch_or(kPriorities, std::memory_order_relaxed);
    }
    Atomic<bool> gathers{false}; ///< a member gathered fusible tasks once
    /// A task that had begun was queued once: it may hold a lock (runtime/core/regions/lock.h).
    Atomic<bool> has_parts{false};
    /// Of the region and those in it, who wait for a lock (runtime/core/scheduling/enclosing.h).
    Atomic<int> lock_waiters{0};
    Atomic<PriorityGraph *> priority_graph{
        nullptr}; ///< see runtime/core/scheduling/priority_graph.h
};

inline constexpr std::uint64_t kFork = std::uint64_t{1} << 20;
/// In place of the size: all are to leave the team.
inline constexpr int kEverybody = static_cast<int>(kFork - 1);
inline int size_of_fork(std::uint64_t word) { return static_cast<int>(word & (kFork - 1)); }

/// From now on idle members look for tasks.
LOOMP_INLINE void expect_tasks(Team &team) {
    if (LOOMP_UNLIKELY(!team.has_tasks.load(std::memory_order_relaxed)))
        team.has_tasks.store(true, std::memory_order_relaxed);
}

/// The ancestor of the current team at nesting `level` and the caller's member in it; null if none.
inline Member *ancestor_member(Member &member, int level) {
    Member *found = &member;
    while (found != nullptr && found->team->level > level)
        found = found->team->parent;
    return found != nullptr && found->team->level == level ? found : nullptr;
}

} // namespace loomp::core
