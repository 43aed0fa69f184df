// Threads, parallel and teams regions, implicit tasks, and regions of synchronisation.
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

using core::SyncKind;
using core::ToolFrame;

ToolTask *running() {
    const Worker *worker = Worker::current_or_null();
    const Task *task = worker != nullptr ? task_of(*worker) : nullptr;
    return task != nullptr ? task->tool : nullptr;
}

// --- Threads -------------------------------------------------------------------------------------

void thread_begin(Worker &worker) {
    call<ompt_callback_thread_begin_t>(ompt_callback_thread_begin,
                                       worker.is_foreign ? ompt_thread_initial : ompt_thread_worker,
                                       data_of(worker.tool_data));
}

void thread_end(Worker &worker) {
    call<ompt_callback_thread_end_t>(ompt_callback_thread_end, data_of(worker.tool_data));
    worker.tool_data.value = 0;
}

ToolTask *enter(const void *frame, const void *codeptr) {
    ToolTask *tool = running();
    if (tool == nullptr || tool->frame.enter.ptr != nullptr)
        return nullptr;
    tool->frame.enter.ptr = const_cast<void *>(frame);
    tool->frame.enter_flags = ToolFrame::kOfRuntime;
    tool->codeptr = codeptr;
    return tool;
}

void leave() {
    if (ToolTask *tool = running()) {
        tool->frame.enter.ptr = nullptr;
        tool->codeptr = nullptr;
    }
}

void exit_frame(Task &task, const void *frame) {
    if (task.tool == nullptr)
        return;
    task.tool->frame.exit.ptr = const_cast<void *>(frame);
    task.tool->frame.exit_flags = ToolFrame::kOfRuntime;
}

// --- Parallel regions ----------------------------------------------------------------------------

void parallel_begin(Team &team, unsigned requested, int flags) {
    team.tool_data.value = 0;
    const Task &encountering = *team.parent_task;
    call<ompt_callback_parallel_begin_t>(ompt_callback_parallel_begin, data_of(encountering),
                                         frame_of(encountering), data_of(team.tool_data), requested,
                                         flags, codeptr_of(team));
}

void parallel_end(Team &team, int flags) {
    call<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, data_of(team.tool_data),
                                       data_of(*team.parent_task), flags, codeptr_of(team));
}

void implicit_begin(Task &task, unsigned size, unsigned index) {
    if (task.tool == nullptr)
        return;
    Team &team = *task.team;
    if (team.parent_task == nullptr) // no region has begun
        team.tool_data.value = 0;
    task.tool->state = work_state(team);
    call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_begin,
                                        data_of(team.tool_data), data_of(task), size, index,
                                        flags_of(task));
}

/// The end event reports no parallelism. An initial task outside a league has the index 1 (OpenMP
/// 5.2, 19.5.2.11).
void implicit_end(Task &task, unsigned /*size*/, unsigned index) {
    if (task.tool == nullptr)
        return;
    const int flags = flags_of(task);
    const bool alone = flags == ompt_task_initial && task.team->parent_task == nullptr;
    call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_end,
                                        static_cast<ompt_data_t *>(nullptr), data_of(task), 0U,
                                        alone ? 1U : index, flags);
}

// --- Synchronisation -----------------------------------------------------------------------------

int wait_state(SyncKind kind) {
    switch (kind) {
    case SyncKind::barrier_explicit:
        return ompt_state_wait_barrier_explicit;
    case SyncKind::barrier_workshare:
        return ompt_state_wait_barrier_implicit_workshare;
    case SyncKind::barrier_parallel:
        return ompt_state_wait_barrier_implicit_parallel;
    case SyncKind::barrier_teams:
        return ompt_state_wait_barrier_teams;
    case SyncKind::taskwait:
        return ompt_state_wait_taskwait;
    case SyncKind::taskgroup:
        return ompt_state_wait_taskgroup;
    default:
        return ompt_state_wait_barrier_implementation;
    }
}

/// The implicit barrier at a region's end belongs to the construct, and only the primary thread has
/// met that.
const void *sync_codeptr(SyncKind kind, Task &task, bool team_is_gone) {
    if (kind == SyncKind::barrier_teams)
        return nullptr;
    if (kind == SyncKind::barrier_parallel)
        return !team_is_gone && core::member_of_implicit(task)->num == 0 ? codeptr_of(*task.team)
                                                                         : nullptr;
    return codeptr_of(task);
}

/// The end of the barrier at a region's end has no region (OpenMP 5.2, 19.5.2.13).
void sync_event(ompt_callbacks_t event, SyncKind kind, ompt_scope_endpoint_t endpoint, Task &task,
                bool team_is_gone) {
    if (task.tool == nullptr)
        return;
    const bool has_region =
        !team_is_gone && !(event == ompt_callback_sync_region &&
                           kind == SyncKind::barrier_parallel && endpoint == ompt_scope_end);
    call<ompt_callback_sync_region_t>(event, static_cast<ompt_sync_region_t>(kind), endpoint,
                                      has_region ? data_of(task.team->tool_data) : nullptr,
                                      data_of(task), sync_codeptr(kind, task, team_is_gone));
}

void sync_begin(SyncKind kind, Task &task) {
    sync_event(ompt_callback_sync_region, kind, ompt_scope_begin, task, false);
}
bool is_barrier(SyncKind kind) { return kind != SyncKind::taskwait && kind != SyncKind::taskgroup; }

void sync_end(SyncKind kind, Task &task, bool team_is_gone) {
    sync_event(ompt_callback_sync_region, kind, ompt_scope_end, task, team_is_gone);
    if (core::tool_hooks.keep_block != nullptr && is_barrier(kind) && !team_is_gone &&
        core::member_of_implicit(task)->num == 0)
        give_blocks_back(*task.team, kind == SyncKind::barrier_parallel);
}
void wait_begin(SyncKind kind, Task &task) {
    if (task.tool != nullptr)
        task.tool->state = wait_state(kind);
    sync_event(ompt_callback_sync_region_wait, kind, ompt_scope_begin, task, false);
}
void wait_end(SyncKind kind, Task &task, bool team_is_gone) {
    sync_event(ompt_callback_sync_region_wait, kind, ompt_scope_end, task, team_is_gone);
    if (task.tool != nullptr)
        task.tool->state = team_is_gone ? int{ompt_state_overhead} : work_state(*task.team);
}

void reduction(bool begin) {
    const Task *task = task_of(*Worker::current());
    if (task == nullptr || task->tool == nullptr)
        return;
    task->tool->state = begin ? int{ompt_state_work_reduction} : work_state(*task->team);
    call<ompt_callback_sync_region_t>(ompt_callback_reduction, ompt_sync_region_reduction,
                                      begin ? ompt_scope_begin : ompt_scope_end,
                                      data_of(task->team->tool_data), data_of(*task),
                                      codeptr_of(*task));
}

// The core's enumerators have OMPT's values.
static_assert(static_cast<int>(SyncKind::barrier_explicit) == ompt_sync_region_barrier_explicit);
static_assert(static_cast<int>(SyncKind::barrier_implementation) ==
              ompt_sync_region_barrier_implementation);
static_assert(static_cast<int>(SyncKind::taskwait) == ompt_sync_region_taskwait);
static_assert(static_cast<int>(SyncKind::taskgroup) == ompt_sync_region_taskgroup);
static_assert(static_cast<int>(SyncKind::reduction) == ompt_sync_region_reduction);
static_assert(static_cast<int>(SyncKind::barrier_workshare) ==
              ompt_sync_region_barrier_implicit_workshare);
static_assert(static_cast<int>(SyncKind::barrier_parallel) ==
              ompt_sync_region_barrier_implicit_parallel);
static_assert(static_cast<int>(SyncKind::barrier_teams) == ompt_sync_region_barrier_teams);
static_assert(core::kInvokedByProgram == int{ompt_parallel_invoker_program});
static_assert(core::kInvokedByRuntime == int{ompt_parallel_invoker_runtime});
static_assert(core::kLeague == int{ompt_parallel_league});
static_assert(core::kTeam == int{ompt_parallel_team});
static_assert(ToolFrame::kOfRuntime == (ompt_frame_runtime | ompt_frame_cfa) &&
              ToolFrame::kOfProgram == (ompt_frame_application | ompt_frame_cfa));
static_assert(sizeof(ToolFrame) == sizeof(ompt_frame_t) &&
              offsetof(ToolFrame, enter) == offsetof(ompt_frame_t, enter_frame) &&
              offsetof(ToolFrame, enter_flags) == offsetof(ompt_frame_t, enter_frame_flags));

} // namespace

int work_state(const Team &team) {
    return team.level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
}

void hook_regions(core::ToolHooks &hooks) {
    hooks.thread_begin = thread_begin;
    hooks.thread_end = thread_end;
    hooks.enter = enter;
    hooks.leave = leave;
    hooks.exit_frame = exit_frame;
    hooks.parallel_begin = parallel_begin;
    hooks.parallel_end = parallel_end;
    hooks.implicit_begin = implicit_begin;
    hooks.implicit_end = implicit_end;
    hooks.sync_begin = sync_begin;
    hooks.sync_end = sync_end;
    hooks.wait_begin = wait_begin;
    hooks.wait_end = wait_end;
    hooks.reduction = reduction;
}

} // namespace loomp::ompt
