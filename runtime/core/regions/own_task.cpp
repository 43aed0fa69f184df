#include "runtime/core/regions/own_task.h"

#include <utility>

#include "runtime/core/regions/teams.h"
#include "runtime/core/regions/thread.h"
#include "runtime/core/team/affinity.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

LOOMP_COLD Member &make_own_task(Worker &worker) {
    Team &team = make_initial_team(worker);
    team.active_level = 1; // regions in it are nested ones
    Member &member = *team.members[0];
    start_implicit_task(worker, member);
    place_initial_thread(member);
    delete std::exchange(member.implicit.tool, nullptr); // each call sets it
    return member;
}

/// True if the task's ICVs and its region's do not change meanwhile: those of a region stay while
/// one of its explicit tasks runs, and its primary thread changes them itself. Any other thread may
/// be late in a region that has ended.
bool is_constant(const Task &task, const Member &member) {
    return !task.has(kImplicit) || member.num == 0;
}

/// The properties of a member that the own task has from the member below it, if that one runs a
/// task, and otherwise its own.
struct Surroundings {
    explicit Surroundings(const Member &member)
        : contention(member.team->contention), place(member.place), place_first(member.place_first),
          place_count(member.place_count) {}
    void give_to(Member &own) const {
        own.team->contention = contention;
        own.place = place;
        own.place_first = place_first;
        own.place_count = place_count;
    }

  private:
    ContentionGroup *contention;
    int place;
    int place_first;
    int place_count;
};

/// For tools, the task below makes the calls and begins the regions; between tasks, the implicit
/// task of the thread's region. Between regions each call is an initial task.
void enter_for_tools(Task &task, const Task &below) {
    LOOMP_ASSERT(task.tool == nullptr);
    task.tool = below.tool;
    if (task.tool == nullptr) {
        task.tool = new ToolTask{};
        LOOMP_TOOL(implicit_begin, task, 1U, 1U);
    }
}

void leave_for_tools(Task &task, const Task &below) {
    if (task.tool != below.tool) {
        LOOMP_TOOL(implicit_end, task, 1U, 1U);
        delete task.tool;
    }
    task.tool = nullptr;
}

/// `below` is null between tasks.
void enter_own_task(Worker &worker, Member &own, const Task *below) {
    Task &task = own.implicit;
    if (below != nullptr && is_constant(*below, *worker.member)) {
        task.icvs = below->icvs;
        Surroundings(*worker.member).give_to(own);
    }
    worker.enter(own, task);
}

void leave_own_task(Member &own, const Surroundings &between_calls) {
    Task &task = own.implicit;
    drop_what_it_made(task);
    task.icvs = &own.team->icvs;
    between_calls.give_to(own);
}

/// True if the thread runs a task in no region, which does not leave it.
bool is_task_outside_regions(const Worker &worker) {
    return worker.task != nullptr && worker.member->num == 0 && worker.member->team->level == 0;
}

} // namespace

void run_in_own_task(void (*function)(void *data), void *data) {
    Worker *const worker = Worker::current_or_null();
    if (worker == nullptr || worker->member == nullptr || worker->is_in_own_task ||
        is_task_outside_regions(*worker)) {
        function(data);
        return;
    }
    Member *const member = worker->member;
    Task *const task = worker->task;
    Member *const tie = worker->tie;
    const auto continue_before = [&] {
        worker->task = task;
        worker->tie = tie;
        asm volatile("" ::: "memory"); // for signal handlers of this thread
        worker->member = member;
    };
    if (LOOMP_UNLIKELY(worker->own_task == nullptr)) {
        worker->own_task = &make_own_task(*worker);
        continue_before();
    }
    worker->is_in_own_task = true;
    const Surroundings between_calls(*worker->own_task);
    const Task &seen = task != nullptr ? *task : member->implicit;
    Task &own = worker->own_task->implicit;
    enter_own_task(*worker, *worker->own_task, task);
    if (LOOMP_UNLIKELY(tool_enabled))
        enter_for_tools(own, seen);
    function(data);
    if (LOOMP_UNLIKELY(own.tool != nullptr))
        leave_for_tools(own, seen);
    leave_own_task(*worker->own_task, between_calls);
    worker->is_in_own_task = false;
    continue_before();
}

} // namespace loomp::core
