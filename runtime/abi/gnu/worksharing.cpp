// GNU ABI: sections, single, scope, the ends of loops.
#include "runtime/core/team/worksharing.h"

#include "platform/export.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/abi/gnu/reduction.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/team/barrier.h"

namespace loomp::abi::gnu {
namespace {

/// Section numbers start at 1; 0 means none.
unsigned next_section() {
    core::Member &member = here();
    return core::next_chunk(member) ? static_cast<unsigned>(member.work.first) + 1 : 0;
}

/// gcc does not report the end of a single region, so a tool sees a single that ends at once.
bool take_single(core::Member &member) {
    const bool mine = core::enter_single(member);
    if (LOOMP_UNLIKELY(core::tool_enabled)) {
        const auto kind = mine ? core::WorkKind::single_executor : core::WorkKind::single_other;
        core::tool_hooks.work(kind, true, 1, nullptr);
        core::tool_hooks.work(kind, false, 1, nullptr);
    }
    return mine;
}

struct CombinedSections {
    unsigned count;

    void enter(core::Member &member) const { core::begin_sections(member, count, false); }
};

} // namespace
} // namespace loomp::abi::gnu

using namespace loomp;
using namespace loomp::abi::gnu;

LOOMP_EXPORT unsigned GOMP_sections_start(unsigned count) {
    LOOMP_TOOL_ENTRY();
    core::begin_sections(here(), count, false);
    return next_section();
}

LOOMP_EXPORT unsigned GOMP_sections2_start(unsigned count, std::uintptr_t *reductions,
                                           void **memory) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    enter_with_reductions(member, reductions, memory);
    core::begin_sections(member, count, true);
    return next_section();
}

LOOMP_EXPORT unsigned GOMP_sections_next() {
    LOOMP_TOOL_ENTRY();
    return next_section();
}

LOOMP_EXPORT void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads,
                                         unsigned count, unsigned flags) {
    LOOMP_TOOL_ENTRY();
    CombinedRegion<CombinedSections> region{{fn, data}, {count}};
    core::parallel(region.request(num_threads, flags, __builtin_return_address(0)));
}

LOOMP_EXPORT void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads,
                                               unsigned count) {
    start_combined<CombinedSections>({fn, data}, {count}, num_threads, __builtin_return_address(0));
}

/// The ends of a loop or of sections.
#define LOOMP_GNU_END(NAME)                                                                        \
    LOOMP_EXPORT void GOMP_##NAME##_end() {                                                        \
        LOOMP_TOOL_ENTRY();                                                                        \
        core::Member &member = here();                                                             \
        core::leave_work(member);                                                                  \
        core::barrier(member, core::SyncKind::barrier_workshare);                                  \
    }                                                                                              \
    LOOMP_EXPORT void GOMP_##NAME##_end_nowait() {                                                 \
        LOOMP_TOOL_ENTRY();                                                                        \
        core::leave_work(here());                                                                  \
    }                                                                                              \
    LOOMP_EXPORT bool GOMP_##NAME##_end_cancel() {                                                 \
        LOOMP_TOOL_ENTRY();                                                                        \
        core::Member &member = here();                                                             \
        core::leave_work(member);                                                                  \
        return core::barrier_cancellable(member, core::SyncKind::barrier_workshare);               \
    }
LOOMP_GNU_END(loop)
LOOMP_GNU_END(sections)
#undef LOOMP_GNU_END

LOOMP_EXPORT bool GOMP_single_start() {
    LOOMP_TOOL_ENTRY();
    return take_single(here());
}

LOOMP_EXPORT void *GOMP_single_copy_start() {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    if (take_single(member))
        return nullptr;
    core::barrier(member, core::SyncKind::barrier_workshare);
    return member.team->copyprivate.load(std::memory_order_relaxed);
}

LOOMP_EXPORT void GOMP_single_copy_end(void *data) {
    LOOMP_TOOL_ENTRY();
    core::Member &member = here();
    // The barrier orders this store; the compiler adds another barrier after the copies.
    member.team->copyprivate.store(data, std::memory_order_relaxed);
    core::barrier(member, core::SyncKind::barrier_workshare);
}

LOOMP_EXPORT void GOMP_scope_start(std::uintptr_t *reductions) {
    core::Member &member = here();
    enter_with_reductions(member, reductions, nullptr);
    core::leave_work(member);
}
