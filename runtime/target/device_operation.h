// Calls of libomptarget in which operations on a device begin, made so that no worker waits for the
// device. libomptarget leaves a handle of what has not completed when a call returns; then the task
// that made the call is held until it has, or suspended where it cannot be held (its creator waits
// for its end, or the construct has no nowait clause). Calls that hold up who makes them are made
// by stand-ins; a task that can be held does not wait for that either: it would be tied to a worker
// which may be inside another task by then. A poller queries the handles, a few at a
// time; what the query itself may be held up by (blocking.h) a thread of its own queries.
//
// Outside of parallel regions, with no tasks about, calls are left as they are: nothing could run
// meanwhile.
//
// Thread safety: each task for itself.
#pragma once

#include <cstdint>

#include "runtime/core/scheduling/task_signal.h"
#include "runtime/target/blocking.h"
#include "runtime/target/completion_reports.h"
#include "runtime/target/failure.h"
#include "runtime/target/stand_ins.h"

namespace loomp::core {
struct Task;
union ToolData;
} // namespace loomp::core

namespace loomp::target {

/// A call of libomptarget. Lives in the frame of the entry point.
struct DeviceCall : StandInCall {
    int (*code)(DeviceCall &self) = nullptr; ///< calls libomptarget
    /// The same call, which no longer refers to the entry point's frame, in memory of malloc()'s;
    /// null: that cannot be.
    DeviceCall *(*keep)(const DeviceCall &self) = nullptr;
    std::int64_t device = 0;
    const void *location = nullptr; ///< of the construct, the compiler's
    const void *address = nullptr;  ///< likewise, in the program: to which the entry point returns
    Blocks blocks;
    bool nowait = false; ///< the task may go on, and complete later
    int result = 0;
    void *handle = nullptr;      ///< what libomptarget leaves of it
    std::uint64_t tool_word = 0; ///< the tool's word of it
    core::Task *task = nullptr;
    core::Task *held = nullptr; ///< `task`, where a stand-in makes the call after the entry point
    core::TaskSignal returned;  ///< the stand-in's

    /// For keep().
    void be_as(const DeviceCall &other) {
        code = other.code;
        device = other.device;
        location = other.location;
        address = other.address;
        blocks = other.blocks;
        nowait = other.nowait;
        task = other.task;
    }
};

/// A call has been made, and waited for.
void note_plain_call(std::int64_t device);

/// Whether the calling task's calls are made by perform(): libomptarget is there and something
/// could run meanwhile.
bool takes_over();
/// Makes the call, and returns what it returned: when what it began has completed, or at once, with
/// the task held.
LOOMP_MAY_SWITCH int perform(DeviceCall &call);

/// `code()`, a call of libomptarget that is made as it is.
template <class Code>
int make_plainly(std::int64_t device, const void *location, const void *address, Code code) {
    const InLibomptarget inside(device, location, address);
    *word_of_construct() = 0;
    const int result = code();
    report_completed(*word_of_construct());
    note_plain_call(device);
    return result;
}

/// Where libomptarget puts the handle of the call that the calling thread makes; null: it is to
/// wait.
void **handle_of_call();
/// The task for which the calling thread, which need not be a worker, calls libomptarget; or null.
core::Task *task_of_call();

/// Libomptarget's for the default device.
inline constexpr std::int64_t kDefaultDevice = -1;
/// The number of a device, where libomptarget means the default one by `device`.
std::int64_t number_of(std::int64_t device);

/// A call of libomptarget that waits for the device itself, made by a stand-in while the calling
/// task is suspended.
LOOMP_MAY_SWITCH void make_elsewhere(DeviceCall &call);
/// `code()`, likewise, if something can run meanwhile.
template <class Code> LOOMP_MAY_SWITCH int elsewhere(std::int64_t device, Code code) {
    if (!takes_over())
        return make_plainly(device, nullptr, nullptr, code);
    struct Made : DeviceCall {
        explicit Made(Code &c) : made(c) {}
        Code &made;
    } call(code);
    call.device = device;
    call.code = [](DeviceCall &self) { return static_cast<Made &>(self).made(); };
    make_elsewhere(call);
    return call.result;
}

/// All that the calling thread's initial task has begun on devices has completed.
LOOMP_MAY_SWITCH void wait_at_end();

/// Offers memory of the devices' drivers to allocators of the program
/// (runtime/core/memory/driver_memory.h).
void offer_driver_memory();

} // namespace loomp::target
