// GNU ABI: task, taskloop, taskwait, taskgroup.
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "platform/export.h"
#include "runtime/abi/api/loop_iterations.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/abi/gnu/gnu_depend.h"
#include "runtime/abi/gnu/reduction.h"
#include "runtime/core/creation/submission.h"
#include "runtime/core/creation/taskloop.h"
#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/scheduling/detach_event.h"
#include "runtime/core/scheduling/speculation.h"
#include "runtime/core/task/task_code.h"

LOOMP_EXPORT void GOMP_taskgroup_reduction_register(std::uintptr_t *data);

namespace loomp::abi::gnu {
namespace {

using core::Task;
using core::Worker;
using CopyFn LOOMP_MAY_SWITCH = void (*)(void *, void *);

void invoke(Task &task) {
    const auto *outlined = static_cast<Outlined *>(task.payload());
    outlined->fn(outlined->data);
}

/// A task with objects of C++ classes, which its own code destroys. So it runs even when it is
/// cancelled, unless it is cut off: then its creation is undone.
void invoke_with_objects(Task &task) {
    if (!task.has(core::kCancelled) || !core::is_cut_off(task))
        invoke(task);
}

[[maybe_unused]] const bool code_offsets_registered =
    (core::code_lies_at(invoke, offsetof(Outlined, fn), true),
     core::code_lies_at(invoke_with_objects, offsetof(Outlined, fn), true), true);

/// Tasks of the same outlined function are instances of one construct. The second word of their
/// payload points to the argument.
core::TaskCode code_of(void (*fn)(void *)) {
    return {reinterpret_cast<const void *>(fn), offsetof(Outlined, data)};
}

/// Creates a descriptor with the outlined function and space for its argument block.
LOOMP_MAY_SWITCH Task &make_task(Worker &worker, void (*fn)(void *), std::size_t size,
                                 std::size_t alignment, std::uint32_t flags) {
    // The payload is aligned to 64; a larger alignment gets extra space to shift the block.
    const std::size_t slack = LOOMP_UNLIKELY(alignment > 64) ? alignment : 0;
    const std::size_t offset = LOOMP_LIKELY(alignment <= sizeof(Outlined))
                                   ? sizeof(Outlined)
                                   : std::min<std::size_t>(alignment, 64);
    Task &task = core::create(worker, offset + size + slack, flags, code_of(fn));
    task.invoke = invoke;
    auto *outlined = static_cast<Outlined *>(task.payload());
    auto argument = reinterpret_cast<std::uintptr_t>(outlined) + offset;
    if (LOOMP_UNLIKELY(slack != 0))
        argument = core::round_up(argument, alignment);
    *outlined = {fn, reinterpret_cast<void *>(argument)};
    return task;
}

void *argument_of(Task &task) { return static_cast<Outlined *>(task.payload())->data; }

/// Most tasks capture one or two words; a call would cost more than the copy.
LOOMP_INLINE void copy_bytes(void *to, const void *from, std::size_t size) {
    if (size == 8)
        std::memcpy(to, from, 8);
    else if (size == 4)
        std::memcpy(to, from, 4);
    else if (size == 16)
        std::memcpy(to, from, 16);
    else if (size != 0)
        std::memcpy(to, from, size);
}

/// Runs copy constructors in the new task's data environment. They may wait.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void construct_argument(Task &task, void *data, CopyFn copy) {
    Worker *worker = Worker::current();
    Task *parent = worker->task;
    core::Member *tie = core::tie_frames(*worker, task);
    task.flags |= core::kCleanup;
    task.invoke = invoke_with_objects;
    transition(task, core::TaskPhase::created, core::TaskPhase::running);
    worker->task = &task;
    copy(argument_of(task), data);
    worker = Worker::current();
    worker->task = parent;
    worker->tie = tie;
    transition(task, core::TaskPhase::running, core::TaskPhase::created);
    LOOMP_TOOL(data_filled, task);
}

/// Fills the argument block.
LOOMP_MAY_SWITCH LOOMP_INLINE void copy_argument(Task &task, void *data, CopyFn copy,
                                                 std::size_t size) {
    if (copy == nullptr)
        copy_bytes(argument_of(task), data, size);
    else
        construct_argument(task, data, copy);
}

std::uint32_t core_flags(unsigned flags) {
    if (LOOMP_LIKELY((flags & (kTaskUntied | kTaskFinal | kTaskMergeable | kTaskDetach)) == 0))
        return core::kTied;
    return (flags & kTaskUntied ? 0u : core::TaskFlags{core::kTied}) |
           (flags & kTaskFinal ? core::TaskFlags{core::kFinal | core::kRunsChildrenInline} : 0u) |
           (flags & kTaskMergeable ? core::TaskFlags{core::kMergeable} : 0u) |
           (flags & kTaskDetach ? core::TaskFlags{core::kDetachable} : 0u);
}

/// Handles GOMP_task with any unusual argument. GOMP_task calls it last, so that tools see this
/// frame as GOMP_task's.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void create_generic(void (*fn)(void *), void *data, CopyFn copy,
                                                    long size, long alignment, bool if_clause,
                                                    unsigned flags, void **depend, int priority,
                                                    void *detach) {
    LOOMP_TOOL_ENTRY();
    Worker &worker = *Worker::current();
    const bool has_event = (flags & kTaskDetach) != 0;
    if (core::skips_creation(worker)) {
        if (has_event)
            *static_cast<core::EventHandle *>(detach) = 0; // the program may fulfil it
        return;
    }
    const bool deferred = if_clause && core::defers(*worker.task);
    // The creator of an undeferred task waits for the task's event, too.
    if (has_event && !deferred)
        core::begin_taskgroup();
    const auto bytes = static_cast<std::size_t>(size);
    Task &task =
        make_task(worker, fn, bytes, static_cast<std::size_t>(alignment),
                  core_flags(flags) | (deferred ? 0u : core::TaskFlags{core::kUndeferred}));
    if ((flags & kTaskPriority) != 0)
        core::set_priority(task, priority);
    if (has_event) {
        // The event handle goes to the clause's variable and to its copy in the argument block.
        const core::EventHandle event = core::make_event(task);
        *static_cast<core::EventHandle *>(detach) = event;
        if (data != nullptr)
            *static_cast<core::EventHandle *>(data) = event;
    }
    core::submit(task, Clause{(flags & kTaskDepend) != 0 ? depend : nullptr}, [&](bool in_place) {
        if (in_place && copy == nullptr)
            static_cast<Outlined *>(task.payload())->data = data;
        else
            copy_argument(task, data, copy, bytes);
    });
    if (has_event && !deferred)
        core::end_taskgroup();
}

LOOMP_MAY_SWITCH LOOMP_NOINLINE void spawn_dependent(Task &task, void **depend) {
    const DependClause clause(depend);
    core::spawn(task, clause.data(), clause.size());
}

/// The first words of a taskloop's argument block.
template <class T> struct LoopArgument {
    T start;
    T end;
    std::uintptr_t *reductions;
};

/// The tasks of a taskloop.
template <class T> struct LoopTasks : core::TaskSeries {
    core::TaskloopSplit split;
    T first; ///< start of number `next`
    T step;
    const void *data;
    std::size_t size;

    /// Fills the argument block except for the work of copy constructors.
    static void fill_plain(core::TaskSeries &series, Task &task) {
        auto &tasks = static_cast<LoopTasks &>(series);
        copy_bytes(argument_of(task), tasks.data, tasks.size);
        tasks.set_bounds(task);
    }
    void set_bounds(Task &task) {
        auto *argument = static_cast<LoopArgument<T> *>(argument_of(task));
        argument->start = first;
        first = static_cast<T>(static_cast<std::uint64_t>(first) +
                               split.length(next) * static_cast<std::uint64_t>(step));
        argument->end = first;
        ++next;
    }
};

template <class T>
LOOMP_MAY_SWITCH void taskloop(void (*fn)(void *), void *data, CopyFn copy, std::size_t size,
                               std::size_t alignment, unsigned flags, std::uint64_t number,
                               int priority, T start, T end, T step) {
    core::forget_next_task(*Worker::current());
    Worker *worker = Worker::current();
    const bool grouped = (flags & kTaskNogroup) == 0;
    const bool reduces = (flags & (kTaskNogroup | kTaskReduction)) == kTaskReduction;
    const bool up = std::is_signed_v<T> ? step > 0 : (flags & kTaskUp) != 0;
    const std::uint64_t iterations = count_before(start, end, static_cast<std::uint64_t>(step), up);
    if (iterations == 0 || core::skips_creation(*worker)) {
        if (reduces) // tells the caller that nothing was registered
            static_cast<LoopArgument<T> *>(data)->reductions[2] = 0;
        return;
    }
    const core::TaskloopSplit split =
        (flags & kTaskGrainsize) != 0
            ? core::split_by_grainsize(iterations, number, (flags & kTaskStrict) != 0)
            : core::split_by_tasks(
                  iterations,
                  number != 0 ? number : static_cast<std::uint64_t>(worker->member->team->size));
    LOOMP_TOOL(work, core::WorkKind::taskloop, true, iterations, nullptr);
    if (grouped)
        core::begin_taskgroup();
    if (reduces)
        GOMP_taskgroup_reduction_register(static_cast<LoopArgument<T> *>(data)->reductions);
    const bool deferred = (flags & kTaskIf) != 0 && core::defers(*worker->task);
    LoopTasks<T> tasks{{0, split.tasks, LoopTasks<T>::fill_plain}, split, start, step, data, size};
    std::uint64_t done = 0;
    while (tasks.next != tasks.end) {
        worker = Worker::current();
        Task &task = make_task(*worker, fn, size, alignment,
                               core_flags(flags & ~kTaskDetach) |
                                   (deferred ? 0u : core::TaskFlags{core::kUndeferred}));
        core::set_priority(task, priority);
        LOOMP_TOOL(task_create, task, false);
        LOOMP_TOOL(taskloop_chunk, task, {done, split.length(tasks.next)});
        done += split.length(tasks.next);
        copy_argument(task, data, copy, size);
        tasks.set_bounds(task);
        core::submit_part(task, tasks, copy == nullptr);
    }
    if (grouped)
        core::end_taskgroup();
    LOOMP_TOOL(work, core::WorkKind::taskloop, false, iterations, nullptr);
}

} // namespace
} // namespace loomp::abi::gnu

using namespace loomp;
using namespace loomp::abi::gnu;

LOOMP_EXPORT void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size,
                            long alignment, bool if_clause, unsigned flags, void **depend,
                            int priority, void *detach) {
    core::Worker &worker = *core::Worker::current();
    // Nearly every task is deferred and has bytes to copy, and perhaps dependences or a priority.
    constexpr unsigned usual = kTaskUntied | kTaskMergeable | kTaskDepend | kTaskPriority;
    if (LOOMP_UNLIKELY(copy != nullptr || (flags & ~usual) != 0 ||
                       alignment > static_cast<long>(sizeof(Outlined)) || !if_clause ||
                       !core::creates_plainly(*worker.task)))
        return create_generic(fn, data, copy, size, alignment, if_clause, flags, depend, priority,
                              detach);
    const auto bytes = static_cast<std::size_t>(size);
    core::Task &task =
        core::create_plain(worker, sizeof(Outlined) + bytes,
                           (flags & kTaskUntied) != 0 ? 0u : core::TaskFlags{core::kTied});
    task.invoke = invoke;
    auto *outlined = static_cast<Outlined *>(task.payload());
    *outlined = {fn, outlined + 1};
    copy_bytes(outlined + 1, data, bytes);
    if ((flags & (kTaskDepend | kTaskPriority)) != 0) {
        if (LOOMP_UNLIKELY((flags & kTaskPriority) != 0))
            core::set_priority(task, priority);
        if ((flags & kTaskDepend) != 0)
            return spawn_dependent(task, depend);
    }
    core::spawn(worker, task);
}

LOOMP_EXPORT void GOMP_taskloop(void (*fn)(void *), void *data, void (*copy)(void *, void *),
                                long size, long alignment, unsigned flags, unsigned long number,
                                int priority, long start, long end, long step) {
    LOOMP_TOOL_ENTRY();
    taskloop<long>(fn, data, copy, static_cast<std::size_t>(size),
                   static_cast<std::size_t>(alignment), flags, number, priority, start, end, step);
}

LOOMP_EXPORT void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*copy)(void *, void *),
                                    long size, long alignment, unsigned flags, unsigned long number,
                                    int priority, unsigned long long start, unsigned long long end,
                                    unsigned long long step) {
    LOOMP_TOOL_ENTRY();
    taskloop<unsigned long long>(fn, data, copy, static_cast<std::size_t>(size),
                                 static_cast<std::size_t>(alignment), flags, number, priority,
                                 start, end, step);
}

LOOMP_EXPORT void GOMP_taskwait() {
    LOOMP_TOOL_ENTRY();
    core::taskwait();
}
LOOMP_EXPORT void GOMP_taskwait_depend(void **depend) {
    LOOMP_TOOL_ENTRY();
    const DependClause clause(depend);
    core::taskwait(clause.data(), clause.size());
}
LOOMP_EXPORT void GOMP_taskwait_depend_nowait(void **depend) {
    LOOMP_TOOL_ENTRY();
    const DependClause clause(depend);
    core::submit_empty(clause.data(), clause.size());
}
LOOMP_EXPORT void GOMP_taskyield() {
    LOOMP_TOOL_ENTRY();
    core::expect_outside_waits();
    core::taskyield();
}
LOOMP_EXPORT void GOMP_taskgroup_start() {
    LOOMP_TOOL_ENTRY();
    core::begin_taskgroup();
}
LOOMP_EXPORT void GOMP_taskgroup_end() {
    LOOMP_TOOL_ENTRY();
    if (core::Worker::current()->task->group != nullptr) {
        core::end_taskgroup();
        // Prevents a jump, which gcc 16 would use here. Debuggers recognise a waiting task by this
        // frame, if only exported functions have names.
        asm volatile("");
    }
}
