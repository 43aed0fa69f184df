#include "runtime/core/process/debugger.h"

#include <cstddef>

#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/detach_event.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/task_signal.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/suspension/stack_memory.h"
#include "runtime/core/task/task_code.h"
#include "runtime/core/worker/worker.h"

using namespace loomp::core;

constinit const DebuggerTable loomp_debugger = {
    .version = 1,
    .last_stack_made = &last_stack_made,
    .workers = Worker::table(),
    .stack_made_before = offsetof(Stack, made_before),
    .stack_base = offsetof(Stack, base),
    .stack_top = offsetof(Stack, top),
    .stack_left_by = offsetof(Stack, left_by),
    .stack_immediate = offsetof(Stack, work_first_call),
    .immediate_creator = offsetof(WorkFirstCall, creator),
    .immediate_creator_stack = offsetof(WorkFirstCall, creator_stack),
    .worker_task = offsetof(Worker, task),
    .worker_stack = offsetof(Worker, stack),
    .worker_native_stack_left_by = offsetof(Worker, native_stack_left_by),
    .worker_os_thread = offsetof(Worker, os_thread),
    .suspension_sp = offsetof(Suspension, context.sp),
    .suspension_task = offsetof(Suspension, task),
    .suspension_looks_for_work = offsetof(Suspension, looks_for_work),
    .suspension_after_word = offsetof(TaskSignal::Waiting, suspension),
    .task_flags = offsetof(Task, flags),
    .implicit_flag = kImplicit,
    .poller_last_poll = offsetof(Poller, last_poll),
    .last_event_made = &last_event_made,
    .event_made_before = offsetof(DetachEvent, made_before),
    .event_word = offsetof(DetachEvent, word),
    .event_task = offsetof(DetachEvent, task),
    .task_detach = offsetof(Task, detach),
    .detach_lost = detach::kBodyReturned,
    .detach_both = detach::kBodyReturned | detach::kEventHappened,
    .code_places = code_places,
    .code_places_used = &code_places_used,
    .code_place_size = sizeof(CodePlace),
    .code_place_offset = offsetof(CodePlace, offset),
    .task_invoke = offsetof(Task, invoke),
    .task_size = sizeof(Task),
};
