// loomp's own interface (include/loomp): requests for the next created task, and kinds of tasks.
#include "runtime/core/scheduling/next_task.h"

#include "platform/atomic.h"

#include "loomp/experimental.h"
#include "platform/diagnostics.h"
#include "runtime/abi/api/api.h"
#include "runtime/core/scheduling/fusion.h"

using namespace loomp::core;

LOOMP_EXPORT void loomp_next_task(unsigned flags) {
    constexpr unsigned known = LOOMP_TASK_TRANSPARENT | LOOMP_TASK_WEAK;
    static loomp::Atomic<unsigned> warned{0}; // each flag once: tasks are many
    if (const unsigned unknown = flags & ~known;
        unknown != 0 && (unknown & ~warned.fetch_or(unknown, std::memory_order_relaxed)) != 0)
        warn("loomp_next_task: unknown flags 0x%x are ignored; known are LOOMP_TASK_TRANSPARENT "
             "and LOOMP_TASK_WEAK",
             unknown);
    if ((flags & LOOMP_TASK_WEAK) != 0)
        ask_of_next_task().flags |= kTransparent | kWeak;
    else if ((flags & LOOMP_TASK_TRANSPARENT) != 0)
        ask_of_next_task().flags |= kTransparent;
}

LOOMP_EXPORT void loomp_next_task_kind(int kind, void *data) {
    if (kind == 0)
        return; // loomp_task_kind() has reported the reason
    if (!is_task_kind(kind)) {
        LOOMP_WARN_ONCE(
            "loomp_next_task_kind: %d is no kind that loomp_task_kind() returned; ignored", kind);
        return;
    }
    NextTaskRequest &asked = ask_of_next_task();
    asked.flags |= kFusible;
    asked.kind = static_cast<std::uint8_t>(kind);
    asked.data = data;
}

LOOMP_EXPORT int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context,
                                 unsigned max) {
    const char *shown = name != nullptr ? name : "unnamed";
    if (batch == nullptr || max < 2 || max > kMaxBatch) {
        warn("loomp_task_kind: %s: a batch body and a maximum of 2 to %u tasks are needed; its "
             "tasks run one by one",
             shown, kMaxBatch);
        return 0;
    }
    const unsigned kind = add_task_kind(batch, context, max);
    if (kind == 0)
        warn("loomp_task_kind: %s: there are %u kinds already; its tasks run one by one", shown,
             kMaxTaskKinds - 1);
    return static_cast<int>(kind);
}
