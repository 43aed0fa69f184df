// A team: the threads that execute a parallel region, and their shared data. A member is one
// thread's position in one team.
//
// A team object and its threads outlive the region: the primary thread keeps it and forks it again
// ("hot team"). The primary thread writes the fields between regions, and `fork_word` publishes
// them. Members read them during the region. Atomic fields are the exception.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "platform/atomic.h"
#include "platform/futex.h"
#include "platform/spinlock.h"
#include "runtime/core/queues/deque.h"
#include "runtime/core/queues/ready_list.h"
#include "runtime/core/queues/resume_list.h"
#include "runtime/core/queues/target_queue.h"
#include "runtime/core/suspension/suspension.h"
#include "runtime/core/task/task.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/barrier.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::core {

class Worker;
class PriorityQueue;
class PriorityGraph;

/// Threads that share thread-limit-var: those that descend from one initial thread (or one team of
/// a teams construct).
struct ContentionGroup {
    Atomic<int> busy{1}; ///< threads now in its regions
    int team_num = 0;    ///< number in the league of the enclosing teams construct
    int num_teams = 1;
    int thread_limit = 0x7fffffff; ///< the group's limit
};

/// How many new tasks a member runs at once before it checks again how many are ready. It looks at
/// suspended tasks in between.
class InlineBudget {
  public:
    /// Takes one; returns false if the member must look how many tasks are ready.
    LOOMP_INLINE bool take() {
        if (!allows_more())
            return false;
        --left_;
        return true;
    }
    LOOMP_INLINE bool allows_more() const { return left_ > 1; }
    /// Returns whether there has been no budget since the last look.
    bool is_closed() const { return left_ == 0; }
    /// Returns the remaining number, but at most as many as run between two looks at suspended
    /// tasks.
    std::uint64_t at_once() const {
        return std::min<std::uint64_t>(static_cast<std::uint32_t>(left_), 2 * (poll_mask_ + 1));
    }
    /// Subtracts `count` further tasks that have run.
    void spend(std::int32_t count) { left_ = std::max(1, left_ - count); }
    void set(std::int32_t count) { left_ = count; }
    void raise_to(std::int32_t count) { left_ = std::max(left_, count); }
    void close() { left_ = 0; }
    void lift() { left_ = std::numeric_limits<std::int32_t>::max(); }

    /// Returns whether it is time to look at suspended tasks.
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
    /// How many tasks run between two looks at suspended ones, less one: 0, 1, 3, ...
    std::uint32_t poll_mask_ = kMostPollMask;
};

struct alignas(kFalseSharing) Member {
    Team *team = nullptr;
    Worker *worker = nullptr;
    int num = 0;             ///< omp_get_thread_num()
    Relaxed<int> place = -1; ///< thieves may read it late
    int place_first =
        0; ///< place-partition-var: this and the next place_count - 1 places, wrapping
    int place_count = 0;

    /// The ready task that this worker runs next. Thieves do not see it, so only a worker about to
    /// look for its next task sets it, never while a task runs.
    Task *successor_slot = nullptr;
    ResumeList resumable; ///< suspended tasks tied to this member that may continue
    /// The groups of members that begin with this one, the smallest first. The primary thread makes
    /// them for its first large region in which there are any.
    BarrierGroup *groups = nullptr;
    /// If `ready` has more independent tasks than this, others need not see further ones; -1 if the
    /// member is alone. Fixed during a region.
    std::int64_t ready_limit = 0;
    InlineBudget inline_budget;
    std::uint64_t last_look = 0; ///< nanoseconds; used if there is a poller
    /// How many new tasks with a priority run at once before the next check of the number of
    /// waiting ones.
    std::int32_t priority_inline_budget = 0;
    /// No other thread is in the team, and new tasks run at once. Fixed during a region.
    bool alone = false;
    /// A task of this member that created too many ready tasks and continues when few are left.
    Suspension *throttled = nullptr;
    WorkState work;         ///< the worksharing construct it is in
    DoacrossState doacross; ///< if that is a doacross nest
    bool arriving_at_join =
        false;                   ///< the barrier that arrive_for() means; set before kWaitReleased
    std::uint64_t hire_word = 0; ///< the team's fork word when its thread joined
    bool untied_first = false;   ///< take_resumable_in_turn() prefers untied tasks next
    unsigned late_steals = 0;    ///< others were faster, so often in succession; only its worker
    bool in_region = false; ///< its implicit task has begun and not ended; only its worker uses it
    /// The implicit task's modes at its last wait; only its worker uses them.
    FloatingPointModes modes;

    /// The region that its thread has begun as the primary thread and not ended
    /// (runtime/core/scheduling/enclosing.h). Other threads read it late. Published, because that
    /// thread may have made the team for the region.
    Published<Team *> nested = nullptr;

    Task implicit;
    TaskDeque ready;
    /// Its thread sleeps here while it is in no region. Only a region's begin notifies it.
    EventCount dock;
    Atomic<PriorityQueue *> prioritized{nullptr}; ///< made by its first task with a priority
    Atomic<GatheredQueues *> gathered{nullptr};   ///< made by its first fusible task
};

/// Returns the bit that wakes the member; members of teams of more than 32 share bits.
inline std::uint32_t member_bit(const Member &member) { return 1u << (member.num & 31); }

/// Returns the member whose implicit task is `task`.
inline Member *member_of_implicit(Task &task) {
    return reinterpret_cast<Member *>(reinterpret_cast<char *>(&task) -
                                      __builtin_offsetof(Member, implicit));
}

/// A front end's function that enters a region's code: `num` is the member's number.
using RegionBody = void (*)(void *data, Member &member);

/// The properties of one region. Constant while it runs, and replaced as a whole when its team
/// begins another one.
struct RegionDescription {
    int level = 0;        ///< omp_get_level() inside
    int active_level = 0; ///< omp_get_active_level() inside
    RegionBody body = nullptr;
    void *data = nullptr;     ///< of ParallelRequest
    Member *parent = nullptr; ///< the primary thread's membership in the enclosing team; null: root
    Task *parent_task = nullptr;  ///< the task that met the construct
    Member *parent_tie = nullptr; ///< the tie of the frames below the region
    Icvs icvs = {};               ///< implicit tasks start with these
    ContentionGroup *contention = nullptr;
    const void *codeptr = nullptr; ///< address of the construct, for tools
    int tool_flags = 0;            ///< ParallelEvent
    ToolData tool_data = {};
    ProcBind bind = ProcBind::false_;
    TaskGroup *initial_group = nullptr; ///< the taskgroup in which implicit tasks start
    FloatingPointModes modes = {};      ///< the modes with which the other members start
    bool is_league = false;             ///< represents a teams region
    bool shows_affinity = false;        ///< members print where they run (affinity_format.h)
    void *front_end = nullptr;          ///< belongs to the front end whose region this is
};

struct alignas(kFalseSharing) Team : RegionDescription {
    // -- Constant during a region. A member that still looks for work after the previous region may
    // read `size` late, and then that many of `members`. So the primary thread writes `size` after
    // them.
    Published<int> size = 0;
    Relaxed<int> capacity = 0; ///< members that have a thread; late readers check whether it is 1
    int reserved = 0;          ///< capacity of `members`
    Published<Member **> members = nullptr;
    int grouped = 0; ///< the groups are for a region of so many; 0: they are set anew
    Worker *primary = nullptr;
    Team *next_cached = nullptr;

    // -- Shared.
    /// The primary thread changes it to start a region. It counts the forks in units of kFork; the
    /// region's size is in the lower bits. One word holds both, or a late member could join a wrong
    /// region, or the next one before its description is complete. Members of the last region wait
    /// in its join for any other word. The others are docked, and wait for a word that includes
    /// them. So a fork has to wake the docked members from the last region's size on.
    /// tests/model/dock.pml
    alignas(kFalseSharing) Atomic<std::uint64_t> fork_word{0};
    Atomic<int> leaving{0}; ///< threads that have not left the team yet
    /// The first explicit task of a region that may be queued sets it; the primary thread clears it
    /// at the region's end. While it is false, no thread looks into deques.
    Atomic<bool> has_tasks{false};
    Atomic<bool> cancelled{false}; ///< cancel parallel
    Barrier barrier;               ///< for explicit and implicit barriers inside the region
    Barrier join;                  ///< the region's end
    EventCount event; ///< idle members sleep here, also those in the join of the last region
    TeamWork work;
    Atomic<void *> copyprivate{nullptr};
    ResumeList resumable;           ///< suspended untied tasks that may continue on any member
    ReadyList inbox;                ///< tasks made ready by threads outside the team
    TargetQueue targets;            ///< ready tasks that need no worker
    ReadyList unstarted;            ///< ready tasks for which no stack was left
                                    ///< (runtime/core/scheduling/stack_shortage.h)
    Atomic<int> short_of_stacks{0}; ///< members that wait because no stack was left
    Atomic<SharedQueues *> shared{nullptr}; ///< made by its first ready kPlaced task
    /// The marks of what a region has met, which is checked for from then on, in one word that is
    /// read for each task. begin_region() (runtime/core/regions/teams.h) resets it. kPriorities: a
    /// member has queued a task with a priority. kOrders: threads search named queues in their own
    /// order (runtime/core/scheduling/named_queues.h). kGathers: a member has gathered fusible
    /// tasks. kTargets, kPlacings, kInbox, kUnstarted: a task was put into that queue. kParts: a
    /// task that had begun was queued again, and may hold a lock (runtime/core/regions/lock.h).
    /// kCancellation: once for the region if it is cancelled, and for each of its cancelled
    /// taskgroups that has not ended.
    Atomic<std::uint32_t> unusual{0};
    static constexpr std::uint32_t kAlways = 1; ///< never in the word: it needs no mark
    static constexpr std::uint32_t kPriorities = 2;
    static constexpr std::uint32_t kOrders = 4;
    static constexpr std::uint32_t kGathers = 8;
    static constexpr std::uint32_t kTargets = 16;
    static constexpr std::uint32_t kPlacings = 32;
    static constexpr std::uint32_t kInbox = 64;
    static constexpr std::uint32_t kUnstarted = 128;
    static constexpr std::uint32_t kParts = 256;
    static constexpr std::uint32_t kCancellation = 512;
    // relaxed: the data behind each reason has memory orders of its own.
    std::uint32_t met() const { return unusual.load(std::memory_order_relaxed); }
    bool has_met(std::uint32_t any_of) const { return (met() & any_of) != 0; }
    void note(std::uint32_t reason) {
        if (LOOMP_UNLIKELY(!has_met(reason)))
            unusual.fetch_or(reason, std::memory_order_relaxed);
    }
    bool tasks_need_a_look() const { return has_met(kPriorities | ~(kCancellation - 1)); }
    bool is_taken_from_unusually() const { return has_met(kPriorities | kOrders); }
    /// Threads of this region and of nested ones that wait for a lock
    /// (runtime/core/scheduling/enclosing.h).
    Atomic<int> lock_waiters{0};
    Atomic<PriorityGraph *> priority_graph{
        nullptr}; ///< see runtime/core/scheduling/priority_graph.h
};

/// Returns whether the team's threads would hinder each other if all of them looked for tasks, or
/// wrote one counter, at once.
inline bool is_large(const Team &team) { return team.size > kGroup; }

inline constexpr std::uint64_t kFork = std::uint64_t{1} << 20;
/// Stands in the size's place if all members shall leave the team.
inline constexpr int kEverybody = static_cast<int>(kFork - 1);
inline int size_of_fork(std::uint64_t word) { return static_cast<int>(word & (kFork - 1)); }

/// Makes idle members look for tasks. Called before a task is queued.
LOOMP_INLINE void expect_tasks(Team &team) {
    // acquire, acq_rel: with tells_of_tasks().
    if (LOOMP_UNLIKELY(!team.has_tasks.load(std::memory_order_acquire)))
        team.has_tasks.exchange(true, std::memory_order_acq_rel);
}
/// Returns whether somebody may have queued a task. If not, all who queue one later synchronise
/// with this call, which is a read-modify-write like all changes of `has_tasks`: they see that the
/// caller has announced its sleep.
inline bool tells_of_tasks(Team &team) {
    bool expected = false;
    return !team.has_tasks.compare_exchange_strong(expected, false, std::memory_order_acq_rel,
                                                   std::memory_order_relaxed);
}
/// Called by a member that is about to sleep and to look for all of the team's work before.
inline EventCount::Ticket prepare_to_look(Team &team) {
    return team.event.prepare_to_look([&team] { return tells_of_tasks(team); });
}
/// No task is left, and no thread is in the region but the primary.
inline void forget_tasks(Team &team) {
    // relaxed: the region has ended, so no other thread changes it. acq_rel: with tells_of_tasks().
    if (team.has_tasks.load(std::memory_order_relaxed))
        team.has_tasks.exchange(false, std::memory_order_acq_rel);
}

/// Returns the caller's member in the enclosing team at nesting `level`; null if none.
inline Member *ancestor_member(Member &member, int level) {
    Member *found = &member;
    while (found != nullptr && found->team->level > level)
        found = found->team->parent;
    return found != nullptr && found->team->level == level ? found : nullptr;
}

} // namespace loomp::core
