#include "runtime/target/device_operation.h"

#include <cstdlib>
#include <new>

#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/task/task_code.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"
#include "runtime/target/cuda.h"
#include "runtime/target/in_flight_limit.h"
#include "runtime/target/left_tasks.h"
#include "runtime/target/library_lifetime.h"
#include "runtime/target/operations_in_flight.h"

namespace loomp::target {

namespace {

LOOMP_THREAD_LOCAL DeviceCall *call_of_thread = nullptr;
LOOMP_NOINLINE void set_call(DeviceCall *call) { call_of_thread = call; }
LOOMP_NOINLINE DeviceCall *get_call() { return call_of_thread; }

/// Makes the call on the current thread.
void make_here(DeviceCall &call) {
    const OpenEntry entry;
    const cuda::InContext context(call.device);
    const InLibomptarget inside(call.device, call.location, call.address);
    set_call(&call);
    *word_of_construct() = 0;
    call.result = call.code(call);
    call.tool_word = *word_of_construct();
    if (call.handle == nullptr)
        report_completed(call.tool_word);
    cuda::note_context(call.device);
    set_call(nullptr);
    note_used(call.device);
}

void make_for_task(StandInCall &self) {
    auto &call = static_cast<DeviceCall &>(self);
    make_here(call);
    call.returned.signal(); // the call no longer exists after this
}

/// Returns whether the operation completes while the thread has nothing else to do, within the time
/// after which an idle thread sleeps.
bool completes_soon(Pending &operation) {
    constexpr int looks = 200;
    const OpenEntry entry;
    for (int look = 0; look < looks && core::would_idle(); ++look)
        if (operation.has_completed())
            return true;
    return false;
}

/// Leaves the operation to a poller.
void leave(Pending &operation, bool query_blocks) {
    if (query_blocks)
        leave_to_patient_poller(operation);
    else
        leave_to_poller(operation);
}

Pending *new_pending() {
    return new (core::or_fatal(std::malloc(sizeof(Pending)),
                               "out of memory: a target task in flight")) Pending;
}

/// A stand-in makes a kept call. The call's task has continued, and may have ended.
void make_kept(StandInCall &self) {
    auto &call = static_cast<DeviceCall &>(self);
    make_here(call);
    if (call.result != 0)
        core::fatal("device %d does not run a target construct; set OMP_TARGET_OFFLOAD=disabled to "
                    "run the program on the host",
                    static_cast<int>(call.device));
    if (call.handle != nullptr) {
        Pending *operation = new_pending();
        operation->held = call.held;
        operation->handle = call.handle;
        operation->device = call.device;
        operation->location = call.location;
        operation->address = call.address;
        operation->tool_word = call.tool_word;
        leave(*operation, call.blocks.completion);
    } else {
        give_place_back();
        core::release_holds(*call.held, 1);
    }
    std::free(&call);
}

/// Lets a stand-in make the call later; the calling task is held until then. Returns false if the
/// caller must wait for the call. It must wait for a device's first use, which decides whether the
/// device exists.
bool keep_for_stand_in(const DeviceCall &call) {
    if (!call.nowait || call.keep == nullptr || !is_used(call.device))
        return false;
    core::Task *held = core::hold(1);
    if (held == nullptr)
        return false;
    DeviceCall *kept = call.keep(call);
    if (kept != nullptr) {
        kept->held = held;
        kept->make = make_kept;
        if (give_to_stand_in(*kept))
            return true;
    }
    std::free(kept);
    core::release_holds(*held, 1);
    return false;
}

} // namespace

bool takes_over() {
    if (library() == nullptr || core::is_polling() || is_closed_here() ||
        core::device_settings().target_offload == core::TargetOffload::disabled)
        return false;
    // A stand-in that begins a task takes over only the construct's own call, and no call within
    // it.
    if (is_stand_in() && (!begins_task() || get_call() != nullptr))
        return false;
    const core::Worker &worker = *core::Worker::current();
    const core::Task &task = *worker.task;
    if (worker.member->team->level > 0 || !task.has(core::kImplicit))
        return true;
    // acquire: a call that is not taken over sees the writes of completed children.
    return task.created != 0 || task.children.load(std::memory_order_acquire) != 0;
}

int perform(DeviceCall &call) {
    call.task = core::Worker::current()->task;
    if (call.nowait && call.task->has(core::kTarget))
        note_begun(core::code_of(*call.task));
    take_place();
    if (!call.blocks.call || is_stand_in())
        make_here(call);
    else if (keep_for_stand_in(call))
        return 0;
    else
        make_elsewhere(call);
    if (call.handle == nullptr) {
        give_place_back();
        return call.result;
    }
    Pending here;
    Pending *operation = &here;
    if (call.nowait)
        here.held = core::hold(1);
    if (here.held != nullptr) {
        operation = new_pending();
        operation->held = here.held;
    }
    operation->handle = call.handle;
    operation->device = call.device;
    operation->location = call.location;
    operation->address = call.address;
    operation->tool_word = call.tool_word;
    core::TaskSignal completed;
    if (operation == &here) {
        if (!call.blocks.completion && completes_soon(here)) {
            give_place_back();
            return call.result;
        }
        here.waiter = &completed;
    }
    leave(*operation, call.blocks.completion);
    if (operation == &here)
        completed.wait();
    return call.result;
}

void make_elsewhere(DeviceCall &call) {
    call.task = core::Worker::current()->task;
    call.make = make_for_task;
    if (give_to_stand_in(call))
        call.returned.wait();
    else
        make_here(call);
}

void note_plain_call(std::int64_t device) {
    cuda::note_context(device);
    note_used(device);
}

void **handle_of_call() {
    DeviceCall *call = get_call();
    return call != nullptr ? &call->handle : nullptr;
}

core::Task *task_of_call() {
    DeviceCall *call = get_call();
    return call != nullptr ? call->task : nullptr;
}

std::int64_t number_of(std::int64_t device) {
    return device == kDefaultDevice ? core::Worker::current()->task->icvs->default_device : device;
}

void wait_at_end() {
    if (is_forked())
        return; // the operations in flight are the parent's
    const core::Worker *worker = core::Worker::current_or_null();
    if (worker != nullptr && worker->task != nullptr && worker->member->team->level == 0 &&
        worker->task->has(core::kImplicit))
        core::taskwait();
}

} // namespace loomp::target
