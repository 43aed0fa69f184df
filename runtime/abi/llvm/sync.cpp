// LLVM ABI: barriers, single, master, critical, reductions of worksharing, cancellation, flush.
#include <cstring>

#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/regions/lock.h"
#include "runtime/core/team/barrier.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::abi::llvm {
namespace {

/// A critical's name: 32 zero bytes of the program; the lock uses the first 4.
using CriticalName = std::int32_t[8];
core::Mutex &lock_of(CriticalName *name) { return *reinterpret_cast<core::Mutex *>(name); }

core::CancelKind cancel_kind(std::int32_t kind) {
    switch (kind) {
    case 1:
        return core::CancelKind::parallel;
    case 2:
        return core::CancelKind::loop;
    case 3:
        return core::CancelKind::sections;
    default:
        return core::CancelKind::taskgroup;
    }
}

/// How the members combine their partial results; begin and end of a reduction get the same answer.
enum class ReduceMethod : std::int32_t { alone = 0, critical = 1, atomic = 2 };

ReduceMethod reduce_method(const Ident *location) {
    if (here().team->size == 1)
        return ReduceMethod::alone;
    // Uses atomic updates if the compiler offers them, because they need no lock.
    if ((location->flags & kIdentAtomicReduce) != 0 && !core::tool_sees_reductions)
        return ReduceMethod::atomic;
    return ReduceMethod::critical;
}

LOOMP_MAY_SWITCH std::int32_t begin_reduce(const Ident *location, CriticalName *lock) {
    switch (reduce_method(location)) {
    case ReduceMethod::alone:
        LOOMP_TOOL(reduction, true);
        return 1;
    case ReduceMethod::critical:
        lock_of(lock).lock();
        LOOMP_TOOL(reduction, true);
        return 1;
    default:
        return 2;
    }
}

void end_reduce(const Ident *location, CriticalName *lock) {
    const ReduceMethod method = reduce_method(location);
    if (method == ReduceMethod::atomic)
        return;
    LOOMP_TOOL(reduction, false);
    if (method == ReduceMethod::critical)
        lock_of(lock).unlock();
}

/// Returns the kind of a barrier, from the compiler's flags, for tools.
core::SyncKind barrier_kind(const Ident *location) {
    if (location == nullptr)
        return core::SyncKind::barrier_implementation;
    if ((location->flags & kIdentExplicitBarrier) != 0)
        return core::SyncKind::barrier_explicit;
    return (location->flags & kIdentImplicitBarrier) != 0 ? core::SyncKind::barrier_workshare
                                                          : core::SyncKind::barrier_implementation;
}

/// The barrier at the end of a reduction. clang emits another one after it, where members come that
/// have cancelled the construct: those meet this one there, and nobody meets a second one.
void barrier_of_reduction() {
    core::Member &member = here();
    const std::uint64_t number = member.work.number;
    core::barrier(member, core::SyncKind::barrier_workshare);
    if (LOOMP_UNLIKELY(core::was_cancelled(*member.team, number)))
        member.work.barrier_done = member.work.number;
}

/// The compiler's barrier.
void meet_barrier(core::Member &member, const Ident *location) {
    if (LOOMP_LIKELY(member.work.barrier_done != member.work.number))
        core::barrier(member, barrier_kind(location));
    else
        member.work.barrier_done = 0; // it is over
}

bool enter_masked(std::int32_t filter, const void *codeptr) {
    const bool mine = here().num == filter;
    if (mine)
        LOOMP_TOOL(masked, true, codeptr);
    return mine;
}

LOOMP_MAY_SWITCH void enter_critical(CriticalName *name, unsigned hint, const void *codeptr) {
    LOOMP_TOOL(mutex_acquire, core::MutexKind::critical, hint,
               reinterpret_cast<std::uintptr_t>(name), codeptr);
    lock_of(name).lock();
    LOOMP_TOOL(mutex_acquired, core::MutexKind::critical, reinterpret_cast<std::uintptr_t>(name),
               codeptr);
}

} // namespace
} // namespace loomp::abi::llvm

using namespace loomp;
using namespace loomp::abi::llvm;

LOOMP_EXPORT void __kmpc_barrier(Ident *location, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    meet_barrier(here(), location);
}
LOOMP_EXPORT std::int32_t __kmpc_cancel_barrier(Ident *location, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    // The compiler calls this in a thread that has cancelled the region, too, which other members
    // may have come to the end of.
    const Atomic<bool> &cancelled = member.team->cancelled;
    if (!cancelled.load(std::memory_order_acquire))
        meet_barrier(member, location);
    return cancelled.load(std::memory_order_acquire) && leave_cancelled(core::CancelKind::parallel);
}
LOOMP_EXPORT std::int32_t __kmpc_barrier_master(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    core::barrier(member);
    return member.num == 0;
}
LOOMP_EXPORT void __kmpc_end_barrier_master(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::barrier(here());
}
LOOMP_EXPORT std::int32_t __kmpc_barrier_master_nowait(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    core::barrier(member);
    return member.num == 0;
}

LOOMP_EXPORT std::int32_t __kmpc_single(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    const bool mine = core::enter_single(here());
    LOOMP_TOOL(work, mine ? core::WorkKind::single_executor : core::WorkKind::single_other, true, 1,
               nullptr);
    if (!mine)
        LOOMP_TOOL(work, core::WorkKind::single_other, false, 1, nullptr);
    return mine;
}
LOOMP_EXPORT void __kmpc_end_single(Ident *, std::int32_t) {
    LOOMP_TOOL(work, core::WorkKind::single_executor, false, 1, __builtin_return_address(0));
}

LOOMP_EXPORT void __kmpc_copyprivate(Ident *, std::int32_t, std::size_t, void *data,
                                     void (*copy)(void *, void *), std::int32_t is_source) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    Atomic<void *> &source = member.team->copyprivate;
    if (is_source != 0)
        source.store(data, std::memory_order_relaxed);
    core::barrier(member);
    if (is_source == 0)
        copy(data, source.load(std::memory_order_relaxed));
    core::barrier(member);
}
LOOMP_EXPORT void *__kmpc_copyprivate_light(Ident *, std::int32_t, void *data) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    Atomic<void *> &source = member.team->copyprivate;
    if (data != nullptr)
        source.store(data, std::memory_order_relaxed);
    core::barrier(member);
    return source.load(std::memory_order_relaxed);
}

LOOMP_EXPORT std::int32_t __kmpc_master(Ident *, std::int32_t) {
    return enter_masked(0, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_end_master(Ident *, std::int32_t) {
    LOOMP_TOOL(masked, false, __builtin_return_address(0));
}
LOOMP_EXPORT std::int32_t __kmpc_masked(Ident *, std::int32_t, std::int32_t filter) {
    return enter_masked(filter, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_end_masked(Ident *, std::int32_t) {
    LOOMP_TOOL(masked, false, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_scope(Ident *, std::int32_t, void *) {
    LOOMP_TOOL(work, core::WorkKind::scope, true, 1, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_end_scope(Ident *, std::int32_t, void *) {
    LOOMP_TOOL(work, core::WorkKind::scope, false, 1, __builtin_return_address(0));
}

LOOMP_EXPORT void __kmpc_critical(Ident *, std::int32_t, CriticalName *name) {
    enter_critical(name, 0, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_critical_with_hint(Ident *, std::int32_t, CriticalName *name,
                                            std::uint32_t hint) {
    enter_critical(name, hint, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_end_critical(Ident *, std::int32_t, CriticalName *name) {
    lock_of(name).unlock();
    LOOMP_TOOL(mutex_released, core::MutexKind::critical, reinterpret_cast<std::uintptr_t>(name),
               __builtin_return_address(0));
}

LOOMP_EXPORT std::int32_t __kmpc_reduce_nowait(Ident *location, std::int32_t, std::int32_t,
                                               std::size_t, void *, void (*)(void *, void *),
                                               CriticalName *lock) {
    LOOMP_TOOL_ENTRY();
    return begin_reduce(location, lock);
}
LOOMP_EXPORT void __kmpc_end_reduce_nowait(Ident *location, std::int32_t, CriticalName *lock) {
    LOOMP_TOOL_ENTRY();
    end_reduce(location, lock);
}
LOOMP_EXPORT std::int32_t __kmpc_reduce(Ident *location, std::int32_t, std::int32_t, std::size_t,
                                        void *, void (*)(void *, void *), CriticalName *lock) {
    LOOMP_TOOL_ENTRY();
    return begin_reduce(location, lock);
}
LOOMP_EXPORT void __kmpc_end_reduce(Ident *location, std::int32_t, CriticalName *lock) {
    LOOMP_TOOL_ENTRY();
    end_reduce(location, lock);
    barrier_of_reduction();
}

LOOMP_EXPORT std::int32_t __kmpc_cancel(Ident *, std::int32_t, std::int32_t kind) {
    LOOMP_TOOL_ENTRY();
    return core::cancel(cancel_kind(kind)) && leave_cancelled(cancel_kind(kind));
}
LOOMP_EXPORT int kmp_get_cancellation_status(int kind) {
    constexpr int first = 1, last = 4; // libomp's first and last kind
    return kind >= first && kind <= last && core::is_cancelled(cancel_kind(kind));
}
LOOMP_EXPORT int kmp_get_cancellation_status_(const int *kind) {
    return kmp_get_cancellation_status(*kind);
}
LOOMP_EXPORT std::int32_t __kmpc_cancellationpoint(Ident *, std::int32_t, std::int32_t kind) {
    LOOMP_TOOL_ENTRY();
    return core::cancellation_point(cancel_kind(kind)) && leave_cancelled(cancel_kind(kind));
}

LOOMP_EXPORT void __kmpc_flush(Ident *) {
    atomic_fence(std::memory_order_seq_cst);
    LOOMP_TOOL(flush, __builtin_return_address(0));
}

LOOMP_EXPORT void __kmpc_error(Ident *location, std::int32_t severity, const char *message) {
    const char *text = message != nullptr ? message : "(no message)";
    const char *where = location != nullptr && location->source != nullptr ? location->source : "";
    LOOMP_TOOL(error, severity == 2, message, message != nullptr ? std::strlen(message) : 0,
               __builtin_return_address(0));
    // Begins like libomp's line, which tools and test suites expect.
    core::warn_as(severity == 2 ? "OMP: Error: " : "OMP: Warning: ",
                  "error directive encountered: %s %s", text, where);
    if (severity == 2)
        std::exit(EXIT_FAILURE);
}

// The API's locks under the names that compilers use.
#define LOOMP_LLVM_LOCK(TYPE, NAME)                                                                \
    LOOMP_EXPORT TYPE omp_##NAME(void *lock);                                                      \
    LOOMP_EXPORT TYPE __kmpc_##NAME(Ident *, std::int32_t, void **lock) { return omp_##NAME(lock); }
LOOMP_LLVM_LOCK(void, init_lock)
LOOMP_LLVM_LOCK(void, init_nest_lock)
LOOMP_LLVM_LOCK(void, destroy_lock)
LOOMP_LLVM_LOCK(void, destroy_nest_lock)
LOOMP_LLVM_LOCK(void, set_lock)
LOOMP_LLVM_LOCK(void, set_nest_lock)
LOOMP_LLVM_LOCK(void, unset_lock)
LOOMP_LLVM_LOCK(void, unset_nest_lock)
LOOMP_LLVM_LOCK(int, test_lock)
LOOMP_LLVM_LOCK(int, test_nest_lock)
#undef LOOMP_LLVM_LOCK
LOOMP_EXPORT void __kmpc_init_lock_with_hint(Ident *, std::int32_t, void **lock, std::uintptr_t) {
    omp_init_lock(lock);
}
LOOMP_EXPORT void __kmpc_init_nest_lock_with_hint(Ident *, std::int32_t, void **lock,
                                                  std::uintptr_t) {
    omp_init_nest_lock(lock);
}
