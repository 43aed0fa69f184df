// Worksharing constructs, their chunks, masked regions, cancellation, errors.
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

using core::DispatchKind;
using core::WorkKind;

/// Returns null if the tool knows of no task; then it gets no event.
const Task *current() {
    const Task *task = task_of(*Worker::current());
    return task != nullptr && task->tool != nullptr ? task : nullptr;
}

/// The place of a construct of the task. Null: that of the entry point that the task is in.
const void *place_in(const Task &task, const void *codeptr) {
    return codeptr != nullptr ? place_of(codeptr, task) : codeptr_of(task);
}

void work(WorkKind kind, bool begin, std::uint64_t count, const void *codeptr) {
    if (const Task *task = current()) {
        codeptr = place_in(*task, codeptr);
        if (begin)
            task->tool->construct = codeptr;
        call<ompt_callback_work_t>(ompt_callback_work, static_cast<ompt_work_t>(kind),
                                   begin ? ompt_scope_begin : ompt_scope_end,
                                   data_of(task->team->tool_data), data_of(*task), count, codeptr);
    }
}

void dispatch(DispatchKind kind, std::uint64_t first, std::uint64_t count) {
    const Task *task = current();
    if (task == nullptr)
        return;
    ompt_dispatch_chunk_t chunk = {first, count};
    ompt_data_t instance;
    // The construct's address identifies a section, because there is no better one.
    const void *codeptr = codeptr_of(*task);
    if (codeptr == nullptr)
        codeptr = task->tool->construct;
    instance.ptr = kind == DispatchKind::section ? const_cast<void *>(codeptr) : &chunk;
    call<ompt_callback_dispatch_t>(ompt_callback_dispatch, data_of(task->team->tool_data),
                                   data_of(*task), static_cast<ompt_dispatch_t>(kind), instance);
}

void doacross(bool source, const std::int64_t *iteration, unsigned count) {
    const Task *task = current();
    if (task == nullptr || callbacks[ompt_callback_dependences] == nullptr)
        return;
    ompt_dependence_t vector[core::DoacrossState::kMaxDimensions];
    for (unsigned i = 0; i < count; ++i) {
        vector[i].variable.value = static_cast<std::uint64_t>(iteration[i]);
        vector[i].dependence_type =
            source ? ompt_dependence_type_source : ompt_dependence_type_sink;
    }
    call<ompt_callback_dependences_t>(ompt_callback_dependences, data_of(*task), vector,
                                      static_cast<int>(count));
}

void masked(bool begin, const void *codeptr) {
    if (const Task *task = current())
        call<ompt_callback_masked_t>(
            ompt_callback_masked, begin ? ompt_scope_begin : ompt_scope_end,
            data_of(task->team->tool_data), data_of(*task), place_of(codeptr, *task));
}

void flush(const void *codeptr) {
    call<ompt_callback_flush_t>(ompt_callback_flush, data_of(Worker::current()->tool_data),
                                codeptr);
}

void cancel(Task &task, int flags) {
    if (task.tool == nullptr)
        return;
    if ((flags & (core::kCancelDiscarded | core::kCancelTaskgroup)) != 0)
        task.tool->cancelled = true;
    call<ompt_callback_cancel_t>(ompt_callback_cancel, data_of(task), flags, codeptr_of(task));
}

void error(bool fatal, const char *message, std::size_t length, const void *codeptr) {
    call<ompt_callback_error_t>(ompt_callback_error, fatal ? ompt_fatal : ompt_warning, message,
                                length, codeptr);
}

static_assert(static_cast<int>(WorkKind::sections) == ompt_work_sections);
static_assert(static_cast<int>(WorkKind::single_executor) == ompt_work_single_executor);
static_assert(static_cast<int>(WorkKind::single_other) == ompt_work_single_other);
static_assert(static_cast<int>(WorkKind::distribute) == ompt_work_distribute);
static_assert(static_cast<int>(WorkKind::taskloop) == ompt_work_taskloop);
static_assert(static_cast<int>(WorkKind::scope) == ompt_work_scope);
static_assert(static_cast<int>(WorkKind::loop_static) == ompt_work_loop_static);
static_assert(static_cast<int>(WorkKind::loop_dynamic) == ompt_work_loop_dynamic);
static_assert(static_cast<int>(WorkKind::loop_guided) == ompt_work_loop_guided);
static_assert(static_cast<int>(WorkKind::loop_other) == ompt_work_loop_other);
static_assert(static_cast<int>(DispatchKind::section) == ompt_dispatch_section);
static_assert(static_cast<int>(DispatchKind::loop_chunk) == ompt_dispatch_ws_loop_chunk);
static_assert(static_cast<int>(DispatchKind::distribute) == ompt_dispatch_distribute_chunk);
static_assert(core::kCancelParallel == int{ompt_cancel_parallel});
static_assert(core::kCancelSections == int{ompt_cancel_sections});
static_assert(core::kCancelLoop == int{ompt_cancel_loop});
static_assert(core::kCancelTaskgroup == int{ompt_cancel_taskgroup});
static_assert(core::kCancelActivated == int{ompt_cancel_activated});
static_assert(core::kCancelDetected == int{ompt_cancel_detected});
static_assert(core::kCancelDiscarded == int{ompt_cancel_discarded_task});

} // namespace

void hook_work(core::ToolHooks &hooks) {
    hooks.work = work;
    hooks.dispatch = dispatch;
    hooks.doacross = doacross;
    hooks.masked = masked;
    hooks.flush = flush;
    hooks.cancel = cancel;
    hooks.error = error;
}

} // namespace loomp::ompt
