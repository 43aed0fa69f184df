// LLVM ABI: worksharing loops. Arithmetic alone divides static schedules here; the core's
// worksharing constructs handle the others, and ordered loops.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "platform/export.h"
#include "runtime/abi/api/loop_iterations.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::abi::llvm {
namespace {

using core::ChunkOrder;
using core::Member;
using core::ScheduleKind;
using core::WorkState;

/// Values of the schedule argument, without modifiers.
enum : std::int32_t {
    kStaticChunked = 33,
    kStatic = 34,
    kDynamic = 35,
    kGuided = 36,
    kRuntime = 37,
    kAuto = 38,
    kBalancedChunked = 45, ///< static with the simd modifier: the chunk is the vector's length
    kGuidedSimd = 46,      ///< guided with the simd modifier
    kRuntimeSimd = 47,     ///< runtime with the simd modifier
    kOrderedLower = 64,    ///< an ordered schedule is 32 more than the plain one
    kOrderedUpper = 72,
    kDistributeChunked = 91,
    kDistribute = 92,
};
constexpr std::int32_t kModifierBits = (1 << 29) | (1 << 30);

/// Returns the number of iterations of lower..upper (inclusive) by `step`.
template <class T> std::uint64_t count(T lower, T upper, std::make_signed_t<T> step) {
    return count_to(lower, upper, static_cast<std::uint64_t>(std::int64_t{step}), step > 0);
}

/// Moves lower just beyond upper. It does not move upper, except at the type's end. The program
/// caps upper at the loop's own bound, so a wrapped upper would restore the whole range.
template <class T> void make_empty(T *lower, T *upper, std::make_signed_t<T> step) {
    using U = std::make_unsigned_t<T>;
    const T limit = step > 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
    const U beyond = step > 0 ? U{1} : static_cast<U>(-1);
    if (*upper == limit)
        *upper = static_cast<T>(static_cast<U>(limit) - beyond);
    *lower = static_cast<T>(static_cast<U>(*upper) + beyond);
}

/// Narrows lower..upper to the share of member `num` of `size`. `last`: whether it has the last
/// iteration. A share without iterations is an empty range.
template <class T>
void divide(std::int32_t kind, std::uint64_t num, std::uint64_t size, T *lower, T *upper,
            std::make_signed_t<T> *stride, std::make_signed_t<T> step, std::make_signed_t<T> chunk,
            std::int32_t *last) {
    using U = std::make_unsigned_t<T>;
    const std::uint64_t trip = count(*lower, *upper, step);
    if (trip == 0) {
        if (last != nullptr)
            *last = 0;
        *stride = step;
        return;
    }
    const U base = static_cast<U>(*lower);
    const U ustep = static_cast<U>(step);
    const auto at = [&](std::uint64_t i) {
        return static_cast<T>(base + static_cast<U>(i) * ustep);
    };
    if (kind == kStaticChunked || kind == kDistributeChunked) {
        // The length is at most the whole loop, and no share starts beyond its end; either might
        // wrap around.
        const std::uint64_t length =
            std::min(trip, chunk < 1 ? std::uint64_t{1} : static_cast<std::uint64_t>(chunk));
        const std::uint64_t chunks = (trip - 1) / length + 1;
        const std::uint64_t sharers = std::min(chunks, size);
        *stride = static_cast<std::make_signed_t<T>>(static_cast<U>(length * sharers) * ustep);
        if (last != nullptr)
            *last = num == (chunks - 1) % size;
        if (num >= chunks) {
            make_empty(lower, upper, step);
            return;
        }
        *lower = at(num * length);
        *upper = at(std::min(trip, (num + 1) * length) - 1);
        return;
    }
    *stride = static_cast<std::make_signed_t<T>>(static_cast<U>(trip) * ustep);
    std::uint64_t first;
    std::uint64_t length;
    if (kind == kBalancedChunked) {
        // The simd modifier rounds shares up to the chunk.
        const std::uint64_t grain = chunk < 1 ? 1 : static_cast<std::uint64_t>(chunk);
        const std::uint64_t even = (trip - 1) / size + 1;
        const std::uint64_t share = grain >= trip ? trip : (even + grain - 1) / grain * grain;
        const bool empty = num > (trip - 1) / share;
        first = empty ? trip : num * share;
        length = std::min(share, trip - first);
    } else {
        const core::ChunkShare::Range share = core::even_share(trip, num, size);
        first = share.first;
        length = share.end - share.first;
    }
    if (last != nullptr)
        *last = length != 0 && first + length == trip;
    if (length == 0) {
        make_empty(lower, upper, step);
        return;
    }
    *lower = at(first);
    *upper = at(first + length - 1);
}

struct Share {
    std::uint64_t num;
    std::uint64_t size;
};

Share share_of(std::int32_t kind) {
    const Member &member = here();
    if (kind == kDistribute || kind == kDistributeChunked) {
        const core::ContentionGroup &group = *member.team->contention;
        return {static_cast<std::uint64_t>(group.team_num),
                static_cast<std::uint64_t>(group.num_teams)};
    }
    return {static_cast<std::uint64_t>(member.num),
            static_cast<std::uint64_t>(static_cast<int>(member.team->size))};
}

/// Returns the kind of a static loop, from the compiler's flags, for tools.
core::WorkKind work_kind(const Ident *location) {
    if (location != nullptr && (location->flags & kIdentSections) != 0)
        return core::WorkKind::sections;
    if (location != nullptr && (location->flags & kIdentDistribute) != 0)
        return core::WorkKind::distribute;
    return core::WorkKind::loop_static;
}

/// Reports to a tool the one contiguous share that a member of an unchunked loop executes.
template <class T>
void tell_share(core::WorkKind kind, T start, T lower, T upper, std::make_signed_t<T> step) {
    const std::uint64_t length = count(lower, upper, step);
    if (length == 0)
        return;
    const core::DispatchKind what = kind == core::WorkKind::sections ? core::DispatchKind::section
                                    : kind == core::WorkKind::distribute
                                        ? core::DispatchKind::distribute
                                        : core::DispatchKind::loop_chunk;
    core::tool_hooks.dispatch(what, count(start, lower, step) - 1, length);
}

template <class T>
void static_init(const Ident *location, std::int32_t kind, std::int32_t *last, T *lower, T *upper,
                 std::make_signed_t<T> *stride, std::make_signed_t<T> step,
                 std::make_signed_t<T> chunk, const void *codeptr) {
    core::enter_divided_work(here().work);
    kind &= ~kModifierBits;
    const Share share = share_of(kind);
    const T start = *lower;
    const std::uint64_t trip = core::tool_enabled ? count(*lower, *upper, step) : 0;
    LOOMP_TOOL(work, work_kind(location), true, trip, codeptr);
    divide(kind, share.num, share.size, lower, upper, stride, step, chunk, last);
    // The runtime sees only the first chunk, so it reports the chunk only if there is no other.
    if (LOOMP_UNLIKELY(core::tool_enabled) &&
        (kind == kStatic || kind == kDistribute ||
         (kind == kStaticChunked && static_cast<std::uint64_t>(*stride / step) >= trip)))
        tell_share(work_kind(location), start, *lower, *upper, step);
}

/// distribute parallel for: computes the team's block of the iterations, then the thread's share of
/// it.
template <class T>
void distribute_init(std::int32_t kind, std::int32_t *last, T *lower, T *upper, T *team_upper,
                     std::make_signed_t<T> *stride, std::make_signed_t<T> step,
                     std::make_signed_t<T> chunk) {
    core::enter_divided_work(here().work);
    const Share team = share_of(kDistribute);
    std::int32_t team_last = 0;
    divide(kDistribute, team.num, team.size, lower, upper, stride, step, chunk, &team_last);
    *team_upper = *upper;
    kind &= ~kModifierBits;
    const Share thread = share_of(kStatic);
    std::int32_t thread_last = 0;
    divide(kind, thread.num, thread.size, lower, upper, stride, step, chunk, &thread_last);
    if (last != nullptr)
        *last = team_last != 0 && thread_last != 0;
}

template <class T>
void team_static_init(std::int32_t *last, T *lower, T *upper, std::make_signed_t<T> *stride,
                      std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
    const Share team = share_of(kDistribute);
    divide(kDistributeChunked, team.num, team.size, lower, upper, stride, step, chunk, last);
}

// --- Dynamic schedules -------------------------------------------------------------------------

core::LoopRequest decode(std::int32_t schedule, std::int64_t chunk) {
    core::LoopRequest request;
    std::int32_t kind = schedule & ~kModifierBits;
    // Bit 30 is the nonmonotonic modifier, given or implied.
    request.order = (schedule & (1 << 30)) == 0 ? ChunkOrder::required : ChunkOrder::irrelevant;
    if (kind > kOrderedLower && kind < kOrderedUpper) {
        request.ordered = true;
        kind -= 32;
    }
    switch (kind) {
    case kDynamic:
        request.kind = ScheduleKind::dynamic;
        break;
    case kGuided:
    case 42: // guided; the compiler chose the variant
    case 43:
        request.kind = ScheduleKind::guided;
        break;
    case kGuidedSimd:
        request.kind = ScheduleKind::guided;
        break;
    case kRuntime:
    case kRuntimeSimd:
        request.runtime = true;
        break;
    default:
        request.kind = ScheduleKind::static_;
    }
    const std::uint64_t length = chunk < 1 ? 0 : static_cast<std::uint64_t>(chunk);
    if (kind >= kBalancedChunked && kind <= kRuntimeSimd)
        request.simd = length;
    else if (kind != kStatic && kind != kAuto)
        request.chunk = length;
    return request;
}

template <class T>
void dispatch_init(std::int32_t schedule, T lower, T upper, std::make_signed_t<T> step,
                   std::make_signed_t<T> chunk) {
    Member &member = here();
    core::LoopRequest request = decode(schedule, chunk);
    request.trip = count(lower, upper, step);
    // Clang implies the nonmonotonic modifier for ordered(n), too, which must not have it.
    const bool is_doacross = member.work.slot != nullptr && member.work.slot->doacross != nullptr;
    if (is_doacross)
        request.order = ChunkOrder::required;
    core::begin_loop(member, request, is_doacross);
    WorkState &state = member.work;
    state.base = static_cast<std::uint64_t>(lower);
    state.step = static_cast<std::uint64_t>(std::int64_t{step});
}

template <class T>
int dispatch_next(std::int32_t *last, T *lower, T *upper, std::make_signed_t<T> *stride,
                  const void *codeptr) {
    Member &member = here();
    if (!core::next_chunk(member)) {
        // `*last` is unchanged, because it shows whether the previous chunk was the last one.
        const core::ToolEntry entry(__builtin_frame_address(0), codeptr);
        core::leave_work(member);
        return 0;
    }
    const WorkState &state = member.work;
    *lower = static_cast<T>(state.base + state.first * state.step);
    *upper = static_cast<T>(state.base + (state.end - 1) * state.step);
    if (stride != nullptr)
        *stride = static_cast<std::make_signed_t<T>>(state.step);
    if (last != nullptr)
        *last = state.end == state.trip;
    return 1;
}

} // namespace
} // namespace loomp::abi::llvm

using namespace loomp;
using namespace loomp::abi::llvm;

// clang-format off
#define LOOMP_LLVM_LOOP(SUFFIX, T)                                                                 \
    LOOMP_EXPORT void __kmpc_for_static_init_##SUFFIX(Ident *location, std::int32_t, std::int32_t kind, std::int32_t *last, T *lower, T *upper, std::make_signed_t<T> *stride, std::make_signed_t<T> step, std::make_signed_t<T> chunk) { \
        static_init<T>(location, kind, last, lower, upper, stride, step, chunk, __builtin_return_address(0)); \
    }                                                                                              \
    LOOMP_EXPORT void __kmpc_dist_for_static_init_##SUFFIX(Ident *location, std::int32_t, std::int32_t kind, std::int32_t *last, T *lower, T *upper, T *team_upper, std::make_signed_t<T> *stride, std::make_signed_t<T> step, std::make_signed_t<T> chunk) { \
        LOOMP_TOOL(work, work_kind(location), true, count(*lower, *upper, step), __builtin_return_address(0)); \
        distribute_init<T>(kind, last, lower, upper, team_upper, stride, step, chunk);             \
    }                                                                                              \
    LOOMP_EXPORT void __kmpc_team_static_init_##SUFFIX(Ident *, std::int32_t, std::int32_t *last, T *lower, T *upper, std::make_signed_t<T> *stride, std::make_signed_t<T> step, std::make_signed_t<T> chunk) { \
        team_static_init<T>(last, lower, upper, stride, step, chunk);                              \
    }                                                                                              \
    LOOMP_EXPORT void __kmpc_dispatch_init_##SUFFIX(Ident *, std::int32_t, std::int32_t schedule, T lower, T upper, std::make_signed_t<T> step, std::make_signed_t<T> chunk) { \
        LOOMP_TOOL_ENTRY();                                                                        \
        dispatch_init<T>(schedule, lower, upper, step, chunk);                                     \
    }                                                                                              \
    LOOMP_EXPORT void __kmpc_dist_dispatch_init_##SUFFIX(Ident *, std::int32_t, std::int32_t schedule, std::int32_t *last, T lower, T upper, std::make_signed_t<T> step, std::make_signed_t<T> chunk) { \
        const Share team = share_of(kDistribute);                                                  \
        std::make_signed_t<T> stride = 0;                                                          \
        divide<T>(kDistribute, team.num, team.size, &lower, &upper, &stride, step, chunk, last);   \
        dispatch_init<T>(schedule, lower, upper, step, chunk);                                     \
    }                                                                                              \
    LOOMP_EXPORT int __kmpc_dispatch_next_##SUFFIX(Ident *, std::int32_t, std::int32_t *last, T *lower, T *upper, std::make_signed_t<T> *stride) { \
        return dispatch_next<T>(last, lower, upper, stride, __builtin_return_address(0));          \
    }                                                                                              \
    /* Called after each iteration of an ordered loop; the turn passes with the chunk. */          \
    LOOMP_EXPORT void __kmpc_dispatch_fini_##SUFFIX(Ident *, std::int32_t) {}
LOOMP_LLVM_LOOP(4, std::int32_t)
LOOMP_LLVM_LOOP(4u, std::uint32_t)
LOOMP_LLVM_LOOP(8, std::int64_t)
LOOMP_LLVM_LOOP(8u, std::uint64_t)
#undef LOOMP_LLVM_LOOP
// clang-format on

LOOMP_EXPORT void __kmpc_for_static_fini(Ident *location, std::int32_t) {
    LOOMP_TOOL(work, work_kind(location), false, 0, __builtin_return_address(0));
}
LOOMP_EXPORT void __kmpc_dispatch_deinit(Ident *, std::int32_t) { core::leave_work(here()); }

// Sections in flang's form: each call of next_section passes their number.
LOOMP_EXPORT std::int32_t __kmpc_sections_init(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::begin_sections(here(), std::uint64_t{1} << 32);
    return 0;
}
LOOMP_EXPORT std::int32_t __kmpc_next_section(Ident *, std::int32_t, std::int32_t sections) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    if (!core::next_chunk(member) || member.work.first >= static_cast<std::uint64_t>(sections))
        return sections;
    return static_cast<std::int32_t>(member.work.first);
}
LOOMP_EXPORT void __kmpc_end_sections(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::leave_work(here());
}

LOOMP_EXPORT void __kmpc_ordered(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::enter_ordered(here());
}
LOOMP_EXPORT void __kmpc_end_ordered(Ident *, std::int32_t) {
    LOOMP_TOOL_ENTRY();
    core::leave_ordered(here());
}

// --- Doacross ------------------------------------------------------------------------------------

namespace {

struct Dimension {
    std::int64_t lower;
    std::int64_t upper;
    std::int64_t stride;
};

/// Returns how many values the index has. Clang, the only compiler that emits these calls, numbers
/// every index from 0 by 1. It passes their count instead of the last value. If that counted as the
/// last value, an iteration would wait for one just outside, which is never posted.
std::uint64_t extent(const Dimension &dimension) {
    if (dimension.lower == 0 && dimension.stride == 1)
        return static_cast<std::uint64_t>(std::max<std::int64_t>(dimension.upper, 0));
    return count(dimension.lower, dimension.upper, dimension.stride);
}

/// Computes the number of an iteration of the nest; false if it lies outside, where no wait is
/// needed.
bool linear(const core::DoacrossState &state, const std::int64_t *vector, std::uint64_t &number) {
    number = 0;
    for (std::uint32_t i = 0; i < state.dimensions; ++i) {
        const std::int64_t offset = vector[i] - state.lower[i];
        const std::int64_t index = offset / state.stride[i];
        if (offset % state.stride[i] != 0 || index < 0 ||
            static_cast<std::uint64_t>(index) >= state.extent[i])
            return false;
        number = number * state.extent[i] + static_cast<std::uint64_t>(index);
    }
    return true;
}

} // namespace

LOOMP_EXPORT void __kmpc_doacross_init(Ident *, std::int32_t, std::int32_t count_,
                                       const Dimension *dimensions) {
    core::Member &member = here();
    core::check_doacross_depth(static_cast<std::uint32_t>(count_));
    core::DoacrossState &state = member.doacross;
    state.dimensions = static_cast<std::uint32_t>(count_);
    std::uint64_t total = 1;
    for (std::int32_t i = 0; i < count_; ++i) {
        const Dimension &dimension = dimensions[i];
        state.lower[i] = dimension.lower;
        state.stride[i] = dimension.stride;
        state.extent[i] = extent(dimension);
        total *= state.extent[i];
    }
    core::enter_doacross(member, total);
}
LOOMP_EXPORT void __kmpc_doacross_post(Ident *, std::int32_t, const std::int64_t *vector) {
    core::Member &member = here();
    std::uint64_t number = 0;
    LOOMP_TOOL(doacross, true, vector, member.doacross.dimensions);
    if (linear(member.doacross, vector, number))
        core::post_iteration(member, number);
}
LOOMP_EXPORT void __kmpc_doacross_wait(Ident *, std::int32_t, const std::int64_t *vector) {
    core::Member &member = here();
    std::uint64_t number = 0;
    // No iteration waits for one that does not exist, and tools see no event for it.
    if (linear(member.doacross, vector, number)) {
        core::wait_iteration(member, number);
        LOOMP_TOOL(doacross, false, vector, member.doacross.dimensions);
    }
}
LOOMP_EXPORT void __kmpc_doacross_fini(Ident *, std::int32_t) { core::leave_work(here()); }
