// Locks, critical, atomic and ordered regions.
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

using core::MutexKind;

/// ompt_enumerate_mutex_impls returns its name.
constexpr unsigned kImplementation = 1;

ToolTask *current() {
    const Task *task = task_of(*Worker::current());
    return task != nullptr ? task->tool : nullptr;
}

const void *or_entry(const void *codeptr) {
    const Task *task = task_of(*Worker::current());
    if (task == nullptr || task->tool == nullptr)
        return codeptr;
    return codeptr != nullptr ? place_of(codeptr, *task) : codeptr_of(*task);
}

int wait_state(MutexKind kind) {
    switch (kind) {
    case MutexKind::critical:
        return ompt_state_wait_critical;
    case MutexKind::atomic:
        return ompt_state_wait_atomic;
    case MutexKind::ordered:
        return ompt_state_wait_ordered;
    default:
        return ompt_state_wait_lock;
    }
}

void stop_waiting() {
    if (ToolTask *tool = current()) {
        tool->state = work_state(*Worker::current()->member->team);
        tool->wait_id = 0;
    }
}

void mutex_acquire(MutexKind kind, unsigned hint, std::uintptr_t id, const void *codeptr) {
    if (ToolTask *tool = current()) {
        tool->state = wait_state(kind);
        tool->wait_id = id;
    }
    call<ompt_callback_mutex_acquire_t>(ompt_callback_mutex_acquire,
                                        static_cast<ompt_mutex_t>(kind), hint, kImplementation,
                                        ompt_wait_id_t{id}, or_entry(codeptr));
}

void mutex_acquired(MutexKind kind, std::uintptr_t id, const void *codeptr) {
    stop_waiting();
    call<ompt_callback_mutex_t>(ompt_callback_mutex_acquired, static_cast<ompt_mutex_t>(kind),
                                ompt_wait_id_t{id}, or_entry(codeptr));
}

void mutex_released(MutexKind kind, std::uintptr_t id, const void *codeptr) {
    call<ompt_callback_mutex_t>(ompt_callback_mutex_released, static_cast<ompt_mutex_t>(kind),
                                ompt_wait_id_t{id}, or_entry(codeptr));
}

void lock_init(MutexKind kind, unsigned hint, std::uintptr_t id, const void *codeptr) {
    call<ompt_callback_mutex_acquire_t>(ompt_callback_lock_init, static_cast<ompt_mutex_t>(kind),
                                        hint, kImplementation, ompt_wait_id_t{id}, codeptr);
}

void lock_destroy(MutexKind kind, std::uintptr_t id, const void *codeptr) {
    call<ompt_callback_mutex_t>(ompt_callback_lock_destroy, static_cast<ompt_mutex_t>(kind),
                                ompt_wait_id_t{id}, codeptr);
}

void nest_lock(bool begin, std::uintptr_t id, const void *codeptr) {
    stop_waiting();
    call<ompt_callback_nest_lock_t>(ompt_callback_nest_lock,
                                    begin ? ompt_scope_begin : ompt_scope_end, ompt_wait_id_t{id},
                                    codeptr);
}

static_assert(static_cast<int>(MutexKind::lock) == ompt_mutex_lock);
static_assert(static_cast<int>(MutexKind::test_lock) == ompt_mutex_test_lock);
static_assert(static_cast<int>(MutexKind::nest_lock) == ompt_mutex_nest_lock);
static_assert(static_cast<int>(MutexKind::test_nest_lock) == ompt_mutex_test_nest_lock);
static_assert(static_cast<int>(MutexKind::critical) == ompt_mutex_critical);
static_assert(static_cast<int>(MutexKind::atomic) == ompt_mutex_atomic);
static_assert(static_cast<int>(MutexKind::ordered) == ompt_mutex_ordered);

} // namespace

void hook_mutexes(core::ToolHooks &hooks) {
    hooks.mutex_acquire = mutex_acquire;
    hooks.mutex_acquired = mutex_acquired;
    hooks.mutex_released = mutex_released;
    hooks.mutex_missed = stop_waiting;
    hooks.lock_init = lock_init;
    hooks.lock_destroy = lock_destroy;
    hooks.nest_lock = nest_lock;
}

} // namespace loomp::ompt
