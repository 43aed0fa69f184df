#include "runtime/core/regions/parallel.h"

#include <algorithm>
#include <new>

#include "runtime/core/environment/topology.h"
#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/regions/thread.h"
#include "runtime/core/scheduling/cancellation.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/team/affinity.h"
#include "runtime/core/team/affinity_format.h"
#include "runtime/core/worker/oversubscription.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

Atomic<bool> regions_are_serial{false};

namespace {

/// Returns the number of threads for a parallel construct (OpenMP 5.2, 10.1.1), taken from the
/// contention group's share. The caller returns all but one when the region ends.
int take_threads(const Worker &worker, const ParallelRequest &request) {
    const Icvs &icvs = *worker.task->icvs;
    const Team &outer = *worker.member->team;
    if (!request.if_clause || outer.active_level >= icvs.max_active_levels ||
        regions_are_serial.load(std::memory_order_relaxed))
        return 1;
    int size = request.num_threads > 0 ? request.num_threads : icvs.num_threads;
    if (icvs.dynamic)
        size = std::min(size, static_cast<int>(processors_now()));
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

/// Releases a waiting creator, because the worker belongs to the region until its end. No thread
/// could continue the creator of a task that was run at once, and the region may wait for that
/// creator.
LOOMP_MAY_SWITCH void release_creator_before_region() {
    if (LOOMP_UNLIKELY(must_release_creator(*Worker::current())))
        yield(nullptr);
}

} // namespace

Team &begin_parallel(const ParallelRequest &request) {
    release_creator_before_region();
    Worker &worker = *Worker::current();
    meet_code(worker, request.codeptr);
    Member &outer_member = *worker.member;
    Team &outer = *outer_member.team;
    Task &encountering = *worker.task;
    const int granted = take_threads(worker, request);
    int size = granted;
    Team &team =
        take_cached_team(worker, size == 1 ? worker.cached_serial_teams : worker.cached_teams);
    if (size > 1) {
        // Counted first, because new threads check for oversubscription before they spin.
        count_active_threads(granted - 1);
        size = hire_up_to(team, size);
        if (LOOMP_UNLIKELY(size < granted)) {
            count_active_threads(size - granted);
            outer.contention->busy.fetch_sub(granted - size, std::memory_order_relaxed);
        }
    }
    const int docked = std::max<int>(team.size, 1);
    team.size = size;
    new (begin_region(team)) RegionDescription{
        .level = outer.level + 1,
        .active_level = outer.active_level + (size > 1 ? 1 : 0),
        .body = request.body,
        .data = request.data,
        .parent = &outer_member,
        .parent_task = &encountering,
        .parent_tie = worker.tie,
        .icvs = child_icvs(*encountering.icvs, request.has_bind ? &request.bind : nullptr,
                           request.num_threads_list),
        .contention = outer.contention,
        .codeptr = request.codeptr,
        .tool_flags = kTeam | (request.program_invokes ? kInvokedByProgram : kInvokedByRuntime)};
    begin_work(team, size);
    if (request.prepare != nullptr)
        request.prepare(team, request.data);
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
    if (LOOMP_UNLIKELY(displays_affinity))
        decide_affinity_display(worker, team);
    expect_members(team, size);
    outer_member.nested = &team;
    if (size > 1 || team.capacity > 1)
        announce_fork(team, size, docked);
    Member &member = *team.members[0];
    start_implicit_task(worker, member);
    if (size > 1 || LOOMP_UNLIKELY(displays_affinity))
        bind_to_place(worker, member.place);
    LOOMP_TOOL(implicit_begin, member.implicit, static_cast<unsigned>(size), 0u);
    return team;
}

namespace {

/// Forgets the cancellations of a region that has ended.
LOOMP_NOINLINE void forget_cancellations(Team &team) {
    team.unusual.fetch_and(Team::kCancellation - 1, std::memory_order_relaxed);
    team.cancelled.store(false, std::memory_order_relaxed);
    team.grouped = 0; // members may have left their groups
}

} // namespace

void end_parallel() {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    Team &team = *member.team;
    arrive_at_join(member);
    wait_for_join(member);
    const int size = team.size;
    end_implicit_task(member, static_cast<unsigned>(size));
    forget_tasks(team);
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
    if (LOOMP_UNLIKELY(resets_affinity) && team.active_level == 1 && size > 1)
        unbind(worker);
    LOOMP_TOOL(parallel_end, team, team.tool_flags);
    if (LOOMP_UNLIKELY(team.active_level > 1 && team.capacity > 1 &&
                       more_threads_than_worth_keeping())) {
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

void league(int num_teams, int thread_limit, const IcvValues &icvs, RegionBody body, void *data,
            const void *codeptr) {
    release_creator_before_region();
    Worker &worker = *Worker::current();
    Member &outer_member = *worker.member;
    Task &encountering = *worker.task;
    Team &team = take_cached_team(worker, worker.cached_serial_teams);
    ContentionGroup group;
    group.num_teams = num_teams;
    team.size = 1;
    new (begin_region(team)) RegionDescription{.body = body,
                                               .data = data,
                                               .parent = &outer_member,
                                               .parent_task = &encountering,
                                               .parent_tie = worker.tie,
                                               .icvs = {icvs},
                                               .contention = &group,
                                               .codeptr = codeptr,
                                               .tool_flags = kLeague | kInvokedByRuntime,
                                               .is_league = true};
    if (thread_limit > 0)
        team.icvs.thread_limit = std::min(thread_limit, team.icvs.thread_limit);
    group.thread_limit = team.icvs.thread_limit;
    Member &member = *team.members[0];
    member.place = outer_member.place;
    member.place_first = outer_member.place_first;
    member.place_count = outer_member.place_count;
    LOOMP_TOOL(parallel_begin, team, static_cast<unsigned>(num_teams), team.tool_flags);
    outer_member.nested = &team;
    for (group.team_num = 0; group.team_num < num_teams; ++group.team_num) {
        begin_work(team, 1);
        expect_members(team, 1);
        place_league_team(member, group.team_num, num_teams);
        start_implicit_task(worker, member);
        LOOMP_TOOL(implicit_begin, member.implicit, static_cast<unsigned>(num_teams),
                   static_cast<unsigned>(group.team_num));
        LOOMP_TOOL(exit_frame, member.implicit, __builtin_frame_address(0));
        body(data, member);
        Member &now = *Worker::current()->member;
        arrive_at_join(now, SyncKind::barrier_teams);
        wait_for_join(now, SyncKind::barrier_teams);
        end_implicit_task(member, static_cast<unsigned>(num_teams));
        forget_tasks(team);
    }
    outer_member.nested = nullptr;
    if (LOOMP_UNLIKELY(member.place != outer_member.place))
        bind_to_place(worker, outer_member.place);
    worker.member = team.parent;
    worker.task = team.parent_task;
    worker.tie = team.parent_tie;
    LOOMP_TOOL(parallel_end, team, team.tool_flags);
    team.next_cached = worker.cached_serial_teams;
    worker.cached_serial_teams = &team;
}

} // namespace loomp::core
