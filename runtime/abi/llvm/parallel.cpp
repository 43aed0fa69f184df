// LLVM ABI: parallel and teams regions, thread numbers, pushed clauses.
#include <algorithm>
#include <cstdarg>
#include <utility>

#include "platform/export.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/environment/team_settings.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/target/stand_ins.h"

namespace loomp::abi::llvm {
namespace {

/// A region's outlined function and the addresses of its variables.
struct Region {
    Microtask fn;
    std::int32_t count;
    void **arguments;
};

void run_region(void *data, core::Member &member) {
    const auto &region = *static_cast<Region *>(data);
    call_microtask(region.fn, gtid_of(*member.worker), member.num, region.count, region.arguments);
}

void read_arguments(void **arguments, std::int32_t count, va_list list) {
    for (std::int32_t i = 0; i < count; ++i)
        arguments[i] = va_arg(list, void *);
}

/// Makes a request from the clauses that were pushed before the construct.
core::ParallelRequest make_request(Region *region, const void *codeptr) {
    core::PushedClauses pushed = std::exchange(self().pushed, {});
    core::ParallelRequest request;
    request.body = run_region;
    request.data = region;
    request.num_threads = pushed.num_threads;
    request.num_threads_list = pushed.num_threads_list;
    request.has_bind = pushed.has_bind;
    request.bind = pushed.bind;
    request.codeptr = codeptr;
    return request;
}

} // namespace
} // namespace loomp::abi::llvm

using namespace loomp;
using namespace loomp::abi::llvm;

LOOMP_EXPORT void __kmpc_fork_call(Ident *, std::int32_t count, Microtask fn, ...) {
    self(); // tools must see a thread's first call, too
    LOOMP_TOOL_ENTRY();
    auto **arguments = static_cast<void **>(
        __builtin_alloca(sizeof(void *) * static_cast<std::size_t>(count + 1)));
    va_list list;
    va_start(list, fn);
    read_arguments(arguments, count, list);
    va_end(list);
    Region region{fn, count, arguments};
    core::parallel(make_request(&region, __builtin_return_address(0)));
}

LOOMP_EXPORT void __kmpc_fork_call_if(Ident *, std::int32_t, Microtask fn, std::int32_t condition,
                                      void *argument) {
    LOOMP_TOOL_ENTRY();
    Region region{fn, argument != nullptr ? 1 : 0, &argument};
    core::ParallelRequest request = make_request(&region, __builtin_return_address(0));
    request.if_clause = condition != 0;
    core::parallel(request);
}

// if(false): the compiler calls the outlined function itself between these two calls.
LOOMP_EXPORT void __kmpc_serialized_parallel(Ident *, std::int32_t) {
    core::ParallelRequest request = make_request(nullptr, __builtin_return_address(0));
    request.if_clause = false;
    request.program_invokes = true;
    LOOMP_TOOL(enter, __builtin_frame_address(0), request.codeptr);
    core::begin_parallel(request);
    LOOMP_TOOL(exit_frame, *self().task, __builtin_frame_address(0));
}
LOOMP_EXPORT void __kmpc_end_serialized_parallel(Ident *, std::int32_t) {
    core::end_parallel();
    LOOMP_TOOL(leave);
}

LOOMP_EXPORT void __kmpc_fork_teams(Ident *, std::int32_t count, Microtask fn, ...) {
    LOOMP_TOOL_ENTRY();
    auto **arguments = static_cast<void **>(
        __builtin_alloca(sizeof(void *) * static_cast<std::size_t>(count + 1)));
    va_list list;
    va_start(list, fn);
    read_arguments(arguments, count, list);
    va_end(list);
    Region region{fn, count, arguments};
    const core::PushedClauses pushed = std::exchange(self().pushed, {});
    const core::TeamSettings &s = core::team_settings();
    int teams = pushed.num_teams_upper;
    if (teams <= 0)
        teams = s.num_teams > 0 ? s.num_teams.load() : 1;
    const int limit = pushed.thread_limit > 0 ? pushed.thread_limit : s.teams_thread_limit.load();
    core::league(teams, limit, *self().task->icvs, run_region, &region,
                 __builtin_return_address(0));
}

LOOMP_EXPORT void __kmpc_push_num_threads(Ident *, std::int32_t, std::int32_t n) {
    self().pushed.num_threads = std::max(n, 0);
}
LOOMP_EXPORT void __kmpc_push_num_threads_strict(Ident *, std::int32_t, std::int32_t n, int,
                                                 const char *) {
    self().pushed.num_threads = std::max(n, 0);
}
LOOMP_EXPORT void __kmpc_push_num_threads_list(Ident *, std::int32_t, std::uint32_t count,
                                               std::int32_t *list) {
    core::PushedClauses &pushed = self().pushed;
    pushed.num_threads = count > 0 ? std::max(list[0], 0) : 0;
    pushed.num_threads_list = count > 1 ? core::keep_num_threads(list, count) : nullptr;
}
LOOMP_EXPORT void __kmpc_push_num_threads_list_strict(Ident *location, std::int32_t gtid,
                                                      std::uint32_t count, std::int32_t *list, int,
                                                      const char *) {
    __kmpc_push_num_threads_list(location, gtid, count, list);
}
LOOMP_EXPORT void __kmpc_pop_num_threads(Ident *, std::int32_t) {
    self().pushed.num_threads = 0;
    self().pushed.num_threads_list = nullptr;
}
LOOMP_EXPORT void __kmpc_push_proc_bind(Ident *, std::int32_t, int bind) {
    // clang passes OpenMP's own values, except 5 for proc_bind(primary), an alias of `master` (2).
    constexpr int primary = 5;
    core::PushedClauses &pushed = self().pushed;
    pushed.bind = bind == primary ? core::ProcBind::primary : static_cast<core::ProcBind>(bind);
    pushed.has_bind = true;
}
LOOMP_EXPORT void __kmpc_push_num_teams(Ident *, std::int32_t, std::int32_t teams,
                                        std::int32_t threads) {
    core::PushedClauses &pushed = self().pushed;
    pushed.num_teams_lower = pushed.num_teams_upper = teams;
    pushed.thread_limit = threads;
}
LOOMP_EXPORT void __kmpc_push_num_teams_51(Ident *, std::int32_t, std::int32_t lower,
                                           std::int32_t upper, std::int32_t threads) {
    core::PushedClauses &pushed = self().pushed;
    pushed.num_teams_lower = lower;
    pushed.num_teams_upper = upper > 0 ? upper : lower;
    pushed.thread_limit = threads;
}
LOOMP_EXPORT void __kmpc_set_thread_limit(Ident *, std::int32_t, std::int32_t limit) {
    if (limit > 0)
        core::change_icvs(*self().task, [&](core::IcvValues &own) { own.thread_limit = limit; });
}

LOOMP_EXPORT std::int32_t __kmpc_global_thread_num(Ident *) {
    const core::Worker *worker = core::Worker::current_or_null();
    if (LOOMP_LIKELY(worker != nullptr))
        return gtid_of(*worker);
    // libomptarget calls it on any of its callers; such a thread need not become an OpenMP thread.
    return target::is_stand_in() ? 0 : gtid_of(self());
}
LOOMP_EXPORT std::int32_t __kmpc_global_num_threads(Ident *) {
    return static_cast<std::int32_t>(core::worker_count());
}
LOOMP_EXPORT std::int32_t __kmpc_bound_thread_num(Ident *) { return here().num; }
LOOMP_EXPORT std::int32_t __kmpc_bound_num_threads(Ident *) { return here().team->size; }
LOOMP_EXPORT std::int32_t __kmpc_ok_to_fork(Ident *) { return 1; }
LOOMP_EXPORT std::int32_t __kmpc_in_parallel(Ident *) { return here().team->active_level > 0; }
LOOMP_EXPORT void __kmpc_begin(Ident *, std::int32_t) {}
LOOMP_EXPORT void __kmpc_end(Ident *) {}
