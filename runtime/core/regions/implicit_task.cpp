#include "runtime/core/regions/thread.h"

#include <algorithm>

#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// Returns how many tasks in a thread's queue keep its team busy while the thread itself runs half
/// as many per thread.
LOOMP_INLINE std::int64_t ready_limit(int team_size) {
    constexpr std::int64_t least = 128;
    constexpr std::int64_t per_thread = 64;
    return std::max(least, per_thread * team_size);
}

} // namespace

void start_implicit_task(Worker &worker, Member &member) {
    Team &team = *member.team;
    Task &task = member.implicit;
    transition(task, TaskPhase::released, TaskPhase::running);
    LOOMP_ASSERT(task.detach.load(std::memory_order_relaxed) == 0 && task.attached == nullptr);
    task.invoke = nullptr;
    task.parent = team.parent_task;
    task.team = &team;
    task.group = team.initial_group;
    task.icvs = &team.icvs;
    task.flags = kImplicit | kTied;
    // Tasks of the sequential part of a program run at once, because no later point is certain to
    // run them.
    if (team.level == 0)
        task.flags |= kRunsChildrenInline;
    if (LOOMP_UNLIKELY(task_settings().new_tasks != MachineLevel::thread))
        task.flags |= kPlacesNew;
    task.created = 0;
    task.children.store(0, std::memory_order_relaxed);
    task.priority = 0;
    member.work.begin_region(team.work.oldest);
    member.successor_slot = nullptr;
    member.priority_inline_budget = 0;
    member.untied_first = false;
    // A single thread has no others to keep busy.
    member.alone = team.size == 1 && work_first_possible && !oldest_first && !producers_first;
    member.ready_limit = member.alone ? -1 : ready_limit(team.size);
    member.modes.note();
    if (worker.exceptions == &no_exceptions)
        worker.find_exceptions();
    if (member.alone)
        member.inline_budget.lift();
    else
        member.inline_budget.close();
    worker.enter(member, task);
    if (LOOMP_UNLIKELY(tool_enabled) && task.tool == nullptr)
        task.tool = new ToolTask{};
}

void drop_what_it_made(Task &task) {
    if (task.map != nullptr) {
        task.map->clear();
        if (LOOMP_UNLIKELY(task.map->persistent != nullptr))
            end_region(*task.map->persistent);
    }
    if (task.has(kOwnsIcvs))
        free_icvs(task);
}

void end_implicit_task(Member &member, unsigned size) {
    Task &task = member.implicit;
    LOOMP_ASSERT(member.successor_slot == nullptr);
    transition(task, TaskPhase::running, TaskPhase::released);
    LOOMP_TOOL(implicit_end, task, size, static_cast<unsigned>(member.num));
    drop_what_it_made(task);
    if (LOOMP_UNLIKELY(task.tool != nullptr)) {
        delete task.tool;
        task.tool = nullptr;
    }
}

} // namespace loomp::core
