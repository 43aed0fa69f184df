// GNU ABI: barriers, critical and atomic regions.
#include <new>

#include "platform/export.h"
#include "platform/locks_at_fork.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/core/regions/lock.h"
#include "runtime/core/team/barrier.h"

using namespace loomp;
using namespace loomp::abi::gnu;

namespace {

core::Mutex unnamed_critical;
core::Mutex atomic_lock;

// The forking thread is within no atomic statement.
const core::LocksAtFork at_fork([] { new (&atomic_lock) core::Mutex; });

/// Returns the lock of a named critical: the compiler's pointer-sized variable, initially zero.
core::Mutex &named(void **variable) { return *reinterpret_cast<core::Mutex *>(variable); }

LOOMP_MAY_SWITCH void enter(core::MutexKind kind, core::Mutex &mutex, const void *codeptr) {
    const auto id = reinterpret_cast<std::uintptr_t>(&mutex);
    LOOMP_TOOL(mutex_acquire, kind, 0, id, codeptr);
    mutex.lock();
    LOOMP_TOOL(mutex_acquired, kind, id, codeptr);
}

void leave(core::MutexKind kind, core::Mutex &mutex, const void *codeptr) {
    mutex.unlock();
    LOOMP_TOOL(mutex_released, kind, reinterpret_cast<std::uintptr_t>(&mutex), codeptr);
}

} // namespace

LOOMP_EXPORT void GOMP_barrier() {
    LOOMP_TOOL_ENTRY();
    core::barrier(here(), core::SyncKind::barrier_explicit);
}
LOOMP_EXPORT bool GOMP_barrier_cancel() {
    LOOMP_TOOL_ENTRY();
    return core::barrier_cancellable(here(), core::SyncKind::barrier_explicit);
}

LOOMP_EXPORT void GOMP_critical_start() {
    enter(core::MutexKind::critical, unnamed_critical, __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_critical_end() {
    leave(core::MutexKind::critical, unnamed_critical, __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_critical_name_start(void **variable) {
    enter(core::MutexKind::critical, named(variable), __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_critical_name_end(void **variable) {
    leave(core::MutexKind::critical, named(variable), __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_atomic_start() {
    enter(core::MutexKind::atomic, atomic_lock, __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_atomic_end() {
    leave(core::MutexKind::atomic, atomic_lock, __builtin_return_address(0));
}
