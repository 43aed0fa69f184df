// What the files of the OMPT interface share: the tool's callbacks, and how the core's objects look
// to a tool.
#pragma once

#include "platform/atomic.h"

#include "loomp/omp-tools.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::ompt {

using core::Member;
using core::Task;
using core::Team;
using core::ToolTask;
using core::Worker;

inline constexpr int kEvents = ompt_callback_error + 1;

/// By ompt_callbacks_t. Written by the tool, in its initializer as a rule; a change later reaches
/// other threads some time.
extern core::Relaxed<ompt_callback_t> callbacks[kEvents];

/// Calls the tool's callback of an event, if it set one.
template <class Fn, class... Arguments>
LOOMP_INLINE void call(ompt_callbacks_t event, Arguments... arguments) {
    if (const ompt_callback_t callback = callbacks[event])
        reinterpret_cast<Fn>(callback)(arguments...);
}

inline ompt_data_t *data_of(core::ToolData &data) { return reinterpret_cast<ompt_data_t *>(&data); }
inline ompt_data_t *data_of(const Task &task) {
    return task.tool != nullptr ? data_of(task.tool->data) : nullptr;
}
inline ompt_frame_t *frame_of(const Task &task) {
    return task.tool != nullptr ? reinterpret_cast<ompt_frame_t *>(&task.tool->frame) : nullptr;
}
inline const void *codeptr_of(const Task &task) {
    return task.tool != nullptr ? task.tool->codeptr : nullptr;
}

/// The task that a worker runs, in a tool's eyes; null when it is in no team.
inline Task *task_of(const Worker &worker) {
    if (worker.task != nullptr || worker.member == nullptr)
        return worker.task;
    return &worker.member->implicit;
}

/// Flags of ompt_get_task_info and the creation callbacks.
int flags_of(const Task &task);
/// What a task's thread does while the task runs its own code.
int work_state(const Team &team);

/// The core's hooks, turned into callbacks; each file fills in its part.
void hook_regions(core::ToolHooks &hooks);
void hook_tasks(core::ToolHooks &hooks);
void hook_work(core::ToolHooks &hooks);
void hook_mutexes(core::ToolHooks &hooks);
void hook_race_detector(core::ToolHooks &hooks);

/// A barrier of `team` has ended, or the region: the blocks of tasks before it may be used again.
void give_blocks_back(Team &team, bool region_ends);

/// Told when the memory of an explicit task is given back; null: nobody. By set_task_deleted(),
/// which tools look up as loomp_set_task_deleted.
using TaskDeleted = void (*)(ompt_data_t *);
extern Atomic<TaskDeleted> on_task_deleted;

/// The tool's initializer did not want it to be active: it learns nothing of threads, regions and
/// tasks. Constant from the first worker on.
extern bool tool_declined;

/// The lookup function given to tools.
ompt_interface_fn_t lookup(const char *name);
/// The same for libomptarget.
ompt_interface_fn_t lookup_of_libomptarget(const char *name);
/// ompt_finalize_tool: the tool wants no more callbacks.
void finalize_tool();

} // namespace loomp::ompt
