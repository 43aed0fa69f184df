// Hooks by which the core informs an attached tool. The core knows no OMPT: it calls these hooks at
// its named transitions; runtime/ompt fills the table in and turns them into OMPT callbacks.
//
// Without a tool every hook costs one predictable branch on `tool_enabled`. Enumerators have OMPT's
// values, so that nothing is translated on the way (checked where runtime/ompt hands them over).
//
// A task as a tool sees it: while a worker schedules on a fresh stack and runs no task, its
// member's implicit task stands for it. So every switch a tool is told of is between two living
// tasks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/common.h"

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

/// Layout of ompt_frame_t. An address that __builtin_frame_address() gives counts as the canonical
/// frame address (ompt_frame_cfa), as it does for libomp from 23 on.
struct ToolFrame {
    static constexpr int kOfRuntime = 0x10;
    static constexpr int kOfProgram = 0x11;
    ToolData exit = {};
    ToolData enter = {};
    int exit_flags = kOfRuntime;
    int enter_flags = kOfRuntime;
};

/// The iterations of a taskloop's task; layout of ompt_dispatch_chunk_t.
struct ToolChunk {
    std::uint64_t start;
    std::uint64_t iterations;
};

/// A task as tools see it. Made when a tool is told of the task; used by the thread that
/// creates the task, then by those that run it.
struct ToolTask {
    ToolData data = {};
    ToolFrame frame;
    const void *codeptr = nullptr;   ///< return address of the entry point it is in
    const void *construct = nullptr; ///< where the worksharing construct is that it began last
    Task *below = nullptr;           ///< on whose frames it was started
    ToolChunk chunk = {};
    std::uint64_t wait_id = 0; ///< what it waits for, with `state`
    int state = 0;             ///< value of ompt_state_t
    /// A detachable task's body has ended or its event was fulfilled. The side that sets it comes
    /// first, and so both sides know what to report: an early fulfilment and a complete task, or a
    /// detached task and a late fulfilment.
    Atomic<bool> settled{false};
    Worker *ends_on = nullptr; ///< the body, if that side comes first; written before `settled`
    bool detached = false;     ///< its body has ended, its event was open
    bool yields = false;       ///< what its thread turns to next, it does at a taskyield
    bool cancelled = false;    ///< it was discarded, or met a cancellation of its taskgroup
};

enum class SyncKind : int {
    barrier_explicit = 3,
    barrier_implementation = 4,
    taskwait = 5,
    taskgroup = 6,
    reduction = 7,
    barrier_workshare = 8,
    barrier_parallel = 9,
    barrier_teams = 10
};
enum class WorkKind : int {
    none = 0,
    sections = 2,
    single_executor = 3,
    single_other = 4,
    distribute = 6,
    taskloop = 7,
    scope = 8,
    loop_static = 10,
    loop_dynamic = 11,
    loop_guided = 12,
    loop_other = 13
};
enum class MutexKind : int {
    lock = 1,
    test_lock,
    nest_lock,
    test_nest_lock,
    critical,
    atomic,
    ordered
};
enum class TaskStatus : int { complete = 1, yield, cancel, detach, early, late, switched };
enum class DispatchKind : int { section = 2, loop_chunk = 3, taskloop_chunk = 4, distribute = 5 };
/// The construct of a cancel event, and what happened to it.
enum CancelEvent : int {
    kCancelParallel = 1,
    kCancelSections = 2,
    kCancelLoop = 4,
    kCancelTaskgroup = 8,
    kCancelActivated = 16,
    kCancelDetected = 32,
    kCancelDiscarded = 64
};
/// Flags of a parallel region: who calls the body on the primary, and whether it is a league or a
/// team.
enum ParallelEvent : int {
    kInvokedByProgram = 1,
    kInvokedByRuntime = 2,
    kLeague = 0x40000000,
    kTeam = static_cast<int>(0x80000000)
};

/// If a `codeptr` is null or not given, it is the one of the entry point that the task is in.
struct ToolHooks {
    void (*thread_begin)(Worker &);
    void (*thread_end)(Worker &);

    /// The running task calls the runtime at `frame`; null if the tool knows of no task, or if an
    /// entry point calls another.
    ToolTask *(*enter)(const void *frame, const void *codeptr);
    void (*leave)();
    /// The task's own code is about to be called from `frame`.
    void (*exit_frame)(Task &, const void *frame);

    void (*parallel_begin)(Team &, unsigned requested, int flags);
    void (*parallel_end)(Team &, int flags);
    /// Implicit and initial tasks; `size`: of the team, or the league of an initial task.
    void (*implicit_begin)(Task &, unsigned size, unsigned index);
    void (*implicit_end)(Task &, unsigned size, unsigned index);

    void (*task_create)(Task &created, bool has_dependences);
    /// Code of the program has filled the new task's data environment, after the task's creation
    /// was reported.
    void (*data_filled)(Task &);
    void (*taskloop_chunk)(Task &, ToolChunk chunk);
    void (*dependences)(Task &, const Dependence *, std::size_t count);
    /// An edge was made, if `tool_sees_edges`. The predecessor's view exists until this returns.
    void (*task_dependence)(ToolTask &predecessor, Task &);
    void (*task_begin)(Task *below, Task &task, const void *frame);
    /// The creator's code calls the begun task's: `frame` is that of a function of the program.
    void (*called_by_creator)(Task &, const void *frame);
    void (*task_end)(Task &task, TaskStatus, Task *below);
    void (*task_suspend)(Task &);
    void (*task_resume)(Task &);
    /// The task's memory is about to be free.
    void (*task_delete)(Task &);
    /// The task's memory is free; true: not to be used again for now, the hook's owner has it. May
    /// be null.
    bool (*keep_block)(Task &);
    void (*early_fulfill)(Task &);
    void (*late_fulfill)(Task &);
    /// An empty node of the graph is done.
    void (*empty_task)(Task &);
    /// taskwait with dependences, as a task of its own that starts and completes here.
    void *(*taskwait_begin)(const Dependence *, std::size_t count);
    void (*taskwait_end)(void *);

    void (*sync_begin)(SyncKind, Task &);
    void (*wait_begin)(SyncKind, Task &);
    void (*wait_end)(SyncKind, Task &, bool team_is_gone);
    void (*sync_end)(SyncKind, Task &, bool team_is_gone);
    void (*reduction)(bool begin);

    void (*work)(WorkKind, bool begin, std::uint64_t count, const void *codeptr);
    void (*dispatch)(DispatchKind, std::uint64_t first, std::uint64_t count);
    void (*doacross)(bool source, const std::int64_t *iteration, unsigned count);
    void (*masked)(bool begin, const void *codeptr);
    void (*mutex_acquire)(MutexKind, unsigned hint, std::uintptr_t wait_id, const void *codeptr);
    void (*mutex_acquired)(MutexKind, std::uintptr_t wait_id, const void *codeptr);
    void (*mutex_released)(MutexKind, std::uintptr_t wait_id, const void *codeptr);
    /// A test of a lock failed.
    void (*mutex_missed)();
    void (*lock_init)(MutexKind, unsigned hint, std::uintptr_t wait_id, const void *codeptr);
    void (*lock_destroy)(MutexKind, std::uintptr_t wait_id, const void *codeptr);
    void (*nest_lock)(bool begin, std::uintptr_t wait_id, const void *codeptr);
    void (*flush)(const void *codeptr);
    void (*cancel)(Task &, int flags); ///< CancelEvent
    void (*error)(bool fatal, const char *message, std::size_t length, const void *codeptr);
};

/// True while a tool is attached. Set before the first worker is made; cleared at the end.
LOOMP_HIDDEN extern bool tool_enabled;
extern ToolHooks tool_hooks;
/// The tool asked for edges before the first task was made: they are made and told one at a time,
/// and no set of predecessors is collapsed into a node that no tool knows of.
LOOMP_HIDDEN extern bool tool_sees_edges;

/// The tool asked for reductions while it started: members add their parts where the runtime sees
/// when, though compiled code could add them atomically. Constant from the first worker on.
LOOMP_HIDDEN extern bool tool_sees_reductions;

/// Looks for a tool, once; called before the process's first worker is made. Defined in
/// runtime/ompt; absent (null) where that is not linked.
__attribute__((weak)) void start_tool();
/// Ends the tool, as if it had asked for that itself. Defined and absent as start_tool() is.
__attribute__((weak)) void stop_tool();

#define LOOMP_TOOL(event, ...)                                                                     \
    do {                                                                                           \
        if (LOOMP_UNLIKELY(::loomp::core::tool_enabled))                                           \
            ::loomp::core::tool_hooks.event(__VA_ARGS__);                                          \
    } while (0)

/// The time that the running task spends in an entry point. First statement of entry points during
/// which tools are told anything.
class ToolEntry {
  public:
    LOOMP_INLINE ToolEntry(const void *frame, const void *codeptr) {
        if (LOOMP_UNLIKELY(tool_enabled))
            task_ = tool_hooks.enter(frame, codeptr);
    }
    LOOMP_INLINE ~ToolEntry() {
        if (LOOMP_UNLIKELY(task_ != nullptr)) {
            task_->frame.enter.ptr = nullptr;
            task_->codeptr = nullptr;
        }
    }
    ToolEntry(const ToolEntry &) = delete;
    ToolEntry &operator=(const ToolEntry &) = delete;

  private:
    ToolTask *task_ = nullptr;
};
#define LOOMP_TOOL_ENTRY()                                                                         \
    const ::loomp::core::ToolEntry loomp_tool_entry(__builtin_frame_address(0),                    \
                                                    __builtin_return_address(0))

/// A synchronisation region of `task`, from beginning to end, all of it waiting.
class ToolSync {
  public:
    LOOMP_INLINE ToolSync(SyncKind kind, Task &task) {
        if (LOOMP_UNLIKELY(tool_enabled)) {
            kind_ = kind;
            task_ = &task;
            tool_hooks.sync_begin(kind, task);
            tool_hooks.wait_begin(kind, task);
        }
    }
    LOOMP_INLINE ~ToolSync() {
        if (LOOMP_UNLIKELY(task_ != nullptr)) {
            tool_hooks.wait_end(kind_, *task_, false);
            tool_hooks.sync_end(kind_, *task_, false);
        }
    }
    ToolSync(const ToolSync &) = delete;
    ToolSync &operator=(const ToolSync &) = delete;

  private:
    Task *task_ = nullptr;
    SyncKind kind_{};
};

} // namespace loomp::core
