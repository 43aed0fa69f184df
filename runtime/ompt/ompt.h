// Shared by the files of the OMPT interface: the tool's callbacks, and the core's objects in OMPT's
// terms.
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

/// Indexed by ompt_callbacks_t. The tool usually sets them in its initializer; a later change
/// reaches other threads eventually.
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
/// Returns where a construct is, from the return address of the entry point. A function may jump
/// into the runtime as its last act. Then the address is that of its caller, which is the runtime
/// if the function is an outlined one. The result then lies in an outlined function: that of
/// `task`, which meets the construct or is created by it.
const void *place_of(const void *codeptr, const Task &task);
/// Returns an address in the construct that creates `task`: the creator's entry point `codeptr`, or
/// the begin of the task's outlined function if the tool prefers that and the function's first line
/// is the construct's.
const void *place_of_creation(const void *codeptr, const Task &task);
/// A tool sets it by prefer_outlined_functions(), which it looks up as
/// loomp_prefer_outlined_functions. gcc's calls of the runtime have the line of the code before
/// them.
extern Atomic<bool> outlined_functions_preferred;
/// The place of a region, which may not have ended, or of its outlined function.
const void *codeptr_of(const Team &team);
/// The place of the entry point that the task is in.
inline const void *codeptr_of(const Task &task) {
    return task.tool != nullptr ? place_of(task.tool->codeptr, task) : nullptr;
}

/// Returns the task that a worker runs, in OMPT's terms; null if the worker is in no team.
inline Task *task_of(const Worker &worker) {
    if (worker.task != nullptr || worker.member == nullptr)
        return worker.task;
    return &worker.member->implicit;
}

/// Returns the flags of ompt_get_task_info and the creation callbacks.
int flags_of(const Task &task);
/// Returns the state of a thread that runs a task's own code.
int work_state(const Team &team);

/// Each file turns some of the core's hooks into callbacks.
void hook_regions(core::ToolHooks &hooks);
void hook_tasks(core::ToolHooks &hooks);
void hook_work(core::ToolHooks &hooks);
void hook_mutexes(core::ToolHooks &hooks);
void hook_race_detector(core::ToolHooks &hooks);
/// Returns whether ThreadSanitizer examines the program.
bool runs_with_thread_sanitizer();

/// A barrier of `team`, or its region, has ended: the blocks of earlier tasks may be reused.
void give_blocks_back(Team &team, bool region_ends);

/// Called when the memory of an explicit task is freed; null: never. Tools set it with
/// set_task_deleted(), which they look up as loomp_set_task_deleted.
using TaskDeleted = void (*)(ompt_data_t *);
extern Atomic<TaskDeleted> on_task_deleted;

/// The tool's initializer declined: the tool gets no events of threads, regions and tasks. Constant
/// after the first worker exists.
extern bool tool_declined;

/// The lookup function given to tools.
ompt_interface_fn_t lookup(const char *name);
/// The lookup function given to libomptarget.
ompt_interface_fn_t lookup_of_libomptarget(const char *name);
/// ompt_finalize_tool: the tool wants no more callbacks.
void finalize_tool();

} // namespace loomp::ompt
