// Calls of libomptarget that begin operations on a device, made so that no worker waits for the
// device. libomptarget returns a handle if the operation has not completed when a call returns. The
// task of the call is then held until completion. It is suspended instead if it cannot be held: its
// creator waits for its end, or the construct has no nowait clause.
//
// Stand-ins make the calls that block. A task that can be held does not wait for its stand-in
// either. A waiting task is tied to a worker, which may be inside another task by then. A poller
// queries the handles, a few at a time. A separate thread makes the queries that may block
// (blocking.h).
//
// Outside parallel regions, calls are unchanged if there are no tasks, because nothing could run
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

/// A call of libomptarget. It lives in the frame of the entry point.
struct DeviceCall : StandInCall {
    int (*code)(DeviceCall &self) = nullptr; ///< calls libomptarget
    /// Returns a copy in memory from malloc() that does not refer to the entry point's frame; null
    /// if impossible.
    DeviceCall *(*keep)(const DeviceCall &self) = nullptr;
    std::int64_t device = 0;
    const void *location = nullptr; ///< the compiler's location of the construct
    const void *address = nullptr;  ///< return address of the entry point in the program
    Blocks blocks;
    bool nowait = false; ///< the task may continue, and complete later
    int result = 0;
    void *handle = nullptr;      ///< libomptarget's handle of the unfinished operation
    std::uint64_t tool_word = 0; ///< the tool's word of the construct
    core::Task *task = nullptr;
    core::Task *held =
        nullptr; ///< `task`, if a stand-in makes the call after the entry point has returned
    core::TaskSignal returned; ///< the stand-in signals it

    /// Copies the arguments, for keep().
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

/// Reports that a call has been made and that its operation has completed.
void note_plain_call(std::int64_t device);

/// Returns whether perform() makes the calling task's calls: libomptarget is present and other work
/// could run meanwhile.
bool takes_over();
/// Makes the call and returns its result: after its operation has completed, or at once with the
/// task held.
LOOMP_MAY_SWITCH int perform(DeviceCall &call);

/// Runs `code()`, an unchanged call of libomptarget.
template <class Code>
int make_plainly(std::int64_t device, const void *location, const void *address, Code code) {
    const InLibomptarget inside(device, location, address);
    *word_of_construct() = 0;
    const int result = code();
    report_completed(*word_of_construct());
    note_plain_call(device);
    return result;
}

/// Returns where libomptarget stores the handle of the calling thread's call; null if that call
/// shall wait.
void **handle_of_call();
/// Returns the task for which the calling thread calls libomptarget, or null. The thread need not
/// be a worker.
core::Task *task_of_call();

/// libomptarget's number of the default device.
inline constexpr std::int64_t kDefaultDevice = -1;
/// Returns the device's number; libomptarget may mean the default device by `device`.
std::int64_t number_of(std::int64_t device);

/// Suspends the calling task while a stand-in makes a call that itself waits for the device.
LOOMP_MAY_SWITCH void make_elsewhere(DeviceCall &call);
/// Runs `code()` on a stand-in while the calling task is suspended, if other work can run
/// meanwhile.
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

/// Waits until everything that the calling thread's initial task began on devices has completed.
LOOMP_MAY_SWITCH void wait_at_end();

/// Offers the memory of the devices' drivers to the program's allocators
/// (runtime/core/memory/driver_memory.h).
void offer_driver_memory();

} // namespace loomp::target
