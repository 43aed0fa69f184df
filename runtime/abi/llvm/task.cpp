// LLVM ABI: task, taskloop, taskwait, taskgroup, detach.
#include <cstddef>
#include <cstring>

#include "platform/export.h"
#include "runtime/abi/api/loop_iterations.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/abi/llvm/kmp_depend.h"
#include "runtime/abi/llvm/target_task.h"
#include "runtime/core/creation/submission.h"
#include "runtime/core/creation/taskloop.h"
#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/scheduling/detach_event.h"
#include "runtime/core/task/task_code.h"
#include "runtime/target/device_operation.h"
#include "runtime/target/in_flight_limit.h"
#include "runtime/target/left_tasks.h"
#include "runtime/target/libomptarget.h"

namespace loomp::abi::llvm {
namespace {

using core::Task;

KmpTask *kmp_of(Task &task) { return static_cast<KmpTask *>(task.payload()); }
Task &task_of(KmpTask *kmp) { return *Task::from_payload(kmp); }

/// A flag of this front end: the task's private variables have destructors.
constexpr std::uint32_t kHasDestructors = core::kCleanup;

LOOMP_MAY_SWITCH void invoke(Task &task) {
    KmpTask *kmp = kmp_of(task);
    kmp->routine(gtid_of(self()), kmp);
}

LOOMP_MAY_SWITCH void invoke_with_destructors(Task &task) {
    KmpTask *kmp = kmp_of(task);
    if (!task.has(core::kCancelled))
        kmp->routine(gtid_of(self()), kmp);
    // An untied task that submitted its next part is not finished.
    if (!task.has(core::kRequeue))
        kmp->data1.destructors(gtid_of(self()), kmp);
}

/// Replaces the missing routine of `taskwait depend nowait`.
std::int32_t nothing(std::int32_t, KmpTask *) { return 0; }

LOOMP_MAY_SWITCH void invoke_target(Task &task) {
    if (target::library() != nullptr && !target::may_begin(task))
        return;
    invoke(task);
    target::pass_on();
}

[[maybe_unused]] const bool code_offsets_registered =
    (core::code_lies_at(invoke, offsetof(KmpTask, routine)),
     core::code_lies_at(invoke_target, offsetof(KmpTask, routine)),
     core::code_lies_at(invoke_with_destructors, offsetof(KmpTask, routine)), true);

std::uint32_t core_flags(std::uint32_t flags) {
    return (flags & kKmpTied ? core::TaskFlags{core::kTied} : 0u) |
           (flags & kKmpFinal ? core::TaskFlags{core::kFinal | core::kRunsChildrenInline} : 0u) |
           (flags & kKmpMerged ? core::TaskFlags{core::kMergeable} : 0u) |
           (flags & (kKmpDetachable | kKmpProxy) ? core::TaskFlags{core::kDetachable} : 0u) |
           (flags & kKmpDestructors ? std::uint32_t{kHasDestructors} : 0u);
}

/// Tasks of the same routine are instances of one construct.
core::TaskCode code_of(TaskRoutine routine) {
    return {reinterpret_cast<const void *>(routine), offsetof(KmpTask, shareds)};
}

/// The parts of a taskloop share their pattern's routine, but are another construct's tasks.
core::TaskCode code_of_part(TaskRoutine routine) {
    core::TaskCode code = code_of(routine);
    code.code = static_cast<const char *>(code.code) + 1;
    return code;
}

LOOMP_MAY_SWITCH KmpTask *make_task(std::uint32_t flags, std::size_t size, std::size_t shareds,
                                    TaskRoutine routine) {
    const std::size_t shareds_at = core::round_up(size, alignof(void *));
    Task *task = nullptr;
    if (LOOMP_LIKELY(flags == kKmpTied)) {
        task = &core::create(self(), shareds_at + shareds, core::kTied, code_of(routine));
        task->invoke = invoke;
    } else {
        task = &core::create(self(), shareds_at + shareds, core_flags(flags), code_of(routine));
        task->invoke = (flags & kKmpDestructors) != 0 ? invoke_with_destructors : invoke;
        if ((flags & kKmpPriority) != 0)
            task->flags |= core::kPrioritized; // the task carries the value
    }
    KmpTask *kmp = kmp_of(*task);
    kmp->shareds = shareds != 0 ? reinterpret_cast<char *>(kmp) + shareds_at : nullptr;
    kmp->routine = routine;
    kmp->part_id = 0;
    return kmp;
}

/// Copies the priority from the compiler's part.
LOOMP_INLINE void settle_priority(Task &task) {
    if (LOOMP_LIKELY(!task.has(core::kPrioritized)))
        return;
    core::set_priority(task, kmp_of(task)->data2.priority);
}

LOOMP_MAY_SWITCH LOOMP_NOINLINE void submit_generic(Task &task, const Clause &clause) {
    if (task.has(core::kTarget))
        submit_target_task(task, clause);
    else
        core::submit(task, clause);
}

// --- Undeferred tasks with an event --------------------------------------------------------------
// The program waits for the clause of an undeferred task itself, and does not say for which task. A
// task with an event may complete after it returns: others then depend on it by that clause.

void forget_awaited(Task &task) {
    core::DependenceMap *&map = task.parent->map;
    if (map == nullptr)
        map = new core::DependenceMap;
    map->awaited = {};
}

void note_awaited(std::int32_t count, const KmpDependInfo *infos, std::int32_t more_count,
                  const KmpDependInfo *more) {
    if (core::DependenceMap *map = self().task->map; map != nullptr)
        map->awaited = {count, more_count, infos, more};
}

Clause awaited_clause(const Task &task) {
    if (LOOMP_LIKELY(!task.has(core::kDetachable)))
        return {};
    const auto [count, more_count, items, more] = task.parent->map->awaited;
    return {count, static_cast<const KmpDependInfo *>(items), more_count,
            static_cast<const KmpDependInfo *>(more)};
}

LOOMP_MAY_SWITCH LOOMP_NOINLINE void enter_with_event(Task &task) {
    core::await_dependences(task, awaited_clause(task));
}

// --- taskloop ------------------------------------------------------------------------------------

using DuplicateFn = void (*)(KmpTask *to, KmpTask *from, std::int32_t is_last);

/// The tasks of a taskloop: copies of a pattern, each with bounds of its own.
struct LoopTasks : core::TaskSeries {
    core::TaskloopSplit split;
    Task &pattern;
    std::size_t payload;
    std::ptrdiff_t lower_at; ///< offsets of the bounds in the compiler's part
    std::ptrdiff_t upper_at;
    std::uint64_t first; ///< start of number `next`
    std::uint64_t step;
    DuplicateFn finish_copy;

    static void fill_one(core::TaskSeries &series, Task &task) {
        auto &tasks = static_cast<LoopTasks &>(series);
        std::memcpy(task.payload(), tasks.pattern.payload(), tasks.payload);
        KmpTask *from = kmp_of(tasks.pattern);
        KmpTask *to = kmp_of(task);
        auto *bytes = reinterpret_cast<char *>(to);
        if (from->shareds != nullptr)
            to->shareds =
                bytes + (static_cast<char *>(from->shareds) - reinterpret_cast<char *>(from));
        *reinterpret_cast<std::uint64_t *>(bytes + tasks.lower_at) = tasks.first;
        tasks.first += tasks.split.length(tasks.next) * tasks.step;
        *reinterpret_cast<std::uint64_t *>(bytes + tasks.upper_at) = tasks.first - tasks.step;
        ++tasks.next;
        if (tasks.finish_copy != nullptr)
            tasks.finish_copy(to, from, tasks.next == tasks.end);
    }
};

LOOMP_MAY_SWITCH void taskloop(KmpTask *pattern_kmp, bool if_clause, std::uint64_t *lower,
                               std::uint64_t *upper, std::int64_t step, bool nogroup,
                               std::int32_t schedule, std::uint64_t number, bool strict,
                               DuplicateFn finish_copy) {
    Task &pattern = task_of(pattern_kmp);
    settle_priority(pattern);
    const std::uint64_t first = *lower;
    const std::uint64_t last = *upper;
    // The bounds' sign is unknown. A range with step 1 that is not too long may cross 2^63.
    const std::uint64_t iterations =
        step == 1 && last - first <= (~0ull >> 1)
            ? last - first + 1
            : count_to(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last),
                       static_cast<std::uint64_t>(step), step > 0);
    LOOMP_TOOL(work, core::WorkKind::taskloop, true, iterations, nullptr);
    if (!nogroup)
        core::begin_taskgroup();
    if (iterations != 0) {
        constexpr std::uint64_t per_thread =
            10; // the tasks per thread if the program gives no number
        core::TaskloopSplit split =
            schedule == 1 ? core::split_by_grainsize(iterations, number, strict)
            : schedule == 2
                ? core::split_by_tasks(iterations, number)
                : core::split_by_tasks(
                      iterations,
                      per_thread * static_cast<std::uint64_t>(static_cast<int>(here().team->size)));
        const auto payload = static_cast<std::size_t>(reinterpret_cast<char *>(pattern.edge_space) -
                                                      static_cast<char *>(pattern.payload()));
        const auto offset = [&](std::uint64_t *bound) {
            return reinterpret_cast<char *>(bound) - reinterpret_cast<char *>(pattern_kmp);
        };
        LoopTasks tasks{{0, split.tasks, LoopTasks::fill_one},
                        split,
                        pattern,
                        payload,
                        offset(lower),
                        offset(upper),
                        first,
                        static_cast<std::uint64_t>(step),
                        finish_copy};
        std::uint64_t done = 0;
        while (tasks.next != tasks.end) {
            Task &task =
                core::create_part(self(), pattern, payload, code_of_part(pattern_kmp->routine));
            const std::uint64_t length = split.length(tasks.next);
            LoopTasks::fill_one(tasks, task);
            if (!if_clause || !core::defers(*self().task))
                task.flags |= core::kUndeferred;
            LOOMP_TOOL(task_create, task, false);
            LOOMP_TOOL(taskloop_chunk, task, {done, length});
            done += length;
            // A copy constructor may wait. If the creator continued meanwhile, the pattern would
            // vanish.
            core::submit_part(task, tasks, finish_copy == nullptr);
        }
    }
    // The pattern itself never runs.
    if ((pattern.flags & kHasDestructors) != 0)
        pattern_kmp->data1.destructors(gtid_of(self()), pattern_kmp);
    core::discard_task(pattern);
    if (!nogroup)
        end_group_with_reductions();
    LOOMP_TOOL(work, core::WorkKind::taskloop, false, iterations, nullptr);
}

} // namespace

void submit_target_task(Task &task, const Clause &clause) {
    // Outside of parallel regions a task is included by its creator; a device can work beside that.
    const bool outside =
        task.parent->has(core::kImplicit) && task.parent->has(core::kRunsChildrenInline);
    if (!outside || task.has(core::kUndeferred))
        return core::submit(task, clause);
    LOOMP_TOOL(task_create, task, !clause.empty() || task.has(core::kNamesSet));
    core::defer(task, clause);
    // The task begins now if it is ready; otherwise it begins when the creator waits.
    constexpr int most = 4;
    for (int i = 0; i < most && core::taskyield(); ++i) {
    }
}

} // namespace loomp::abi::llvm

using namespace loomp;
using namespace loomp::abi::llvm;

LOOMP_EXPORT KmpTask *__kmpc_omp_task_alloc(Ident *, std::int32_t, std::int32_t flags,
                                            std::size_t size, std::size_t shareds,
                                            TaskRoutine routine) {
    return make_task(static_cast<std::uint32_t>(flags), size, shareds, routine);
}
LOOMP_EXPORT KmpTask *__kmpc_omp_target_task_alloc(Ident *, std::int32_t, std::int32_t flags,
                                                   std::size_t size, std::size_t shareds,
                                                   TaskRoutine routine, std::int64_t device) {
    KmpTask *kmp = make_task(static_cast<std::uint32_t>(flags) | kKmpTied, size, shareds, routine);
    Task &task = task_of(kmp);
    task.flags |= core::kTarget;
    if (task.invoke == invoke)
        task.invoke = invoke_target;
    if (!task.has(core::kFusible))
        task.route.set_begins_on_device(target::is_begun_anywhere(
            reinterpret_cast<const void *>(routine), target::number_of(device)));
    return kmp;
}

LOOMP_EXPORT std::int32_t __kmpc_omp_task(Ident *, std::int32_t, KmpTask *kmp) {
    LOOMP_TOOL_ENTRY();
    core::Task &task = task_of(kmp);
    core::Worker &worker = self();
    if (LOOMP_UNLIKELY(task.has(core::kStarted))) {
        // This is the next part of the running untied task: it is queued when its body returns.
        task.flags |= core::kRequeue;
        return 0;
    }
    settle_priority(task);
    if (LOOMP_UNLIKELY(!core::is_plain(*worker.task, task))) {
        submit_generic(task, {});
        return 0;
    }
    LOOMP_TOOL(task_create, task, false);
    core::spawn(worker, task);
    return 0;
}
LOOMP_EXPORT void __kmpc_invoke_task_func(KmpTask *kmp) { kmp->routine(gtid_of(self()), kmp); }
LOOMP_EXPORT std::int32_t __kmpc_omp_task_parts(Ident *location, std::int32_t gtid, KmpTask *kmp) {
    return __kmpc_omp_task(location, gtid, kmp);
}

LOOMP_EXPORT std::int32_t __kmpc_omp_task_with_deps(Ident *, std::int32_t, KmpTask *kmp,
                                                    std::int32_t count, KmpDependInfo *infos,
                                                    std::int32_t more_count, KmpDependInfo *more) {
    LOOMP_TOOL_ENTRY();
    core::Task &task = task_of(kmp);
    core::Worker &worker = self();
    if (LOOMP_UNLIKELY(kmp->routine == nullptr))
        kmp->routine = nothing;
    settle_priority(task);
    if (LOOMP_UNLIKELY(!core::is_plain(*worker.task, task))) {
        submit_generic(task, {count, infos, more_count, more});
        return 0;
    }
    LOOMP_TOOL(task_create, task, true);
    const DependClause clause(count, infos, more_count, more);
    core::spawn(task, clause.data(), clause.size());
    return 0;
}

LOOMP_EXPORT void __kmpc_omp_task_begin_if0(Ident *, std::int32_t, KmpTask *kmp) {
    core::Task &task = task_of(kmp);
    core::set_in_place(task);
    // Tools get the caller's frame, because this one no longer exists when the task runs. This
    // frame begins with the caller's frame pointer.
    const void *caller = *static_cast<void *const *>(__builtin_frame_address(0));
    LOOMP_TOOL(enter, caller, __builtin_return_address(0));
    LOOMP_TOOL(task_create, task, !awaited_clause(task).empty() || task.has(core::kNamesSet));
    if (LOOMP_UNLIKELY(task.has(core::kDetachable)))
        enter_with_event(task);
    else
        core::await_dependences(task, core::NoClause()); // the program has waited for the clause
    core::begin_undeferred(task, caller);
}
LOOMP_EXPORT void __kmpc_omp_task_complete_if0(Ident *, std::int32_t, KmpTask *kmp) {
    core::Task &task = task_of(kmp);
    // If an untied task has parts left, invoke_with_destructors() runs them first.
    if ((task.flags & (kHasDestructors | core::kRequeue)) == kHasDestructors)
        kmp->data1.destructors(gtid_of(self()), kmp);
    core::end_undeferred(task);
    LOOMP_TOOL(leave);
}

LOOMP_EXPORT void __kmpc_omp_wait_deps(Ident *, std::int32_t, std::int32_t count,
                                       KmpDependInfo *infos, std::int32_t more_count,
                                       KmpDependInfo *more) {
    LOOMP_TOOL_ENTRY();
    const DependClause clause(count, infos, more_count, more);
    core::taskwait(clause.data(), clause.size());
    note_awaited(count, infos, more_count, more);
}
LOOMP_EXPORT void __kmpc_omp_taskwait_deps_51(Ident *, std::int32_t, std::int32_t count,
                                              KmpDependInfo *infos, std::int32_t more_count,
                                              KmpDependInfo *more, std::int32_t nowait) {
    LOOMP_TOOL_ENTRY();
    const DependClause clause(count, infos, more_count, more);
    if (nowait != 0)
        return core::submit_empty(clause.data(), clause.size());
    core::taskwait(clause.data(), clause.size());
    note_awaited(count, infos, more_count, more);
}

LOOMP_EXPORT std::int32_t __kmpc_omp_taskwait(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::taskwait();
    return 0;
}
LOOMP_EXPORT std::int32_t __kmpc_omp_taskyield(Ident *, std::int32_t, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::expect_outside_waits();
    core::taskyield();
    return 0;
}
LOOMP_EXPORT void __kmpc_taskgroup(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::begin_taskgroup();
}
LOOMP_EXPORT void __kmpc_end_taskgroup(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    end_group_with_reductions();
}

LOOMP_EXPORT void __kmpc_taskloop(Ident *, std::int32_t, KmpTask *kmp, std::int32_t if_clause,
                                  std::uint64_t *lower, std::uint64_t *upper, std::int64_t step,
                                  std::int32_t nogroup, std::int32_t schedule, std::uint64_t number,
                                  void *finish_copy) {
    LOOMP_TOOL_ENTRY();
    taskloop(kmp, if_clause != 0, lower, upper, step, nogroup != 0, schedule, number, false,
             reinterpret_cast<DuplicateFn>(finish_copy));
}
LOOMP_EXPORT void __kmpc_taskloop_5(Ident *, std::int32_t, KmpTask *kmp, std::int32_t if_clause,
                                    std::uint64_t *lower, std::uint64_t *upper, std::int64_t step,
                                    std::int32_t nogroup, std::int32_t schedule,
                                    std::uint64_t number, std::int32_t modifier,
                                    void *finish_copy) {
    LOOMP_TOOL_ENTRY();
    taskloop(kmp, if_clause != 0, lower, upper, step, nogroup != 0, schedule, number, modifier != 0,
             reinterpret_cast<DuplicateFn>(finish_copy));
}

/// The program calls it directly after the task's creation, before it waits for the clause of an
/// undeferred one.
LOOMP_EXPORT core::EventHandle __kmpc_task_allow_completion_event(Ident *, std::int32_t,
                                                                  KmpTask *kmp) {
    core::Task &task = task_of(kmp);
    const core::EventHandle event = core::make_event(task);
    forget_awaited(task);
    return event;
}
LOOMP_EXPORT void __kmpc_proxy_task_completed(std::int32_t, KmpTask *kmp) {
    core::fulfill(task_of(kmp));
}
LOOMP_EXPORT void __kmpc_proxy_task_completed_ooo(KmpTask *kmp) { core::fulfill(task_of(kmp)); }

LOOMP_EXPORT std::int32_t __kmpc_omp_reg_task_with_affinity(Ident *, std::int32_t, KmpTask *kmp,
                                                            std::int32_t count,
                                                            KmpTaskAffinity *list) {
    // The clause is a hint: the task's largest item decides.
    const KmpTaskAffinity *largest = nullptr;
    for (std::int32_t i = 0; i < count; ++i)
        if (largest == nullptr || list[i].size > largest->size)
            largest = &list[i];
    if (largest != nullptr)
        core::place_near(task_of(kmp), reinterpret_cast<const void *>(largest->address));
    return 0;
}
LOOMP_EXPORT int __kmpc_get_target_offload() {
    switch (core::device_settings().target_offload) {
    case core::TargetOffload::disabled:
        return 0;
    case core::TargetOffload::mandatory:
        return 2;
    default:
        return 1;
    }
}
LOOMP_EXPORT std::uint64_t __kmpc_get_taskid() {
    return reinterpret_cast<std::uintptr_t>(self().task);
}
LOOMP_EXPORT std::uint64_t __kmpc_get_parent_taskid() {
    return reinterpret_cast<std::uintptr_t>(self().task->parent);
}
