// Explicit tasks: creation, dependences, switches.
#include <utility>
#include <vector>

#include "runtime/core/dependences/dependence.h"
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

using core::TaskStatus;

void report_schedule(const Task &prior, TaskStatus status, const Task *next) {
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, data_of(prior),
                                        static_cast<ompt_task_status_t>(status),
                                        next != nullptr ? data_of(*next) : nullptr);
}

/// Returns with which status the thread leaves a task for another.
TaskStatus leaving(Task &prior) {
    const bool yields = prior.tool != nullptr && std::exchange(prior.tool->yields, false);
    return yields ? TaskStatus::yield : TaskStatus::switched;
}

/// Returns the task on whose frames another runs, or the worker's implicit task if there is none.
Task &or_implicit(Task *below) {
    return below != nullptr ? *below : Worker::current()->member->implicit;
}

void task_create(Task &created, bool has_dependences) {
    created.tool = new ToolTask;
    created.tool->state = work_state(*created.team);
    const Task &encountering = *task_of(*Worker::current());
    const ToolTask *const creator = encountering.tool;
    call<ompt_callback_task_create_t>(
        ompt_callback_task_create, data_of(encountering), frame_of(encountering), data_of(created),
        flags_of(created), int{has_dependences},
        creator != nullptr ? place_of_creation(creator->codeptr, created) : nullptr);
}

void taskloop_chunk(Task &task, core::ToolChunk chunk) {
    if (task.tool != nullptr)
        task.tool->chunk = chunk;
}

ompt_dependence_type_t type_of(const core::Dependence &dependence) {
    // Compilers encode out and inout of omp_all_memory identically.
    if (dependence.all_memory)
        return ompt_dependence_type_out_all_memory;
    switch (dependence.access) {
    case core::Access::in:
        return ompt_dependence_type_in;
    case core::Access::inoutset:
        return ompt_dependence_type_inoutset;
    case core::Access::mutexinoutset:
        return ompt_dependence_type_mutexinoutset;
    default:
        return ompt_dependence_type_inout;
    }
}

void report_dependences(ompt_data_t *data, const core::Dependence *dependences, std::size_t count) {
    if (count == 0 || callbacks[ompt_callback_dependences] == nullptr)
        return;
    std::vector<ompt_dependence_t> items(count);
    for (std::size_t i = 0; i < count; ++i) {
        items[i].variable.ptr = const_cast<void *>(dependences[i].address);
        items[i].dependence_type = type_of(dependences[i]);
    }
    call<ompt_callback_dependences_t>(ompt_callback_dependences, data, items.data(),
                                      static_cast<int>(count));
}

void dependences(Task &task, const core::Dependence *items, std::size_t count) {
    if (task.tool != nullptr)
        report_dependences(data_of(task), items, count);
}

void task_dependence(ToolTask &predecessor, Task &task) {
    call<ompt_callback_task_dependence_t>(ompt_callback_task_dependence, data_of(predecessor.data),
                                          data_of(task));
}

void task_begin(Task *below, Task &task, const void *frame) {
    ToolTask *tool = task.tool;
    if (tool == nullptr)
        return;
    Task &prior = or_implicit(below);
    tool->below = &prior;
    tool->frame.exit.ptr = const_cast<void *>(frame);
    tool->frame.exit_flags = core::ToolFrame::kOfRuntime;
    report_schedule(prior, leaving(prior), &task);
    if (tool->chunk.iterations == 0)
        return;
    ompt_data_t instance;
    instance.ptr = &tool->chunk;
    call<ompt_callback_dispatch_t>(ompt_callback_dispatch, data_of(task.team->tool_data),
                                   data_of(task), ompt_dispatch_taskloop_chunk, instance);
    tool->chunk = {};
}

void called_by_creator(Task &task, const void *frame) {
    if (task.tool == nullptr)
        return;
    core::ToolFrame &called = task.tool->frame;
    called.exit.ptr = const_cast<void *>(frame);
    called.exit_flags = core::ToolFrame::kOfProgram;
    if (ToolTask *creator = task.tool->below->tool) {
        creator->frame.enter.ptr = const_cast<void *>(frame);
        creator->frame.enter_flags = core::ToolFrame::kOfProgram;
    }
}

void task_end(Task &task, TaskStatus status, Task *below) {
    ToolTask *tool = task.tool;
    if (tool == nullptr)
        return;
    if (status == TaskStatus::detach)
        tool->detached = true;
    tool->frame.exit.ptr = nullptr;
    report_schedule(task, status, &or_implicit(below));
}

/// The worker leaves the task for unknown work, so its implicit task stands in as the next task.
void task_suspend(Task &task) {
    if (task.tool != nullptr && !task.has(core::kImplicit))
        report_schedule(task, leaving(task), &Worker::current()->member->implicit);
}

void task_resume(Task &task) {
    if (task.tool == nullptr)
        return;
    Task &implicit = Worker::current()->member->implicit;
    const TaskStatus status = leaving(implicit);
    if (!task.has(core::kImplicit))
        report_schedule(implicit, status, &task);
}

void early_fulfill(Task &task) {
    if (task.tool != nullptr)
        report_schedule(task, TaskStatus::early, nullptr);
}

void late_fulfill(Task &task) {
    if (task.tool != nullptr && task.tool->detached)
        report_schedule(task, TaskStatus::late, nullptr);
}

void task_delete(Task &task) {
    if (const TaskDeleted report = on_task_deleted.load(std::memory_order_acquire))
        report(data_of(task));
}

void empty_task(Task &task) {
    if (task.tool == nullptr)
        return;
    const Task &current = *task_of(*Worker::current());
    report_schedule(current, TaskStatus::switched, &task);
    report_schedule(task, TaskStatus::complete, &current);
}

void *taskwait_begin(const core::Dependence *items, std::size_t count) {
    auto *data = new ompt_data_t{};
    const Task &encountering = *task_of(*Worker::current());
    call<ompt_callback_task_create_t>(
        ompt_callback_task_create, data_of(encountering), frame_of(encountering), data,
        ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable, 1,
        codeptr_of(encountering));
    report_dependences(data, items, count);
    return data;
}

void taskwait_end(void *taskwait) {
    auto *data = static_cast<ompt_data_t *>(taskwait);
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, data, ompt_taskwait_complete,
                                        static_cast<ompt_data_t *>(nullptr));
    delete data;
}

static_assert(static_cast<int>(TaskStatus::complete) == ompt_task_complete);
static_assert(static_cast<int>(TaskStatus::yield) == ompt_task_yield);
static_assert(static_cast<int>(TaskStatus::cancel) == ompt_task_cancel);
static_assert(static_cast<int>(TaskStatus::detach) == ompt_task_detach);
static_assert(static_cast<int>(TaskStatus::early) == ompt_task_early_fulfill);
static_assert(static_cast<int>(TaskStatus::late) == ompt_task_late_fulfill);
static_assert(static_cast<int>(TaskStatus::switched) == ompt_task_switch);
static_assert(sizeof(core::ToolChunk) == sizeof(ompt_dispatch_chunk_t));

} // namespace

int flags_of(const Task &task) {
    if (task.has(core::kImplicit)) {
        const Team &team = *task.team;
        return team.level == 0 ? ompt_task_initial : ompt_task_implicit;
    }
    int flags =
        task.has(core::kTarget) ? ompt_task_target | ompt_task_explicit : ompt_task_explicit;
    if (task.has(core::kUndeferred))
        flags |= ompt_task_undeferred;
    if (!task.has(core::kTied))
        flags |= ompt_task_untied;
    if (task.has(core::kFinal))
        flags |= ompt_task_final;
    if (task.has(core::kMergeable))
        flags |= ompt_task_mergeable;
    if (task.has(core::kTransparent))
        flags |= ompt_task_exporting;
    if (task.has(core::kWeak))
        flags |= ompt_task_importing;
    return flags;
}

void hook_tasks(core::ToolHooks &hooks) {
    hooks.task_create = task_create;
    hooks.data_filled = [](Task &) {};
    hooks.taskloop_chunk = taskloop_chunk;
    hooks.dependences = dependences;
    hooks.task_dependence = task_dependence;
    hooks.task_begin = task_begin;
    hooks.called_by_creator = called_by_creator;
    hooks.task_end = task_end;
    hooks.task_suspend = task_suspend;
    hooks.task_resume = task_resume;
    hooks.early_fulfill = early_fulfill;
    hooks.late_fulfill = late_fulfill;
    hooks.empty_task = empty_task;
    hooks.task_delete = task_delete;
    hooks.taskwait_begin = taskwait_begin;
    hooks.taskwait_end = taskwait_end;
}

} // namespace loomp::ompt
