#include "runtime/core/regions/teams.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/threads.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/queues/ready_list.h"
#include "runtime/core/regions/thread.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/suspension/stack_overflow.h"
#include "runtime/core/team/affinity.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

template <class T> T *make_aligned(std::size_t count = 1) {
    auto *const made = static_cast<T *>(or_fatal(std::aligned_alloc(alignof(T), count * sizeof(T)),
                                                 "out of memory: a team of threads"));
    std::uninitialized_value_construct_n(made, count);
    return made;
}

/// Reserves space for `count` members. An old array stays readable, because late readers may hold
/// it.
void reserve_members(Team &team, int count) {
    if (team.reserved >= count)
        return;
    const int reserved = std::max(count, team.reserved * 2);
    auto **memory = static_cast<void **>(
        or_fatal(std::calloc(static_cast<std::size_t>(reserved) + 1, sizeof(void *)),
                 "out of memory: a team of %d threads", count));
    // The replaced array's address comes first, so that the array stays reachable.
    memory[0] = static_cast<Member **>(team.members);
    auto **members = reinterpret_cast<Member **>(memory + 1);
    for (int i = 0; i < team.reserved; ++i)
        members[i] = team.members[i];
    team.members = members;
    team.reserved = reserved;
}

/// Returns the member object of a number; makes one if no earlier use of the team did.
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

/// Makes the groups that begin with the member, on all levels that a team can have.
void make_groups(Member &member) {
    if (member.groups != nullptr)
        return;
    std::size_t levels = 0;
    for (int width = kGroup; member.num % width == 0 && width < kEverybody; width *= kGroup)
        ++levels;
    member.groups = make_aligned<BarrierGroup>(levels);
}

/// Teams without threads, for reuse. The memory of a team and its members is never freed. A thread
/// of the program that completes a detached task may read it last, to wake a member, long after the
/// region has ended.
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

/// Returns the limit of threads that nested teams keep between their regions. Every primary thread
/// keeps its own team. Without a limit the number of threads would grow with every thread that ever
/// met a nested region.
int threads_worth_keeping() { return std::max(64, 4 * static_cast<int>(available_processors())); }

} // namespace

Team &make_team(Worker &primary) {
    // A team that was to have threads and got none is among those.
    if (Team *alone = primary.cached_serial_teams) {
        primary.cached_serial_teams = alone->next_cached;
        return *alone;
    }
    Team &team = take_spare_team();
    team.primary = &primary;
    reserve_members(team, 1);
    member_for(team, 0).worker = &primary;
    team.capacity = 1;
    return team;
}

Team &make_team_for_region(Worker &primary) {
    watch_stack_overflow(primary);
    return make_team(primary);
}

int hire_up_to(Team &team, int count) {
    if (team.capacity >= count)
        return count;
    reserve_members(team, count);
    if (count > kGroup)
        make_groups(*team.members[0]);
    while (team.capacity < count) {
        Member &member = member_for(team, team.capacity);
        if (member.num % kGroup == 0)
            make_groups(member);
        member.hire_word = team.fork_word.load(std::memory_order_relaxed);
        if (!hire(member))
            return team.capacity;
        ++team.capacity;
    }
    return count;
}

static_assert(kMaxWorkers < kEverybody);

void announce_fork(Team &team, int size, int docked) {
    const std::uint64_t forks = team.fork_word.load(std::memory_order_relaxed) / kFork + 1;
    team.fork_word.store(forks * kFork + static_cast<std::uint64_t>(size),
                         std::memory_order_release);
    // seq_cst: with the one in EventCount::prepare_to_wait() and prepare_to_look(), for all of
    // them.
    atomic_fence(std::memory_order_seq_cst);
    team.event.notify_all_after_fence();
    for (int i = docked; i < std::min<int>(size, team.capacity); ++i)
        team.members[i]->dock.notify_all_after_fence();
}

bool more_threads_than_worth_keeping() { return thread_count() > threads_worth_keeping(); }

Team &make_initial_team(Worker &worker) {
    Team &team = make_team(worker);
    team.size = 1;
    new (begin_region(team))
        RegionDescription{.icvs = {initial_icvs()}, .contention = new ContentionGroup};
    begin_work(team, 1);
    team.contention->thread_limit = team.icvs.thread_limit;
    expect_members(team, 1);
    return team;
}

void make_root_team(Worker &worker) {
    Team &team = make_initial_team(worker);
    worker.root_team = &team;
    look_for_exceptions();
    Member &member = *team.members[0];
    start_implicit_task(worker, member);
    place_initial_thread(member);
    LOOMP_TOOL(implicit_begin, member.implicit, 1u, 1u);
}

void disband(Team &team) {
    team.leaving.store(team.capacity - 1, std::memory_order_relaxed);
    announce_fork(team, kEverybody, 1);
    while (team.leaving.load(std::memory_order_acquire) != 0)
        offer_processor();
    team.capacity = 0;
    team.size = 0;
    const SpinGuard guard(spare_lock);
    team.next_cached = spare;
    spare = &team;
}

namespace {

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
    end_implicit_task(member, 1);
    LOOMP_TOOL(thread_end, worker);
    worker.member = nullptr;
    worker.task = nullptr;
    asm volatile("" ::: "memory"); // inquiries of signal handlers find no freed memory
    delete root->contention;
    worker.root_team = nullptr;
    // Detached tasks may complete long after; the last of them gives the team up.
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
        if (SharedQueues *shared = team.shared.load(std::memory_order_acquire))
            shared->visit_locks(each);
        for (int i = 0; i < team.size; ++i) {
            Member &member = *team.members[i];
            each(member.resumable.lock());
            if (GatheredQueues *gathered = member.gathered.load(std::memory_order_acquire))
                gathered->visit_locks(each);
        }
    };
    for (Member *member = worker.member; member != nullptr; member = member->team->parent)
        visit(*member->team);
    for (Team *team = worker.cached_serial_teams; team != nullptr; team = team->next_cached)
        visit(*team);
}

void drop_teams_after_fork(Worker &worker) {
    // Their threads do not exist in the child; the memory is lost.
    worker.cached_teams = nullptr;
    // The child continues with the code that called fork(). A creator below it goes on when that
    // has returned, and not already when it waits.
    for (Stack *stack = worker.stack; stack != nullptr && stack->work_first_call != nullptr;
         stack = stack->work_first_call->creator_stack)
        stack->work_first_call->member = nullptr;
}

} // namespace loomp::core
