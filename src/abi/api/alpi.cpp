// ALPI, the interface of task-aware libraries (include/loomp/alpi.h).
#include "loomp/alpi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <unistd.h>

#include "abi/export.h"
#include "core/base/diagnostics.h"
#include "core/external/block.h"
#include "core/external/independent.h"
#include "core/external/processor_numbers.h"
#include "core/external/run_again.h"
#include "core/external/task_events.h"
#include "core/external/timer.h"
#include "core/process/runtime.h"
#include "core/progress/poller.h"
#include "core/task/task.h"
#include "core/worker/worker.h"
#include "loomp/loomp.h"

/// What an attributes' handle points to.
struct alpi_attr {
    std::uint64_t initialized;
};

namespace {

using namespace loomp;

constexpr std::uint64_t kInitialized = 0x616c70692e6c6f6f;

core::Task *decode(alpi_task *task) { return reinterpret_cast<core::Task *>(task); }
alpi_task *encode(core::Task *task) { return reinterpret_cast<alpi_task *>(task); }

/// The calling thread's task, or null.
core::Task *running_task() {
    if (core::is_polling())
        return nullptr;
    // The first thread is in the initial task before it meets OpenMP.
    if (core::Worker::current_or_null() == nullptr && gettid() != getpid())
        return nullptr;
    return core::Worker::current()->task;
}

/// For functions that a task calls for itself.
alpi_error_t check_self(const alpi_task *task) {
    core::Task *running = running_task();
    if (running == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    return encode(running) == task ? ALPI_SUCCESS : ALPI_ERR_PARAMETER;
}

alpi_error_t cannot_be_run_again(const char *function) {
    core::warn(
        "%s(): an implicit, undeferred, final or untied task, and one with private variables "
        "of C++ classes, cannot be run again",
        function);
    return ALPI_ERR_PARAMETER;
}

} // namespace

LOOMP_EXPORT const char *alpi_error_string(alpi_error_t error) {
    switch (error) {
    case ALPI_SUCCESS:
        return "Success";
    case ALPI_ERR_VERSION:
        return "The runtime has another version of ALPI";
    case ALPI_ERR_NOT_INITIALIZED:
        return "The runtime has not been started";
    case ALPI_ERR_PARAMETER:
        return "An argument is not valid here";
    case ALPI_ERR_OUT_OF_MEMORY:
        return "There is no memory, or there are no threads, for it";
    case ALPI_ERR_OUTSIDE_TASK:
        return "The calling thread is not in a task";
    case ALPI_ERR_UNKNOWN:
        return "The runtime cannot do it";
    case ALPI_ERR_FEATURE_UNKNOWN:
        return "The runtime lacks a feature, or does not know it";
    case ALPI_ERR_MAX:
        break;
    }
    return "Error code not recognized";
}

LOOMP_EXPORT int alpi_info_get(alpi_info_t query, char *buffer, size_t max_length, int *length) {
    if (buffer == nullptr || max_length == 0)
        return ALPI_ERR_PARAMETER;
    switch (query) {
    case ALPI_INFO_RUNTIME_NAME:
        std::snprintf(buffer, max_length, "loomp");
        break;
    case ALPI_INFO_RUNTIME_VENDOR:
        std::snprintf(buffer, max_length, "the authors of loomp");
        break;
    case ALPI_INFO_VERSION:
        std::snprintf(buffer, max_length, "ALPI %d.%d (loomp %d.%d.%d)", ALPI_VERSION_MAJOR,
                      ALPI_VERSION_MINOR, LOOMP_VERSION_MAJOR, LOOMP_VERSION_MINOR,
                      LOOMP_VERSION_PATCH);
        break;
    default:
        return ALPI_ERR_PARAMETER;
    }
    if (length != nullptr)
        *length = static_cast<int>(std::strlen(buffer));
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_feature_check(int feature_bitmask) {
    return (feature_bitmask & ~ALPI_SUPPORTED_FEATURES) == 0 ? ALPI_SUCCESS
                                                             : ALPI_ERR_FEATURE_UNKNOWN;
}

LOOMP_EXPORT int alpi_version_check(int major, int minor) {
    return major == ALPI_VERSION_MAJOR && minor <= ALPI_VERSION_MINOR ? ALPI_SUCCESS
                                                                      : ALPI_ERR_VERSION;
}

LOOMP_EXPORT int alpi_version_get(int *major, int *minor) {
    if (major == nullptr || minor == nullptr)
        return ALPI_ERR_PARAMETER;
    *major = ALPI_VERSION_MAJOR;
    *minor = ALPI_VERSION_MINOR;
    return ALPI_SUCCESS;
}

// --- Blocking ------------------------------------------------------------------------------------

LOOMP_EXPORT int alpi_task_self(alpi_task **task) {
    if (task == nullptr)
        return ALPI_ERR_PARAMETER;
    *task = encode(running_task());
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_block(alpi_task *task) {
    const alpi_error_t error = check_self(task);
    if (error == ALPI_SUCCESS)
        core::block_running_task();
    return error;
}

LOOMP_EXPORT int alpi_task_unblock(alpi_task *task) {
    if (task == nullptr)
        return ALPI_ERR_PARAMETER;
    if (core::unblock_task(*decode(task)))
        return ALPI_SUCCESS;
    core::warn(
        "alpi_task_unblock(): called twice for one alpi_task_block(); the second is ignored");
    return ALPI_ERR_PARAMETER;
}

LOOMP_EXPORT int alpi_task_waitfor_ns(uint64_t target_ns, uint64_t *actual_ns) {
    if (running_task() == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    const std::uint64_t actual = core::wait_for_time(target_ns);
    if (actual_ns != nullptr)
        *actual_ns = actual;
    return ALPI_SUCCESS;
}

// --- Events --------------------------------------------------------------------------------------

LOOMP_EXPORT int alpi_task_events_increase(alpi_task *task, uint64_t increment) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS || increment == 0)
        return error;
    if (core::add_events(increment))
        return ALPI_SUCCESS;
    core::warn(
        "alpi_task_events_increase(): an undeferred or final task cannot complete later than "
        "its code ends, and no task has more than 10^9 events");
    return ALPI_ERR_PARAMETER;
}

LOOMP_EXPORT int alpi_task_events_test(alpi_task *task, uint64_t *has_events) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    if (has_events == nullptr)
        return ALPI_ERR_PARAMETER;
    *has_events = core::has_events() ? 1 : 0;
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_events_decrease(alpi_task *task, uint64_t decrement) {
    if (task == nullptr)
        return ALPI_ERR_PARAMETER;
    if (decrement == 0 || core::remove_events(*decode(task), decrement))
        return ALPI_SUCCESS;
    core::warn("alpi_task_events_decrease(): by more than the events that the task has; ignored");
    return ALPI_ERR_PARAMETER;
}

// --- Independent tasks ---------------------------------------------------------------------------

LOOMP_EXPORT int alpi_attr_create(alpi_attr **attr) {
    if (attr == nullptr)
        return ALPI_ERR_PARAMETER;
    *attr = static_cast<alpi_attr *>(std::malloc(sizeof(alpi_attr)));
    return *attr == nullptr ? ALPI_ERR_OUT_OF_MEMORY : alpi_attr_init(*attr);
}

LOOMP_EXPORT int alpi_attr_destroy(alpi_attr *attr) {
    if (attr == nullptr || attr->initialized != kInitialized)
        return ALPI_ERR_PARAMETER;
    attr->initialized = 0;
    std::free(attr);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_attr_init(alpi_attr *attr) {
    if (attr == nullptr)
        return ALPI_ERR_PARAMETER;
    attr->initialized = kInitialized;
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_attr_size(uint64_t *attr_size) {
    if (attr_size == nullptr)
        return ALPI_ERR_PARAMETER;
    *attr_size = sizeof(alpi_attr);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_spawn(void (*body)(void *), void *body_args,
                                 void (*completion_callback)(void *), void *completion_args,
                                 const char *, const alpi_attr *attr) {
    if (body == nullptr || completion_callback == nullptr ||
        (attr != nullptr && attr->initialized != kInitialized))
        return ALPI_ERR_PARAMETER;
    return core::spawn_independent({body, body_args, completion_callback, completion_args})
               ? ALPI_SUCCESS
               : ALPI_ERR_OUT_OF_MEMORY;
}

// --- Resources -----------------------------------------------------------------------------------

LOOMP_EXPORT int alpi_cpu_count(uint64_t *count) {
    if (count == nullptr)
        return ALPI_ERR_PARAMETER;
    core::initialize(); // no task need have run
    *count = core::processor_numbers();
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_cpu_logical_id(uint64_t *logical_id) {
    if (logical_id == nullptr)
        return ALPI_ERR_PARAMETER;
    if (running_task() == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    const int number = core::processor_number(*core::Worker::current());
    if (number < 0)
        return ALPI_ERR_UNKNOWN;
    *logical_id = static_cast<std::uint64_t>(number);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_cpu_system_id(uint64_t *system_id) {
    if (system_id == nullptr)
        return ALPI_ERR_PARAMETER;
    if (running_task() == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    const int id = sched_getcpu();
    if (id < 0)
        return ALPI_ERR_UNKNOWN;
    *system_id = static_cast<std::uint64_t>(id);
    return ALPI_SUCCESS;
}

// --- Tasks whose code is run again ---------------------------------------------------------------

LOOMP_EXPORT int alpi_task_suspend_mode_set(alpi_task *task, alpi_suspend_mode_t suspend_mode,
                                            uint64_t args) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    core::RunAgain when;
    switch (suspend_mode) {
    case ALPI_SUSPEND_NONE:
        when = core::RunAgain::when_unblocked;
        break;
    case ALPI_SUSPEND_SUBMIT:
        when = core::RunAgain::at_once;
        break;
    case ALPI_SUSPEND_TIMEOUT_SUBMIT:
        when = core::RunAgain::after_time;
        break;
    case ALPI_SUSPEND_EVENT_SUBMIT:
        when = core::RunAgain::after_events;
        break;
    default:
        return ALPI_ERR_PARAMETER;
    }
    return core::set_run_again(when, args) ? ALPI_SUCCESS : cannot_be_run_again(__func__);
}

LOOMP_EXPORT int alpi_task_suspend(alpi_task *task) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    return core::run_again() ? ALPI_SUCCESS : cannot_be_run_again(__func__);
}
