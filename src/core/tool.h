// What the core tells an attached tool. The core knows no OMPT: it calls these hooks at its named
// transitions; src/ompt fills the table in and turns them into OMPT callbacks.
//
// Without a tool every hook costs one predictable branch on `tool_enabled`.
#pragma once

#include <cstdint>

#include "core/common.h"

namespace loomp::core {

struct Task;
struct Team;
struct Member;
class Worker;
struct Dependence;

/// A word (or pointer) that belongs to the tool; layout of ompt_data_t.
union ToolData {
    std::uint64_t value;
    void *ptr;
};

/// Layout of ompt_frame_t.
struct ToolFrame {
    ToolData exit;
    ToolData enter;
    int exit_flags;
    int enter_flags;
};

/// Per task, allocated only while a tool is attached.
struct ToolTask {
    ToolData data;
    ToolFrame frame;
};

enum class SyncKind {
    barrier_implicit,
    barrier_explicit,
    barrier_implementation,
    barrier_teams,
    barrier_implicit_workshare,
    barrier_implicit_parallel,
    taskwait,
    taskgroup,
    reduction
};
enum class WorkKind {
    loop,
    sections,
    single_executor,
    single_other,
    workshare,
    distribute,
    taskloop,
    scope,
    loop_static,
    loop_dynamic,
    loop_guided,
    loop_other
};
enum class MutexKind { lock, test_lock, nest_lock, test_nest_lock, critical, atomic, ordered };
enum class SwitchReason {
    complete,
    yield,
    cancel,
    detach,
    early_fulfill,
    late_fulfill,
    switched,
    taskwait_complete
};

struct ToolHooks {
    void (*thread_begin)(Worker &, bool initial);
    void (*thread_end)(Worker &);
    void (*parallel_begin)(Task &encountering, Team &, unsigned requested, bool teams,
                           const void *codeptr);
    void (*parallel_end)(Team &, Task &encountering, bool teams, const void *codeptr);
    /// Implicit and initial tasks. `team` null where the standard says so (end of implicit tasks
    /// of workers).
    void (*implicit_begin)(Task &, Team &, unsigned team_size, unsigned index, bool initial);
    void (*implicit_end)(Task &, unsigned index, bool initial);
    void (*task_create)(Task &encountering, Task &created, bool has_dependences,
                        const void *codeptr);
    void (*dependences)(Task &, const Dependence *, unsigned count);
    /// The worker leaves `prior` for `next`; `next` null: back to no task in particular.
    void (*task_schedule)(Task *prior, SwitchReason, Task *next);
    void (*task_release)(Task &); ///< its ToolTask is about to be freed
    void (*sync_begin)(SyncKind, Task &, Team *, const void *codeptr);
    void (*sync_end)(SyncKind, Task &, Team *, const void *codeptr);
    void (*wait_begin)(SyncKind, Task &, Team *, const void *codeptr);
    void (*wait_end)(SyncKind, Task &, Team *, const void *codeptr);
    void (*work_begin)(WorkKind, Task &, std::uint64_t count, const void *codeptr);
    void (*work_end)(WorkKind, Task &, std::uint64_t count, const void *codeptr);
    void (*dispatch_iteration)(Task &, std::uint64_t first, std::uint64_t count, bool section);
    void (*masked_begin)(Task &, const void *codeptr);
    void (*masked_end)(Task &, const void *codeptr);
    void (*mutex_acquire)(MutexKind, unsigned hint, std::uintptr_t wait_id, const void *codeptr);
    void (*mutex_acquired)(MutexKind, std::uintptr_t wait_id, const void *codeptr);
    void (*mutex_released)(MutexKind, std::uintptr_t wait_id, const void *codeptr);
    void (*lock_init)(MutexKind, unsigned hint, std::uintptr_t wait_id, const void *codeptr);
    void (*lock_destroy)(MutexKind, std::uintptr_t wait_id, const void *codeptr);
    void (*nest_lock)(bool begin, std::uintptr_t wait_id, const void *codeptr);
    void (*flush)(const void *codeptr);
    void (*cancel)(Task &, int flags, const void *codeptr);
};

/// True while a tool is attached. Set once, before the first parallel region; cleared at the end.
extern bool tool_enabled;
extern ToolHooks tool_hooks;

/// Called once by initialize(): lets src/ompt look for a tool. Null when there is no src/ompt.
extern void (*tool_startup)();
extern void (*tool_shutdown)();

#define LOOMP_TOOL(event, ...)                                                                     \
    do {                                                                                           \
        if (LOOMP_UNLIKELY(::loomp::core::tool_enabled))                                           \
            ::loomp::core::tool_hooks.event(__VA_ARGS__);                                          \
    } while (0)

} // namespace loomp::core
