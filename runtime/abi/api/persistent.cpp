// loomp's own API (include/loomp/loomp.h): persistent task graphs.
#include "runtime/core/persistent/persistent.h"

#include "platform/atomic.h"

#include "loomp/loomp.h"
#include "platform/diagnostics.h"
#include "runtime/core/task/tool.h"

using namespace loomp;

static_assert(unsigned{LOOMP_PERSISTENT_REPLAY} == unsigned{core::kReplay} &&
              unsigned{LOOMP_PERSISTENT_NO_BARRIER} == unsigned{core::kNoBarrier} &&
              unsigned{LOOMP_PERSISTENT_CHECK} == unsigned{core::kCheck});

#define LOOMP_API __attribute__((visibility("default")))

LOOMP_API int loomp_persistent_begin(const char *where, unsigned flags) {
    LOOMP_TOOL_ENTRY();
    constexpr unsigned known = core::kReplay | core::kNoBarrier | core::kCheck;
    static Atomic<unsigned> warned{0}; // each flag once: iterations are many
    if (const unsigned unknown = flags & ~known;
        unknown != 0 && (unknown & ~warned.fetch_or(unknown, std::memory_order_relaxed)) != 0)
        core::warn("%s: loomp_persistent_begin: flags 0x%x are unknown and ignored", where,
                   unknown);
    return core::begin_iteration(where, flags & known) ? 1 : 0;
}

LOOMP_API int loomp_persistent_end(void) {
    LOOMP_TOOL_ENTRY();
    core::end_iteration();
    return 0;
}
LOOMP_API int loomp_persistent_remove_next(void) { return core::remove_next_task() ? 1 : 0; }
LOOMP_API void loomp_persistent_invalidate(const char *where) {
    LOOMP_TOOL_ENTRY();
    core::invalidate_graph(where);
}
LOOMP_API void loomp_persistent_free(const char *where) {
    LOOMP_TOOL_ENTRY();
    core::free_graph(where);
}
