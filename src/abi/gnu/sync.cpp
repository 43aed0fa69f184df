// GNU ABI: barriers, critical and atomic regions.
#include "abi/export.h"
#include "abi/gnu/gnu.h"
#include "core/barrier.h"
#include "core/lock.h"

using namespace loomp;
using namespace loomp::abi::gnu;

namespace {

core::Mutex unnamed_critical;
core::Mutex atomic_lock;

/// A named critical's lock is the compiler's pointer-sized variable, zero at start.
core::Mutex &named(void **variable) { return *reinterpret_cast<core::Mutex *>(variable); }

void enter_critical(core::Mutex &mutex, const void *codeptr) {
    const auto id = reinterpret_cast<std::uintptr_t>(&mutex);
    LOOMP_TOOL(mutex_acquire, core::MutexKind::critical, 0, id, codeptr);
    mutex.lock();
    LOOMP_TOOL(mutex_acquired, core::MutexKind::critical, id, codeptr);
}

void leave_critical(core::Mutex &mutex, const void *codeptr) {
    mutex.unlock();
    LOOMP_TOOL(mutex_released, core::MutexKind::critical, reinterpret_cast<std::uintptr_t>(&mutex),
               codeptr);
}

} // namespace

LOOMP_EXPORT void GOMP_barrier() { core::barrier(here()); }
LOOMP_EXPORT bool GOMP_barrier_cancel() { return core::barrier_cancellable(here()); }

LOOMP_EXPORT void GOMP_critical_start() {
    enter_critical(unnamed_critical, __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_critical_end() {
    leave_critical(unnamed_critical, __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_critical_name_start(void **variable) {
    enter_critical(named(variable), __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_critical_name_end(void **variable) {
    leave_critical(named(variable), __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_atomic_start() { atomic_lock.lock(); }
LOOMP_EXPORT void GOMP_atomic_end() { atomic_lock.unlock(); }
