// GNU ABI: worksharing loops. There are two families, for long and for unsigned long long; in each,
// every schedule has its own start and next.
#include <cstdarg>

#include "platform/export.h"
#include "runtime/abi/api/loop_iterations.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/abi/gnu/reduction.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::abi::gnu {

namespace {

using core::ChunkOrder;
using core::Member;
using core::ScheduleKind;
using core::WorkState;
using Ull = unsigned long long;

/// Loop bounds from the compiler; all arithmetic is modulo 2^64.
struct Bounds {
    std::uint64_t start;
    std::uint64_t end;
    std::uint64_t step;
    std::uint64_t trip;
};

Bounds signed_bounds(long start, long end, long step) {
    const auto by = static_cast<std::uint64_t>(step);
    return {static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(end), by,
            count_before(start, end, by, step > 0)};
}

Bounds unsigned_bounds(bool up, Ull start, Ull end, Ull step) {
    return {start, end, step, count_before(start, end, step, up)};
}

/// Decodes a schedule argument of the generic start functions. Its low bits are the kind (0:
/// runtime), its highest bit of 32 is the monotonic modifier.
core::LoopRequest decode_schedule(long sched, std::uint64_t chunk) {
    core::LoopRequest request;
    const auto kind = static_cast<unsigned long>(sched) & 0x7fffffffu;
    request.order = (static_cast<unsigned long>(sched) & 0x80000000u) != 0 ? ChunkOrder::required
                                                                           : ChunkOrder::customary;
    request.runtime = kind == 0;
    request.kind = request.runtime ? ScheduleKind::static_ : static_cast<ScheduleKind>(kind);
    request.chunk = chunk;
    return request;
}

void describe(Member &member, const Bounds &bounds) {
    WorkState &state = member.work;
    state.base = bounds.start;
    state.step = bounds.step;
    state.limit = bounds.end;
}

template <class T> bool next(T *first, T *end) {
    Member &member = here();
    if (!core::next_chunk(member))
        return false;
    const WorkState &state = member.work;
    *first = static_cast<T>(state.base + state.first * state.step);
    // Passes the bound unchanged, because one step further might not be representable.
    *end =
        static_cast<T>(state.end == state.trip ? state.limit : state.base + state.end * state.step);
    return true;
}

template <class T> bool start(core::LoopRequest request, const Bounds &bounds, T *first, T *end) {
    Member &member = here();
    request.trip = bounds.trip;
    core::begin_loop(member, request);
    describe(member, bounds);
    return next(first, end);
}

core::LoopRequest schedule(ScheduleKind kind, std::uint64_t chunk, ChunkOrder order,
                           bool ordered = false) {
    core::LoopRequest request;
    request.order = order;
    request.kind = kind;
    request.chunk = chunk;
    request.ordered = ordered;
    return request;
}

core::LoopRequest runtime_schedule(ChunkOrder order, bool ordered = false) {
    core::LoopRequest request;
    request.order = order;
    request.runtime = true;
    request.ordered = ordered;
    return request;
}

/// The generic start: the construct may have task reductions and scratch memory.
template <class T>
bool start_generic(core::LoopRequest request, const Bounds &bounds, T *first, T *end,
                   std::uintptr_t *reductions, void **memory) {
    Member &member = here();
    if (first == nullptr) {
        // The schedule is static, so the compiler divides the iterations itself.
        enter_with_reductions(member, reductions, memory);
        return true;
    }
    enter_with_reductions(member, reductions, memory);
    request.trip = bounds.trip;
    core::begin_loop(member, request, true);
    describe(member, bounds);
    return next(first, end);
}

// --- Doacross ----------------------------------------------------------------------------------

/// Enters a doacross loop nest of `count` loops, normalised to start at 0 with step 1. The outer
/// loop is divided.
template <class T>
bool start_doacross(core::LoopRequest request, unsigned count, const T *extents, T *first, T *end,
                    std::uintptr_t *reductions, void **memory) {
    core::check_doacross_depth(count);
    Member &member = here();
    std::uint64_t total = 1;
    for (unsigned i = 0; i < count; ++i)
        total *= static_cast<std::uint64_t>(extents[i]);
    enter_with_reductions(member, reductions, memory, total);
    request.trip = static_cast<std::uint64_t>(extents[0]);
    request.order = ChunkOrder::required;
    core::begin_loop(member, request, true);
    describe(member, {0, request.trip, 1, request.trip});
    core::DoacrossState &state = member.doacross;
    state.dimensions = count;
    for (unsigned i = 0; i < count; ++i)
        state.extent[i] = static_cast<std::uint64_t>(extents[i]);
    if (first == nullptr)
        return true;
    return next(first, end);
}

/// Returns the number of an iteration of the nest.
template <class T> std::uint64_t linear(const core::DoacrossState &state, const T *iteration) {
    std::uint64_t number = 0;
    for (std::uint32_t i = 0; i < state.dimensions; ++i)
        number = number * state.extent[i] + static_cast<std::uint64_t>(iteration[i]);
    return number;
}

/// Tools get the numbers that gcc gives the iterations: they begin at 0.
template <class T> void report_doacross(bool source, const T *iteration, std::uint32_t count) {
    static_assert(sizeof(T) == sizeof(std::int64_t));
    LOOMP_TOOL(doacross, source, reinterpret_cast<const std::int64_t *>(iteration), count);
}

template <class T> void wait_for(T first, va_list rest) {
    Member &member = here();
    T iteration[core::DoacrossState::kMaxDimensions];
    iteration[0] = first;
    for (std::uint32_t i = 1; i < member.doacross.dimensions; ++i)
        iteration[i] = va_arg(rest, T);
    core::wait_iteration(member, linear(member.doacross, iteration));
    report_doacross(false, iteration, member.doacross.dimensions);
}

template <class T> void post(const T *iteration) {
    Member &member = here();
    report_doacross(true, iteration, member.doacross.dimensions);
    core::post_iteration(member, linear(member.doacross, iteration));
}

// --- Combined parallel loops -------------------------------------------------------------------

struct CombinedLoop {
    core::LoopRequest request;
    Bounds bounds;

    void enter(Member &member) const {
        core::LoopRequest loop = request;
        loop.trip = bounds.trip;
        core::begin_loop(member, loop);
        describe(member, bounds);
    }
};

LOOMP_MAY_SWITCH void run_combined(void (*fn)(void *), void *data, unsigned num_threads,
                                   unsigned flags, core::LoopRequest loop, const Bounds &bounds,
                                   const void *codeptr) {
    CombinedRegion<CombinedLoop> region{{fn, data}, {loop, bounds}};
    core::parallel(region.request(num_threads, flags, codeptr));
}

} // namespace
} // namespace loomp::abi::gnu

using namespace loomp;
using namespace loomp::abi::gnu;
using core::ChunkOrder;
using core::ScheduleKind;
using Ull = unsigned long long;

// clang-format off

// name, kind, order, ordered: start functions with a chunk size
#define LOOMP_GNU_START(NAME, KIND, ORDER, ORDERED)                                                     \
    LOOMP_EXPORT bool GOMP_loop_##NAME##_start(long s, long e, long i, long chunk, long *f, long *l) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        return start(schedule(KIND, static_cast<std::uint64_t>(chunk), ORDER, ORDERED), signed_bounds(s, e, i), f, l); \
    }                                                                                              \
    LOOMP_EXPORT bool GOMP_loop_ull_##NAME##_start(bool up, Ull s, Ull e, Ull i, Ull chunk, Ull *f, Ull *l) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        return start(schedule(KIND, chunk, ORDER, ORDERED), unsigned_bounds(up, s, e, i), f, l);          \
    }
LOOMP_GNU_START(static, ScheduleKind::static_, ChunkOrder::required, false)
LOOMP_GNU_START(dynamic, ScheduleKind::dynamic, ChunkOrder::required, false)
LOOMP_GNU_START(guided, ScheduleKind::guided, ChunkOrder::required, false)
LOOMP_GNU_START(nonmonotonic_dynamic, ScheduleKind::dynamic, ChunkOrder::customary, false)
LOOMP_GNU_START(nonmonotonic_guided, ScheduleKind::guided, ChunkOrder::customary, false)
LOOMP_GNU_START(ordered_static, ScheduleKind::static_, ChunkOrder::required, true)
LOOMP_GNU_START(ordered_dynamic, ScheduleKind::dynamic, ChunkOrder::required, true)
LOOMP_GNU_START(ordered_guided, ScheduleKind::guided, ChunkOrder::required, true)
#undef LOOMP_GNU_START

#define LOOMP_GNU_RUNTIME_START(NAME, ORDER, ORDERED)                                                     \
    LOOMP_EXPORT bool GOMP_loop_##NAME##_start(long s, long e, long i, long *f, long *l) {         \
        LOOMP_TOOL_ENTRY();                                                                        \
        return start(runtime_schedule(ORDER, ORDERED), signed_bounds(s, e, i), f, l);                     \
    }                                                                                              \
    LOOMP_EXPORT bool GOMP_loop_ull_##NAME##_start(bool up, Ull s, Ull e, Ull i, Ull *f, Ull *l) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        return start(runtime_schedule(ORDER, ORDERED), unsigned_bounds(up, s, e, i), f, l);               \
    }
LOOMP_GNU_RUNTIME_START(runtime, ChunkOrder::required, false)
LOOMP_GNU_RUNTIME_START(nonmonotonic_runtime, ChunkOrder::customary, false)
LOOMP_GNU_RUNTIME_START(maybe_nonmonotonic_runtime, ChunkOrder::customary, false)
LOOMP_GNU_RUNTIME_START(ordered_runtime, ChunkOrder::required, true)
#undef LOOMP_GNU_RUNTIME_START

#define LOOMP_GNU_NEXT(NAME)                                                                       \
    LOOMP_EXPORT bool GOMP_loop_##NAME##_next(long *f, long *l) { return next(f, l); }             \
    LOOMP_EXPORT bool GOMP_loop_ull_##NAME##_next(Ull *f, Ull *l) { return next(f, l); }
LOOMP_GNU_NEXT(static)
LOOMP_GNU_NEXT(dynamic)
LOOMP_GNU_NEXT(guided)
LOOMP_GNU_NEXT(runtime)
LOOMP_GNU_NEXT(nonmonotonic_dynamic)
LOOMP_GNU_NEXT(nonmonotonic_guided)
LOOMP_GNU_NEXT(nonmonotonic_runtime)
LOOMP_GNU_NEXT(maybe_nonmonotonic_runtime)
LOOMP_GNU_NEXT(ordered_static)
LOOMP_GNU_NEXT(ordered_dynamic)
LOOMP_GNU_NEXT(ordered_guided)
LOOMP_GNU_NEXT(ordered_runtime)
#undef LOOMP_GNU_NEXT

#define LOOMP_GNU_PARALLEL(NAME, KIND, ORDER)                                                  \
    LOOMP_EXPORT void GOMP_parallel_loop_##NAME(void (*fn)(void *), void *data, unsigned n, long s, long e, long i, long chunk, unsigned flags) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        run_combined(fn, data, n, flags, schedule(KIND, static_cast<std::uint64_t>(chunk), ORDER), signed_bounds(s, e, i), __builtin_return_address(0)); \
    }
LOOMP_GNU_PARALLEL(static, ScheduleKind::static_, ChunkOrder::required)
LOOMP_GNU_PARALLEL(dynamic, ScheduleKind::dynamic, ChunkOrder::required)
LOOMP_GNU_PARALLEL(guided, ScheduleKind::guided, ChunkOrder::required)
LOOMP_GNU_PARALLEL(nonmonotonic_dynamic, ScheduleKind::dynamic, ChunkOrder::customary)
LOOMP_GNU_PARALLEL(nonmonotonic_guided, ScheduleKind::guided, ChunkOrder::customary)
#undef LOOMP_GNU_PARALLEL

#define LOOMP_GNU_PARALLEL_RUNTIME(NAME, ORDER)                                                           \
    LOOMP_EXPORT void GOMP_parallel_loop_##NAME(void (*fn)(void *), void *data, unsigned n, long s, long e, long i, unsigned flags) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        run_combined(fn, data, n, flags, runtime_schedule(ORDER), signed_bounds(s, e, i), __builtin_return_address(0)); \
    }
LOOMP_GNU_PARALLEL_RUNTIME(runtime, ChunkOrder::required)
LOOMP_GNU_PARALLEL_RUNTIME(nonmonotonic_runtime, ChunkOrder::customary)
LOOMP_GNU_PARALLEL_RUNTIME(maybe_nonmonotonic_runtime, ChunkOrder::customary)
#undef LOOMP_GNU_PARALLEL_RUNTIME

#define LOOMP_GNU_PARALLEL_START(NAME, KIND)                                                       \
    LOOMP_EXPORT void GOMP_parallel_loop_##NAME##_start(void (*fn)(void *), void *data, unsigned n, long s, long e, long i, long chunk) { \
        start_combined<CombinedLoop>({fn, data}, {schedule(KIND, static_cast<std::uint64_t>(chunk), ChunkOrder::required), signed_bounds(s, e, i)}, n, __builtin_return_address(0)); \
    }
LOOMP_GNU_PARALLEL_START(static, ScheduleKind::static_)
LOOMP_GNU_PARALLEL_START(dynamic, ScheduleKind::dynamic)
LOOMP_GNU_PARALLEL_START(guided, ScheduleKind::guided)
#undef LOOMP_GNU_PARALLEL_START

#define LOOMP_GNU_DOACROSS(NAME, KIND)                                                             \
    LOOMP_EXPORT bool GOMP_loop_doacross_##NAME##_start(unsigned n, long *extents, long chunk, long *f, long *l) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        return start_doacross(schedule(KIND, static_cast<std::uint64_t>(chunk), ChunkOrder::required), n, extents, f, l, nullptr, nullptr); \
    }                                                                                              \
    LOOMP_EXPORT bool GOMP_loop_ull_doacross_##NAME##_start(unsigned n, Ull *extents, Ull chunk, Ull *f, Ull *l) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        return start_doacross(schedule(KIND, chunk, ChunkOrder::required), n, extents, f, l, nullptr, nullptr);          \
    }
LOOMP_GNU_DOACROSS(static, ScheduleKind::static_)
LOOMP_GNU_DOACROSS(dynamic, ScheduleKind::dynamic)
LOOMP_GNU_DOACROSS(guided, ScheduleKind::guided)
#undef LOOMP_GNU_DOACROSS

// clang-format on

LOOMP_EXPORT void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned n,
                                                   long s, long e, long i) {
    start_combined<CombinedLoop>({fn, data},
                                 {runtime_schedule(ChunkOrder::required), signed_bounds(s, e, i)},
                                 n, __builtin_return_address(0));
}

LOOMP_EXPORT bool GOMP_loop_doacross_runtime_start(unsigned n, long *extents, long *f, long *l) {
    LOOMP_TOOL_ENTRY();
    return start_doacross(runtime_schedule(ChunkOrder::required), n, extents, f, l, nullptr,
                          nullptr);
}
LOOMP_EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned n, Ull *extents, Ull *f, Ull *l) {
    LOOMP_TOOL_ENTRY();
    return start_doacross(runtime_schedule(ChunkOrder::required), n, extents, f, l, nullptr,
                          nullptr);
}

LOOMP_EXPORT bool GOMP_loop_start(long s, long e, long i, long sched, long chunk, long *f, long *l,
                                  std::uintptr_t *reductions, void **memory) {
    LOOMP_TOOL_ENTRY();
    return start_generic(decode_schedule(sched, static_cast<std::uint64_t>(chunk)),
                         signed_bounds(s, e, i), f, l, reductions, memory);
}
LOOMP_EXPORT bool GOMP_loop_ull_start(bool up, Ull s, Ull e, Ull i, long sched, Ull chunk, Ull *f,
                                      Ull *l, std::uintptr_t *reductions, void **memory) {
    LOOMP_TOOL_ENTRY();
    return start_generic(decode_schedule(sched, chunk), unsigned_bounds(up, s, e, i), f, l,
                         reductions, memory);
}
LOOMP_EXPORT bool GOMP_loop_ordered_start(long s, long e, long i, long sched, long chunk, long *f,
                                          long *l, std::uintptr_t *reductions, void **memory) {
    LOOMP_TOOL_ENTRY();
    core::LoopRequest request = decode_schedule(sched, static_cast<std::uint64_t>(chunk));
    request.ordered = true;
    return start_generic(request, signed_bounds(s, e, i), f, l, reductions, memory);
}
LOOMP_EXPORT bool GOMP_loop_ull_ordered_start(bool up, Ull s, Ull e, Ull i, long sched, Ull chunk,
                                              Ull *f, Ull *l, std::uintptr_t *reductions,
                                              void **memory) {
    LOOMP_TOOL_ENTRY();
    core::LoopRequest request = decode_schedule(sched, chunk);
    request.ordered = true;
    return start_generic(request, unsigned_bounds(up, s, e, i), f, l, reductions, memory);
}
LOOMP_EXPORT bool GOMP_loop_doacross_start(unsigned n, long *extents, long sched, long chunk,
                                           long *f, long *l, std::uintptr_t *reductions,
                                           void **memory) {
    LOOMP_TOOL_ENTRY();
    return start_doacross(decode_schedule(sched, static_cast<std::uint64_t>(chunk)), n, extents, f,
                          l, reductions, memory);
}
LOOMP_EXPORT bool GOMP_loop_ull_doacross_start(unsigned n, Ull *extents, long sched, Ull chunk,
                                               Ull *f, Ull *l, std::uintptr_t *reductions,
                                               void **memory) {
    LOOMP_TOOL_ENTRY();
    return start_doacross(decode_schedule(sched, chunk), n, extents, f, l, reductions, memory);
}

LOOMP_EXPORT void GOMP_ordered_start() {
    LOOMP_TOOL_ENTRY();
    core::enter_ordered(here());
}
LOOMP_EXPORT void GOMP_ordered_end() {
    LOOMP_TOOL_ENTRY();
    core::leave_ordered(here());
}

LOOMP_EXPORT void GOMP_doacross_post(long *iteration) { post(iteration); }
LOOMP_EXPORT void GOMP_doacross_ull_post(Ull *iteration) { post(iteration); }
LOOMP_EXPORT void GOMP_doacross_wait(long first, ...) {
    va_list rest;
    va_start(rest, first);
    wait_for(first, rest);
    va_end(rest);
}
LOOMP_EXPORT void GOMP_doacross_ull_wait(Ull first, ...) {
    va_list rest;
    va_start(rest, first);
    wait_for(first, rest);
    va_end(rest);
}
