#include "core/team.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

#include "core/affinity.h"
#include "core/dependence.h"
#include "core/fork.h"
#include "core/immediate.h"
#include "core/message.h"
#include "core/persistent.h"
#include "core/scheduler.h"
#include "core/settings.h"
#include "core/taskgroup.h"
#include "core/thread.h"
#include "core/topology.h"

namespace loomp::core {

namespace {

template <class T> T *make_aligned() {
    void *memory = std::aligned_alloc(alignof(T), sizeof(T));
    if (memory == nullptr)
        fatal("out of memory: a team of threads");
    return new (memory) T();
}

/// Room for `count` members. An old array stays readable: late lookers may hold it.
void reserve_members(Team &team, int count) {
    if (team.reserved >= count)
        return;
    const int reserved = std::max(count, team.reserved * 2);
    auto **memory =
        static_cast<void **>(std::calloc(static_cast<std::size_t>(reserved) + 1, sizeof(void *)));
    if (memory == nullptr)
        fatal("out of memory: a team of %d threads", count);
    // In front, the array that this one replaces: kept, but not lost.
    memory[0] = static_cast<Member **>(team.members);
    auto **members = reinterpret_cast<Member **>(memory + 1);
    for (int i = 0; i < team.reserved; ++i)
        members[i] = team.members[i];
    team.members = members;
    team.reserved = reserved;
}

/// The member object of a number; made when there is none from an earlier use of the team.
Member &member_for(Team &team, int num) {
    Member *member = team.members[num];
    if (member == nullptr) {
        member = make_aligned<Member>();
        member->team = &team;
        member->num = num;
        team.members[num] = member;
    }
    return *member;
}

/// Teams without threads, for reuse. The memory of a team and its members is never given back: a
/// thread of the program that completes a detached task may be the last to look at them, to wake
/// somebody, when the region that this completion ended is long left.
SpinLock spare_lock;
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(spare_lock); });
Team *spare = nullptr;

Team &take_spare_team() {
    {
        const SpinGuard guard(spare_lock);
        if (Team *team = spare) {
            spare = team->next_cached;
            return *team;
        }
    }
    return *make_aligned<Team>();
}

Team &make_team(Worker &primary) {
    Team &team = take_spare_team();
    team.primary = &primary;
    reserve_members(team, 1);
    member_for(team, 0).worker = &primary;
    team.capacity = 1;
    return team;
}

/// Sends a team's threads to the pool; the team is spare when the last has left.
void disband(Team &team);

/// More threads than this are not kept in nested teams between their regions. Every primary keeps
/// a team of its own, so their number would grow with the number of threads that ever met a nested
/// region, and with what those keep.
int threads_worth_keeping() { return std::max(64, 4 * static_cast<int>(available_processors())); }

/// So many threads to a processor are asleep most of the time.
constexpr int kManyToAProcessor = 8;

/// Gives the team threads for `count` members, or as many as there are.
int hire_up_to(Team &team, int count) {
    if (team.capacity >= count)
        return count;
    reserve_members(team, count);
    if (count > kManyToAProcessor * static_cast<int>(available_processors()))
        team.event.expect_many_sleepers();
    while (team.capacity < count) {
        Member &member = member_for(team, team.capacity);
        member.hire_word = team.fork_word.load(std::memory_order_relaxed);
        if (!hire(member))
            return team.capacity;
        ++team.capacity;
    }
    return count;
}

static_assert(kMaxWorkers < kEverybody);

/// Everything written before reaches the members that see the new word. Of those whom it concerns,
/// members from number `docked` on may be docked.
void announce_fork(Team &team, int size, int docked) {
    const std::uint64_t forks = team.fork_word.load(std::memory_order_relaxed) / kFork + 1;
    team.fork_word.store(forks * kFork + static_cast<std::uint64_t>(size),
                         std::memory_order_release);
    team.event.notify_all();
    for (int i = docked; i < std::min<int>(size, team.capacity); ++i)
        team.members[i]->dock.notify_all();
}

Team &take_cached_team(Worker &worker, Team *&list) {
    if (Team *team = list) {
        list = team->next_cached;
        return *team;
    }
    return make_team(worker);
}

/// Number of threads for a parallel construct (OpenMP 5.2, 10.1.1), taken from the contention
/// group's share: the caller returns all but one when the region ends.
int take_threads(const Worker &worker, const ParallelRequest &request) {
    const Icvs &icvs = *worker.task->icvs;
    const Team &outer = *worker.member->team;
    if (!request.if_clause || outer.active_level >= icvs.max_active_levels)
        return 1;
    int size = request.num_threads > 0 ? request.num_threads : icvs.num_threads;
    if (icvs.dynamic)
        size = std::min(size, static_cast<int>(available_processors()));
    ContentionGroup &group = *outer.contention;
    const int limit = std::min(icvs.thread_limit, group.thread_limit);
    size = std::min(size, static_cast<int>(kMaxWorkers) / 2);
    int busy = group.busy.load(std::memory_order_relaxed);
    for (;;) {
        const int granted = std::max(1, std::min(size, limit - busy + 1));
        if (granted == 1 ||
            group.busy.compare_exchange_weak(busy, busy + granted - 1, std::memory_order_relaxed))
            return granted;
    }
}

} // namespace

/// A thread's queue with this many tasks keeps its team busy while the thread itself runs half as
/// many per thread. One thread alone keeps nobody else busy.
LOOMP_INLINE std::int64_t many_ready(int team_size) {
    constexpr std::int64_t least = 128;
    constexpr std::int64_t per_thread = 64;
    return team_size == 1 && immediate_possible && !oldest_first
               ? -1
               : std::max(least, per_thread * team_size);
}

void start_implicit_task(Worker &worker, Member &member) {
    Team &team = *member.team;
    Task &task = member.implicit;
    task.invoke = nullptr;
    task.parent = team.parent_task;
    task.team = &team;
    task.group = team.initial_group;
    task.icvs = &team.icvs;
    task.flags = kImplicit | kTied;
    // Tasks met in the sequential part of a program run at once: nothing might ever run them later.
    if (team.level == 0)
        task.flags |= kIncludes;
    else if (team.parent_task != nullptr && team.parent_task->has(kFinal))
        task.flags |= kFinal | kIncludes;
    if (LOOMP_UNLIKELY(settings().new_tasks != QueueLevel::thread))
        task.flags |= kPlacesNew;
    task.created = 0;
    task.children.store(0, std::memory_order_relaxed);
    task.priority = 0;
    member.work.sequence = team.work_base;
    member.work.slot = nullptr;
    member.next_task = nullptr;
    member.many_ready = many_ready(team.size);
    member.modes.note();
    if (worker.exceptions == &no_exceptions)
        worker.find_exceptions();
    member.run_at_once = member.many_ready < 0 ? std::numeric_limits<std::int32_t>::max() : 0;
    worker.member = &member;
    worker.task = &task;
    worker.tie = &member;
    if (LOOMP_UNLIKELY(tool_enabled) && task.tool == nullptr)
        task.tool = new ToolTask{};
}

void end_implicit_task(Worker &worker, Member &member, unsigned size) {
    Task &task = member.implicit;
    LOOMP_TOOL(implicit_end, task, size, static_cast<unsigned>(member.num));
    (void)worker;
    if (task.map != nullptr) {
        task.map->clear();
        if (LOOMP_UNLIKELY(task.map->persistent != nullptr))
            end_region(*task.map->persistent);
    }
    if (task.has(kOwnsIcvs))
        free_icvs(task);
    if (LOOMP_UNLIKELY(task.tool != nullptr)) {
        delete task.tool;
        task.tool = nullptr;
    }
}

namespace {

/// Until the region's end the worker belongs to that: nobody could let the creator of a task that
/// was run at once go on, for whom the region may wait.
void release_creator_before_region() {
    if (LOOMP_UNLIKELY(must_release_creator(*Worker::current())))
        yield(nullptr);
}

} // namespace

Team &begin_parallel(const ParallelRequest &request) {
    release_creator_before_region();
    Worker &worker = *Worker::current();
    Member &outer_member = *worker.member;
    Team &outer = *outer_member.team;
    Task &encountering = *worker.task;
    const int granted = take_threads(worker, request);
    int size = granted;
    Team &team =
        take_cached_team(worker, size == 1 ? worker.cached_serial_teams : worker.cached_teams);
    if (size > 1) {
        // Counted first: threads that are new look whether there is room to spin in.
        count_active_threads(granted - 1);
        size = hire_up_to(team, size);
        if (LOOMP_UNLIKELY(size < granted)) {
            count_active_threads(size - granted);
            outer.contention->busy.fetch_sub(granted - size, std::memory_order_relaxed);
        }
    }
    const int docked = std::max<int>(team.size, 1);
    team.size = size;
    team.level = outer.level + 1;
    team.active_level = outer.active_level + (size > 1 ? 1 : 0);
    team.body = request.body;
    team.data = request.data;
    team.parent = &outer_member;
    team.parent_task = &encountering;
    team.parent_tie = worker.tie;
    team.icvs = child_icvs(*encountering.icvs, request.has_bind ? &request.bind : nullptr);
    team.contention = outer.contention;
    team.codeptr = request.codeptr;
    team.work_base = team.members[0]->work.sequence;
    team.initial_group = nullptr;
    if (request.prepare != nullptr)
        request.prepare(team, request.data);
    team.tool_flags = kTeam | (request.program_invokes ? kInvokedByProgram : kInvokedByRuntime);
    LOOMP_TOOL(parallel_begin, team,
               static_cast<unsigned>(request.num_threads > 0 ? request.num_threads : size),
               team.tool_flags);
    if (size > 1) {
        team.bind = request.has_bind && encountering.icvs->bind != ProcBind::false_
                        ? request.bind
                        : encountering.icvs->bind;
        assign_places(team);
        team.modes.note();
        worker.regions.begin_with_others();
    } else {
        worker.regions.begin_alone();
        Member &member = *team.members[0];
        member.place = outer_member.place;
        member.place_first = outer_member.place_first;
        member.place_count = outer_member.place_count;
    }
    team.barrier.pending.store(size, std::memory_order_relaxed);
    team.join.pending.store(size, std::memory_order_relaxed);
    outer_member.nested = &team;
    if (size > 1 || team.capacity > 1)
        announce_fork(team, size, docked);
    Member &member = *team.members[0];
    start_implicit_task(worker, member);
    if (size > 1)
        bind_to_place(worker, member.place);
    LOOMP_TOOL(implicit_begin, member.implicit, static_cast<unsigned>(size), 0u);
    return team;
}

namespace {

/// Of a region that has ended.
LOOMP_NOINLINE void forget_cancellations(Team &team) {
    team.unusual.fetch_and(Team::kPriorities, std::memory_order_relaxed);
    if (!team.cancelled.load(std::memory_order_relaxed))
        return;
    // Members have left at different worksharing constructs.
    std::uint64_t base = 0;
    for (int i = 0; i < team.size; ++i)
        base = std::max(base, team.members[i]->work.sequence);
    team.members[0]->work.sequence = base;
    reset_work(team, base);
    team.shared_reductions.store(nullptr, std::memory_order_relaxed);
    team.shared_reductions_entered.store(0, std::memory_order_relaxed);
    team.shared_reductions_taken.store(0, std::memory_order_relaxed);
    team.cancelled.store(false, std::memory_order_relaxed);
}

} // namespace

void end_parallel() {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    Team &team = *member.team;
    arrive_at_join(member);
    wait_for_join(member);
    const int size = team.size;
    end_implicit_task(worker, member, static_cast<unsigned>(size));
    team.has_tasks.store(false, std::memory_order_relaxed);
    if (anything_cancelled(team))
        forget_cancellations(team);
    if (size > 1) {
        team.contention->busy.fetch_sub(size - 1, std::memory_order_relaxed);
        count_active_threads(1 - size);
        worker.regions.end_with_others();
    } else {
        worker.regions.end_alone();
    }
    team.parent->nested = nullptr;
    worker.member = team.parent;
    worker.task = team.parent_task;
    worker.tie = team.parent_tie;
    LOOMP_TOOL(parallel_end, team, team.tool_flags);
    if (LOOMP_UNLIKELY(team.active_level > 1 && team.capacity > 1 &&
                       thread_count() > threads_worth_keeping())) {
        disband(team);
        return;
    }
    Team *&list = team.capacity == 1 ? worker.cached_serial_teams : worker.cached_teams;
    team.next_cached = list;
    list = &team;
}

void parallel(const ParallelRequest &request) {
    Team &team = begin_parallel(request);
    LOOMP_TOOL(exit_frame, team.members[0]->implicit, __builtin_frame_address(0));
    request.body(request.data, *team.members[0]);
    end_parallel();
}

void league(int num_teams, int thread_limit, const Icvs &icvs, RegionBody body, void *data,
            const void *codeptr) {
    release_creator_before_region();
    Worker &worker = *Worker::current();
    Member &outer_member = *worker.member;
    Task &encountering = *worker.task;
    Team &team = take_cached_team(worker, worker.cached_serial_teams);
    ContentionGroup group;
    group.num_teams = num_teams;
    team.size = 1;
    team.level = 0;
    team.active_level = 0;
    team.body = body;
    team.data = data;
    team.parent = &outer_member;
    team.parent_task = &encountering;
    team.parent_tie = worker.tie;
    team.icvs = icvs;
    team.icvs.owned_next = nullptr;
    if (thread_limit > 0)
        team.icvs.thread_limit = std::min(thread_limit, team.icvs.thread_limit);
    group.thread_limit = team.icvs.thread_limit;
    team.contention = &group;
    team.codeptr = codeptr;
    team.is_league = true;
    Member &member = *team.members[0];
    member.place = outer_member.place;
    member.place_first = outer_member.place_first;
    member.place_count = outer_member.place_count;
    LOOMP_TOOL(parallel_begin, team, static_cast<unsigned>(num_teams), kLeague | kInvokedByRuntime);
    outer_member.nested = &team;
    for (group.team_num = 0; group.team_num < num_teams; ++group.team_num) {
        team.work_base = member.work.sequence;
        team.barrier.pending.store(1, std::memory_order_relaxed);
        team.join.pending.store(1, std::memory_order_relaxed);
        start_implicit_task(worker, member);
        LOOMP_TOOL(implicit_begin, member.implicit, static_cast<unsigned>(num_teams),
                   static_cast<unsigned>(group.team_num));
        LOOMP_TOOL(exit_frame, member.implicit, __builtin_frame_address(0));
        body(data, member);
        Member &now = *Worker::current()->member;
        arrive_at_join(now, SyncKind::barrier_teams);
        wait_for_join(now, SyncKind::barrier_teams);
        end_implicit_task(*Worker::current(), member, static_cast<unsigned>(num_teams));
        team.has_tasks.store(false, std::memory_order_relaxed);
    }
    outer_member.nested = nullptr;
    worker.member = team.parent;
    worker.task = team.parent_task;
    worker.tie = team.parent_tie;
    LOOMP_TOOL(parallel_end, team, kLeague | kInvokedByRuntime);
    team.is_league = false;
    team.next_cached = worker.cached_serial_teams;
    worker.cached_serial_teams = &team;
}

void make_root_team(Worker &worker) {
    Team &team = make_team(worker);
    team.size = 1;
    // A spare team remembers the region that it was last used for.
    team.level = team.active_level = 0;
    team.parent = nullptr;
    team.parent_task = nullptr;
    team.parent_tie = nullptr;
    team.initial_group = nullptr;
    team.is_league = false;
    team.work_base = 0;
    team.icvs = initial_icvs();
    team.contention = new ContentionGroup;
    team.contention->thread_limit = team.icvs.thread_limit;
    team.barrier.pending.store(1, std::memory_order_relaxed);
    worker.root_team = &team;
    look_for_exceptions();
    Member &member = *team.members[0];
    start_implicit_task(worker, member);
    place_initial_thread(member);
    LOOMP_TOOL(implicit_begin, member.implicit, 1u, 1u);
}

namespace {

void disband(Team &team) {
    team.leaving.store(team.capacity - 1, std::memory_order_relaxed);
    announce_fork(team, kEverybody, 1);
    while (team.leaving.load(std::memory_order_acquire) != 0)
        sched_yield();
    for (int i = 0; i < team.capacity; ++i)
        team.members[i]->work.sequence = 0;
    team.capacity = 0;
    team.size = 0;
    reset_work(team, 0);
    const SpinGuard guard(spare_lock);
    team.next_cached = spare;
    spare = &team;
}

void disband_all(Team *&list, bool retire = false) {
    while (Team *team = list) {
        list = team->next_cached;
        if (retire)
            for (int i = 1; i < team->capacity; ++i)
                retire_thread(*team->members[i]->worker);
        disband(*team);
    }
}

} // namespace

void dissolve_root(Worker &worker) {
    disband_all(worker.cached_teams);
    disband_all(worker.cached_serial_teams);
    Team *root = worker.root_team;
    if (root == nullptr)
        return;
    Member &member = *root->members[0];
    end_implicit_task(worker, member, 1);
    LOOMP_TOOL(thread_end, worker);
    delete root->contention;
    worker.root_team = nullptr;
    worker.member = nullptr;
    worker.task = nullptr;
    // Detached tasks may complete long after: the last of them gives the team up.
    Task &task = member.implicit;
    const std::uint64_t delta = task.created * children::kOne + children::kFinished;
    if (children::all_released(task.children.fetch_add(delta, std::memory_order_acq_rel) + delta))
        disband(*root);
}

void give_up_root(Team &root) { disband(root); }

void retire_teams(Worker &worker) {
    disband_all(worker.cached_teams, true);
    disband_all(worker.cached_serial_teams, true);
}

void visit_list_locks(Worker &worker, void (*each)(SpinLock &)) {
    const auto visit = [each](Team &team) {
        each(team.resumable.lock());
        each(team.inbox.lock());
        each(team.unstarted.lock());
        for (int i = 0; i < team.size; ++i)
            each(team.members[i]->resumable.lock());
    };
    for (Member *member = worker.member; member != nullptr; member = member->team->parent)
        visit(*member->team);
    for (Team *team = worker.cached_serial_teams; team != nullptr; team = team->next_cached)
        visit(*team);
}

void drop_teams_after_fork(Worker &worker) {
    // Their threads do not exist in the child; the memory is given up.
    worker.cached_teams = nullptr;
}

Member *ancestor_member(Member &member, int level) {
    Member *found = &member;
    while (found != nullptr && found->team->level > level)
        found = found->team->parent;
    return found != nullptr && found->team->level == level ? found : nullptr;
}

} // namespace loomp::core
