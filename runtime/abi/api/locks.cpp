// OpenMP API: locks (OpenMP 5.2, 18.9). A simple lock is a core::Mutex in the 4 bytes that the
// types of both ABIs have. A nestable lock is a pointer to a core::NestLock, which fits both types,
// too.
#include <new>

#include "runtime/abi/api/api.h"
#include "runtime/core/regions/lock.h"

using namespace loomp;
using namespace loomp::abi;

namespace {

core::Mutex &simple(void *lock) { return *static_cast<core::Mutex *>(lock); }
core::NestLock *&nestable(void *lock) { return *static_cast<core::NestLock **>(lock); }
std::uintptr_t id(const void *lock) { return reinterpret_cast<std::uintptr_t>(lock); }

} // namespace

// worker() starts loomp, so that a tool found only now sees the first lock, too.
LOOMP_EXPORT void omp_init_lock(void *lock) {
    (void)worker();
    new (lock) core::Mutex;
    LOOMP_TOOL(lock_init, core::MutexKind::lock, 0, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT void omp_destroy_lock(void *lock) {
    (void)lock;
    LOOMP_TOOL(lock_destroy, core::MutexKind::lock, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT void omp_set_lock(void *lock) {
    LOOMP_TOOL(mutex_acquire, core::MutexKind::lock, 0, id(lock), __builtin_return_address(0));
    simple(lock).lock();
    LOOMP_TOOL(mutex_acquired, core::MutexKind::lock, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT void omp_unset_lock(void *lock) {
    simple(lock).unlock();
    LOOMP_TOOL(mutex_released, core::MutexKind::lock, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT int omp_test_lock(void *lock) {
    LOOMP_TOOL(mutex_acquire, core::MutexKind::test_lock, 0, id(lock), __builtin_return_address(0));
    const bool taken = simple(lock).try_lock();
    if (taken)
        LOOMP_TOOL(mutex_acquired, core::MutexKind::test_lock, id(lock),
                   __builtin_return_address(0));
    else
        LOOMP_TOOL(mutex_missed);
    return taken;
}

LOOMP_EXPORT void omp_init_nest_lock(void *lock) {
    (void)worker();
    nestable(lock) = new core::NestLock;
    LOOMP_TOOL(lock_init, core::MutexKind::nest_lock, 0, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT void omp_destroy_nest_lock(void *lock) {
    LOOMP_TOOL(lock_destroy, core::MutexKind::nest_lock, id(lock), __builtin_return_address(0));
    delete nestable(lock);
    nestable(lock) = nullptr;
}
LOOMP_EXPORT void omp_set_nest_lock(void *lock) {
    LOOMP_TOOL(mutex_acquire, core::MutexKind::nest_lock, 0, id(lock), __builtin_return_address(0));
    core::nest_lock(*nestable(lock));
    if (nestable(lock)->depth == 1)
        LOOMP_TOOL(mutex_acquired, core::MutexKind::nest_lock, id(lock),
                   __builtin_return_address(0));
    else
        LOOMP_TOOL(nest_lock, true, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT void omp_unset_nest_lock(void *lock) {
    if (core::nest_unlock(*nestable(lock)))
        LOOMP_TOOL(mutex_released, core::MutexKind::nest_lock, id(lock),
                   __builtin_return_address(0));
    else
        LOOMP_TOOL(nest_lock, false, id(lock), __builtin_return_address(0));
}
LOOMP_EXPORT int omp_test_nest_lock(void *lock) {
    LOOMP_TOOL(mutex_acquire, core::MutexKind::test_nest_lock, 0, id(lock),
               __builtin_return_address(0));
    const int depth = core::try_nest_lock(*nestable(lock));
    if (depth == 1)
        LOOMP_TOOL(mutex_acquired, core::MutexKind::test_nest_lock, id(lock),
                   __builtin_return_address(0));
    else if (depth > 1)
        LOOMP_TOOL(nest_lock, true, id(lock), __builtin_return_address(0));
    else
        LOOMP_TOOL(mutex_missed);
    return depth;
}

// The hint describes the use of the lock; ours serves every use.
LOOMP_EXPORT void omp_init_lock_with_hint(void *lock, int) { omp_init_lock(lock); }
LOOMP_EXPORT void omp_init_nest_lock_with_hint(void *lock, int) { omp_init_nest_lock(lock); }
LOOMP_EXPORT void omp_init_lock_with_hint_(void *lock, const int *) { omp_init_lock(lock); }
LOOMP_EXPORT void omp_init_nest_lock_with_hint_(void *lock, const int *) {
    omp_init_nest_lock(lock);
}

// Fortran passes the lock variable by reference, like C; libgomp has both in two versions.
#define LOOMP_API_LOCK(TYPE, NAME)                                                                 \
    LOOMP_EXPORT TYPE NAME##_(void *lock) { return NAME(lock); }                                   \
    LOOMP_API_SINCE(OMP_1.0, NAME);                                                                \
    LOOMP_API_SINCE(OMP_3.0, NAME)
LOOMP_API_LOCK(void, omp_init_lock);
LOOMP_API_LOCK(void, omp_destroy_lock);
LOOMP_API_LOCK(void, omp_set_lock);
LOOMP_API_LOCK(void, omp_unset_lock);
LOOMP_API_LOCK(int, omp_test_lock);
LOOMP_API_LOCK(void, omp_init_nest_lock);
LOOMP_API_LOCK(void, omp_destroy_nest_lock);
LOOMP_API_LOCK(void, omp_set_nest_lock);
LOOMP_API_LOCK(void, omp_unset_nest_lock);
LOOMP_API_LOCK(int, omp_test_nest_lock);
